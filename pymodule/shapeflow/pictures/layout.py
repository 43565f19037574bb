"""Where the nodes, groups and edges of a document go: a layered layout of our own, top to bottom.

Each group is laid out by itself, the innermost first, and is then one item of its parent. An edge that leaves
a group goes through a port on its border. Within one level: cycles are opened, ranks come from the longest
path, the order in a rank from barycentres, x coordinates from the least squares that keep the order; long
edges are led by points between the ranks. Linear but for sorting.
Source: Sugiyama, Tagawa, Toda 1981; Gansner, Koutsofios, North, Vo 1993.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Tuple

    Plain = Dict[str, Any]
    Point = Tuple[float, float]
    Box = Tuple[float, float, float, float]  # left, top, width, height
    Key = Tuple[Any, ...]

GAP_X, GAP_Y = 26.0, 54.0
GAP_OUT = 26.0
BEND = 8.0  # the room of an edge between nodes
PAD, HEAD = 16.0, 26.0  # inside of a group's border; its name
MOST_BENDS = 20_000  # of a whole picture: what is longer is drawn straight
_SWEEPS = 6


class Item:
    """What is placed in one level: a node, a group, a port of the level's own group, a bend of an edge."""

    __slots__ = ("key", "width", "height", "rank", "place", "x", "y", "floor", "before", "after", "heavy")

    def __init__(self, key: Key, width: float, height: float) -> None:
        self.key, self.width, self.height = key, width, height
        self.rank = self.place = 0
        self.x = self.y = 0.0  # its centre; its top
        self.floor = 0.0  # where its rank ends, below the tallest that stands beside it
        self.before: List[Tuple[Item, float, float]] = []  # neighbour, its offset, ours
        self.after: List[Tuple[Item, float, float]] = []
        self.heavy = key[0] == "bend"


class Segment:
    """The part of an edge that lies in one level."""

    __slots__ = ("first", "first_at", "last", "last_at", "turned", "bends")

    def __init__(self, first: Item, first_at: float, last: Item, last_at: float) -> None:
        self.first, self.first_at, self.last, self.last_at = first, first_at, last, last_at
        self.turned = False  # drawn upwards
        self.bends: List[Item] = []

    def points(self) -> List[Point]:
        upper, upper_at, lower, lower_at = (self.last, self.last_at, self.first, self.first_at) \
            if self.turned else (self.first, self.first_at, self.last, self.last_at)
        made = [(upper.x + upper_at, upper.y + upper.height)]
        if upper.floor > made[0][1] + 1:
            made.append((made[0][0], upper.floor))
        for bend in self.bends:  # straight past what is beside it
            made += [(bend.x, bend.y), (bend.x, bend.y + bend.height)]
        made.append((lower.x + lower_at, lower.y))
        return made[::-1] if self.turned else made


# --- one connected part of a level -----------------------------------------------------------------
def _open_cycles(items: Sequence[Item], segments: Sequence[Segment]) -> List[Item]:
    """Turns the segments that close cycles; the items in topological order."""
    out: Dict[int, List[Segment]] = {}
    for segment in segments:
        out.setdefault(id(segment.first), []).append(segment)
    state: Dict[int, int] = {}  # 1: on the way, 2: done
    order: List[Item] = []
    for root in items:
        if id(root) in state:
            continue
        state[id(root)] = 1
        stack = [(root, iter(out.get(id(root), ())))]
        while stack:
            item, rest = stack[-1]
            for segment in rest:
                seen = state.get(id(segment.last))
                if seen == 1:
                    segment.turned = True
                elif seen is None:
                    state[id(segment.last)] = 1
                    stack.append((segment.last, iter(out.get(id(segment.last), ()))))
                    break
            else:
                state[id(item)] = 2
                order.append(item)
                stack.pop()
    order.reverse()
    return order


def _set_ranks(order: Sequence[Item], segments: Sequence[Segment]) -> int:
    """The longest path from above; what has nothing above it stands just before its first user. Ports keep to
    the borders. Returns the number of ranks."""
    above: Dict[int, List[Item]] = {}
    below: Dict[int, List[Item]] = {}
    for segment in segments:
        first, last = (segment.last, segment.first) if segment.turned else (segment.first, segment.last)
        above.setdefault(id(last), []).append(first)
        below.setdefault(id(first), []).append(last)
    base = 1 if any(item.key[0] == "in" for item in order) else 0
    for item in order:
        item.rank = 0 if item.key[0] == "in" else max(
            [base] + [other.rank + 1 for other in above.get(id(item), ())])
    for item in reversed(order):
        if item.key[0] != "in" and id(item) not in above and id(item) in below:
            item.rank = max(base, min(other.rank for other in below[id(item)]) - 1)
    inner = max((item.rank for item in order if item.key[0] != "out"), default=-1)
    last_rank = inner + 1 if any(item.key[0] == "out" for item in order) else inner
    for item in order:
        if item.key[0] == "out":
            item.rank = last_rank
    return last_rank + 1


def _bend(segments: Sequence[Segment], room: int) -> List[Item]:
    """Points in the ranks that long segments cross; and everybody's neighbours."""
    bends: List[Item] = []
    for segment in segments:
        upper, upper_at, lower, lower_at = (segment.last, segment.last_at, segment.first, segment.first_at) \
            if segment.turned else (segment.first, segment.first_at, segment.last, segment.last_at)
        last, last_at = upper, upper_at
        span = lower.rank - upper.rank - 1
        for rank in range(upper.rank + 1, lower.rank) if len(bends) + span <= room else ():
            bend = Item(("bend",), BEND, 0.0)
            bend.rank = rank
            segment.bends.append(bend)
            bends.append(bend)
            _join(last, last_at, bend, 0.0)
            last, last_at = bend, 0.0
        _join(last, last_at, lower, lower_at)
    return bends


def _join(upper: Item, upper_at: float, lower: Item, lower_at: float) -> None:
    upper.after.append((lower, lower_at, upper_at))
    lower.before.append((upper, upper_at, lower_at))


def _sort_ranks(ranks: List[List[Item]]) -> None:
    """Barycentre sweeps; the order with the fewest crossings of those seen would cost more than it gives."""
    for row in ranks:
        for place, item in enumerate(row):
            item.place = place
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        for row in ranks if down else reversed(ranks):
            centres = {}
            for item in row:
                near = item.before if down else item.after
                centres[id(item)] = sum(other.place + at / (other.width + 1) for other, at, _ in near) \
                    / len(near) if near else float(item.place)
            row.sort(key=lambda item: centres[id(item)])
            for place, item in enumerate(row):
                item.place = place


def spread(wanted: Sequence[float], weights: Sequence[float], apart: Sequence[float]) -> List[float]:
    """The positions nearest to `wanted` (least squares, weighted) of which each is at least apart[i] behind
    the one before: isotonic regression by pooling neighbours that are in each other's way."""
    blocks: List[List[float]] = []  # weight, weight * position, how many
    shift, shifts = 0.0, []
    for i, want in enumerate(wanted):
        shift += apart[i] if i else 0.0
        shifts.append(shift)
        block = [weights[i], weights[i] * (want - shift), 1]
        while blocks and blocks[-1][1] / blocks[-1][0] > block[1] / block[0]:
            last = blocks.pop()
            block = [last[0] + block[0], last[1] + block[1], last[2] + block[2]]
        blocks.append(block)
    made: List[float] = []
    for weight, total, count in blocks:
        made += [total / weight] * int(count)
    return [position + shift for position, shift in zip(made, shifts)]


def _weight(item: Item, other: Item) -> float:
    """Bends of one edge want to be in line most of all."""
    return 8.0 if item.heavy and other.heavy else 2.0 if item.heavy or other.heavy else 1.0


def _set_x(ranks: List[List[Item]]) -> None:
    for row in ranks:
        x = 0.0
        for item in row:
            item.x = x + item.width / 2
            x += item.width + GAP_X
    for sweep in range(_SWEEPS + 2):
        down = sweep % 2 == 0
        for row in ranks if down else reversed(ranks):
            wanted, weights, apart = [], [], []
            for place, item in enumerate(row):
                near = item.before if down else item.after
                if sweep >= _SWEEPS:
                    near = item.before + item.after
                total = pull = 0.0
                for other, at, ours in near:
                    weight = _weight(item, other)
                    total += weight
                    pull += weight * (other.x + at - ours)
                wanted.append(pull / total if total else item.x)
                weights.append(total or 0.01)
                gap = GAP_X if not (item.heavy and place and row[place - 1].heavy) else BEND
                apart.append((item.width + row[place - 1].width) / 2 + gap if place else 0.0)
            for item, x in zip(row, spread(wanted, weights, apart)):
                item.x = x


def _arrange(items: List[Item], segments: List[Segment], room: int) -> Tuple[float, float, List[Item]]:
    """Places one connected part, its left top at (0, 0): (width, height, its bends)."""
    count = _set_ranks(_open_cycles(items, segments), segments)
    bends = _bend(segments, room)
    ranks: List[List[Item]] = [[] for _ in range(count)]
    for item in [*items, *bends]:
        ranks[item.rank].append(item)
    _sort_ranks(ranks)
    _set_x(ranks)
    y = gap = 0.0
    for row in ranks:
        tall = max(item.height for item in row)
        if row[0].key[0] == "out":  # only ports: room for the shapes above them
            y -= gap - GAP_OUT
        gap = GAP_Y if tall else GAP_Y / 3
        for item in row:
            item.y, item.floor = y, y + tall
            if item.heavy:
                item.height = tall
        y += tall + gap
    height = y - gap
    everything = [*items, *bends]
    left = min(item.x - item.width / 2 for item in everything)
    for item in everything:
        item.x -= left
    return max(item.x + item.width / 2 for item in everything), max(height, 0.0), bends


# --- a level: its parts beside one another ----------------------------------------------------------
def _parts(items: Sequence[Item], segments: Sequence[Segment]) -> List[Tuple[List[Item], List[Segment]]]:
    """The connected parts, in the order of their first items."""
    root: Dict[int, int] = {id(item): id(item) for item in items}

    def find(key: int) -> int:
        while root[key] != key:
            root[key] = key = root[root[key]]
        return key

    for segment in segments:
        root[find(id(segment.first))] = find(id(segment.last))
    found: Dict[int, Tuple[List[Item], List[Segment]]] = {}
    for item in items:
        found.setdefault(find(id(item)), ([], []))[0].append(item)
    for segment in segments:
        found[find(id(segment.first))][1].append(segment)
    return list(found.values())


class Level:
    """The inside of one group: its items, and how large it is."""

    def __init__(self) -> None:
        self.items: Dict[Key, Item] = {}
        self.segments: Dict[Key, Segment] = {}
        self.width = self.height = 0.0

    def item(self, key: Key, width: float = BEND, height: float = 0.0) -> Item:
        made = self.items.get(key)
        if made is None:
            made = self.items[key] = Item(key, width, height)
        return made

    def arrange(self, room: int) -> int:
        """Places all items; how many bends that took."""
        first: List[Tuple[float, float, List[Item]]] = []  # with ports: side by side
        rest: List[Tuple[float, float, List[Item]]] = []
        used = 0
        for items, segments in _parts(list(self.items.values()), list(self.segments.values())):
            width, height, bends = _arrange(items, segments, room - used)
            used += len(bends)
            has_port = any(item.key[0] in ("in", "out") for item in items)
            (first if has_port else rest).append((width, height, [*items, *bends]))
        x, tallest = 0.0, max((height for _, height, _ in first), default=0.0)
        for width, _, members in first:
            _move(members, x, 0.0)
            for item in members:
                if item.key[0] == "out":
                    item.y = tallest
            x += width + GAP_X
        x, y = _shelves(rest, x)
        self.width, self.height = max(x - GAP_X, 0.0), max(y, tallest)
        for item in self.items.values():  # ports lie on the border
            if item.key[0] == "out":
                item.y = self.height + PAD
            elif item.key[0] == "in":
                item.y = item.floor = -HEAD
        return used


def _move(items: Sequence[Item], x: float, y: float) -> None:
    for item in items:
        item.x += x
        item.y += y
        item.floor += y


def _shelves(parts: List[Tuple[float, float, List[Item]]], left: float) -> Tuple[float, float]:
    """Parts in rows, about as wide as high: (right end, lower end)."""
    area = sum((width + GAP_X) * (height + GAP_Y) for width, height, _ in parts)
    most = left + max([(area * 1.8) ** 0.5] + [width for width, _, _ in parts])
    x = right = left
    y = tall = 0.0
    for width, height, members in parts:
        if x > left and x + width > most:
            x, y, tall = left, y + tall + GAP_Y, 0.0
        _move(members, x, y)
        x += width + GAP_X
        right, tall = max(right, x), max(tall, height)
    return right, y + tall


# --- the whole ------------------------------------------------------------------------------------
class Placed:
    """Boxes of nodes and groups (None: an empty group) and points of edges, in the order of the document."""

    def __init__(self, nodes: int, groups: int, edges: int) -> None:
        self.nodes: List[Box] = [(0.0, 0.0, 0.0, 0.0)] * nodes
        self.groups: List[Optional[Box]] = [None] * groups
        self.edges: List[List[Point]] = [[] for _ in range(edges)]
        self.width = self.height = 0.0


class _Layout:
    def __init__(self, document: Plain, sizes: Sequence[Tuple[float, float]],
                 starts: Sequence[float], ends: Sequence[float], heads: Sequence[float]) -> None:
        self.document, self.sizes, self.starts, self.ends = document, sizes, starts, ends
        self.heads = heads
        self.parents: List[Optional[int]] = [group["parent"] for group in document["groups"]]
        self.depth: Dict[Optional[int], int] = {None: 0}
        for number, parent in enumerate(self.parents):
            self.depth[number] = self.depth[parent] + 1
        self.levels: Dict[Optional[int], Level] = {None: Level()}
        self.routes: List[List[Tuple[Optional[int], Key]]] = []
        # Which levels a segment joins, before the groups inside have a size.
        self.plans: Dict[Optional[int], Dict[Key, Tuple[Key, Key, float, float, Key, Key]]] = {}

    def way(self, edge: Plain, start: float, end: float) -> List[Tuple[Optional[int], Key]]:
        """The segments of an edge, from its producer outwards and then inwards."""
        nodes = self.document["nodes"]
        source, target = edge["from"], edge["to"]
        port: Key = (source, edge.get("output", -1))
        level, goal = nodes[source]["group"], nodes[target]["group"]
        inwards: List[Optional[int]] = []
        common, other = level, goal
        while common != other:
            if self.depth[common] >= self.depth[other]:
                common = self.parents[common] if common is not None else None
            else:
                inwards.append(other)
                other = self.parents[other] if other is not None else None
        made: List[Tuple[Optional[int], Key]] = []
        at: Key = ("node", source)
        at_port: Key = ()
        while level != common:
            made.append(self.plan(level, at, ("out", *port), start, 0.0, at_port, ()))
            at, at_port, start = ("group", level), ("out", *port), 0.0
            level = self.parents[level] if level is not None else None
        for inner in [*reversed(inwards), None]:
            last = inner is None
            to: Key = ("node", target) if last else ("group", inner)
            made.append(self.plan(level, at, to, start, end if last else 0.0, at_port,
                                  () if last else ("in", *port)))
            level, at, at_port, start = inner, ("in", *port), (), 0.0
        return made

    def plan(self, level: Optional[int], first: Key, last: Key, start: float, end: float, first_port: Key,
             last_port: Key) -> Tuple[Optional[int], Key]:
        key: Key = (first, first_port, start, last, last_port, end)
        self.plans.setdefault(level, {})[key] = (first, last, start, end, first_port, last_port)
        return level, key

    def offset(self, item: Key, port: Key) -> float:
        """Where a port of a group is, from the group's middle."""
        if not port:
            return 0.0
        inner = self.levels[item[1]]
        return inner.items[port].x - inner.width / 2

    def run(self) -> Placed:
        document = self.document
        nodes, groups, edges = document["nodes"], document["groups"], document["edges"]
        for edge, start, end in zip(edges, self.starts, self.ends):
            self.routes.append(self.way(edge, start, end) if edge["from"] != edge["to"] else [])
        members: Dict[Optional[int], List[int]] = {}
        for number, node in enumerate(nodes):
            members.setdefault(node["group"], []).append(number)
        inside: Dict[Optional[int], List[int]] = {}
        room = MOST_BENDS
        for number in [*range(len(groups) - 1, -1, -1), None]:  # children come after their parents
            level = self.levels[number] = Level()
            for member in members.get(number, ()):
                level.item(("node", member), *self.sizes[member])
            for child in reversed(inside.get(number, ())):
                inner = self.levels[child]
                level.item(("group", child), max(inner.width, self.heads[child]) + 2 * PAD,
                           inner.height + HEAD + PAD)
            for key, (first, last, start, end, one, two) in self.plans.get(number, {}).items():
                a, b = level.item(first), level.item(last)
                level.segments[key] = Segment(a, start + self.offset(first, one), b,
                                              end + self.offset(last, two))
            if level.items:
                room -= level.arrange(room)
                if number is not None:
                    inside.setdefault(groups[number]["parent"], []).append(number)
        return self.collect(inside)

    def collect(self, inside: Dict[Optional[int], List[int]]) -> Placed:
        placed = Placed(len(self.document["nodes"]), len(self.parents), len(self.routes))
        origins: Dict[Optional[int], Tuple[float, float]] = {None: (0.0, 0.0)}
        todo: List[Optional[int]] = [None]
        while todo:
            number = todo.pop()
            x, y = origins[number]
            for item in self.levels[number].items.values():
                box = (x + item.x - item.width / 2, y + item.y, item.width, item.height)
                if item.key[0] == "node":
                    placed.nodes[item.key[1]] = box
                elif item.key[0] == "group":
                    child = item.key[1]
                    placed.groups[child] = box
                    slack = item.width - self.levels[child].width
                    origins[child] = box[0] + slack / 2, box[1] + HEAD
                    todo.append(child)
        for number, route in enumerate(self.routes):
            points: List[Point] = []
            for level, key in route:
                x, y = origins[level]
                points += [(x + px, y + py) for px, py in self.levels[level].segments[key].points()]
            placed.edges[number] = _without_doubles(points)
        placed.width, placed.height = self.levels[None].width, self.levels[None].height
        return placed


def _without_doubles(points: List[Point]) -> List[Point]:
    """A port is the end of one segment and the start of the next."""
    kept: List[Point] = []
    for point in points:
        if not kept or abs(kept[-1][0] - point[0]) + abs(kept[-1][1] - point[1]) > 0.01:
            kept.append(point)
    return kept


def place(document: Plain, sizes: Sequence[Tuple[float, float]], starts: Sequence[float],
          ends: Sequence[float], heads: Sequence[float]) -> Placed:
    """`sizes` of the nodes; `starts` and `ends` of the edges: how far from the middles of their nodes;
    `heads`: how wide the names of the groups are."""
    return _Layout(document, sizes, starts, ends, heads).run()
