/* Where the direct children of an open group stand, relative to its top left corner. Each group is laid
 * out alone, from the inside out, and only when it is open; a result is kept until something in it
 * opens or closes. Ranks go down. */

const BOX = { header: 30, pad: 18, gap: 22, rankGap: 40, port: 8 };
const DAGRE_ITEMS = 150;
const DAGRE_BUNDLES = 260;
const AT_ONCE = 700; // where more items than that are laid out in one go, dagre gets the small groups only
const DAGRE_ITEMS_THEN = 40;

function sizeOf(model, item, context) {
  if (isGroup(item) && item.open) {
    return { width: item.layout.width, height: item.layout.height };
  }
  const card = cardOf(model, item, context);
  if (card.callout === null) return { width: card.width, height: card.height };
  return { width: card.width + CALLOUT.gap + card.callout.width, height: Math.max(card.height, card.callout.height) };
}

/** Ports stand on the border: hidden nodes above and below everything hold them there, the others loosely. */
function pinPorts(graph, boxes, pairs, ports) {
  const fed = new Set(pairs.map((pair) => pair[1]));
  const used = new Set(pairs.map((pair) => pair[0]));
  const sides = new Set([...ports.values()].map((port) => port.side));
  if (sides.has("in")) graph.setNode("top", { width: 1, height: 1 });
  if (sides.has("out")) graph.setNode("bottom", { width: 1, height: 1 });
  boxes.forEach((_, i) => {
    const tie = { weight: ports.has(i) ? 3 : 0, minlen: 1, width: 0, height: 0 };
    if (sides.has("in") && !fed.has(i)) graph.setEdge("top", String(i), { ...tie });
    if (sides.has("out") && !used.has(i)) graph.setEdge(String(i), "bottom", { ...tie });
  });
}

function placeWithDagre(boxes, pairs, labels, ports) {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ nodesep: BOX.gap, edgesep: 14, ranksep: BOX.rankGap, ranker: "network-simplex" });
  graph.setDefaultEdgeLabel(() => ({}));
  boxes.forEach((box, i) => graph.setNode(String(i), { width: box.width, height: box.height }));
  pairs.forEach(([a, b], k) => graph.setEdge(String(a), String(b),
    { width: labels[k] + 6, height: labels[k] > 0 ? 14 : 0, labelpos: "c", weight: 1 }));
  pinPorts(graph, boxes, pairs, ports);
  dagre.layout(graph);
  const centre = boxes.map((_, i) => graph.node(String(i)));
  const edges = pairs.map(([a, b]) => graph.edge(String(a), String(b)));
  return { centre, middles: edges.map((edge) => edge.points.slice(1, -1)), labels: edges.map((edge) => ({ x: edge.x, y: edge.y })) };
}

/** Boxes that no line touches stand in a grid under the rest; else they would make one endless row. */
function placeLonely(boxes, lonely, centre, left, top, width) {
  let x = left;
  let y = top;
  let tallest = 0;
  const room = Math.max(width, 900);
  for (const i of lonely) {
    if (x > left && x + boxes[i].width > left + room) { x = left; y += tallest + BOX.gap; tallest = 0; }
    centre[i] = { x: x + boxes[i].width / 2, y: y + boxes[i].height / 2 };
    x += boxes[i].width + BOX.gap;
    tallest = Math.max(tallest, boxes[i].height);
  }
}

function extent(boxes, centre, list) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const i of list) {
    box.left = Math.min(box.left, centre[i].x - boxes[i].width / 2);
    box.right = Math.max(box.right, centre[i].x + boxes[i].width / 2);
    box.top = Math.min(box.top, centre[i].y - boxes[i].height / 2);
    box.bottom = Math.max(box.bottom, centre[i].y + boxes[i].height / 2);
  }
  return box;
}

/** Items and ports of a group as numbered boxes, and its bundles as pairs of numbers. */
function numbered(model, group, bundles, context) {
  const boxes = group.children.map((item) => sizeOf(model, item, context));
  const number = new Map(group.children.map((item, i) => [item.id, i]));
  const ports = new Map();
  const portNumber = (side, key) => {
    const name = `${side} ${key}`;
    if (!number.has(name)) {
      number.set(name, boxes.length);
      ports.set(boxes.length, { side, key });
      boxes.push({ width: BOX.port, height: BOX.port });
    }
    return number.get(name);
  };
  const pairs = bundles.map((bundle) => [
    bundle.from ? number.get(bundle.from.id) : portNumber("in", bundle.fromPort),
    bundle.to ? number.get(bundle.to.id) : portNumber("out", bundle.toPort)]);
  return { boxes, pairs, ports };
}

/** Entry ports stand before, exit ports after all items in the order that the fast placement reads. */
function placeLarge(boxes, pairs, ports) {
  const rank = (i) => (ports.get(i)?.side === "in" ? -1 : ports.get(i)?.side === "out" ? 1 : 0);
  const order = [...boxes.keys()].sort((a, b) => rank(a) - rank(b) || a - b);
  const place = new Int32Array(boxes.length);
  order.forEach((i, k) => { place[i] = k; });
  const moved = placeFast(order.map((i) => boxes[i]), pairs.map(([a, b]) => [place[a], place[b]]), BOX.gap, BOX.rankGap + 14);
  return { centre: boxes.map((_, i) => moved.centre[place[i]]), middles: moved.middles, labels: pairs.map(() => null) };
}

/** Inner groups first, in a loop: scopes nest deeper than a stack may. */
function layoutOf(model, root, context) {
  if (root.layout !== null) return root.layout;
  const missing = [root];
  for (let k = 0; k < missing.length; k++) {
    for (const child of missing[k].children) if (isGroup(child) && child.open && child.layout === null) missing.push(child);
  }
  const items = missing.reduce((sum, group) => sum + group.children.length, 0);
  const most = items > AT_ONCE ? DAGRE_ITEMS_THEN : DAGRE_ITEMS;
  for (const group of missing.reverse()) group.layout = placeGroup(model, group, context, most);
  return root.layout;
}

function placeGroup(model, group, context, most) {
  const bundles = bundlesOf(model, group);
  const { boxes, pairs, ports } = numbered(model, group, bundles, context);
  const touched = new Set(pairs.flat());
  const placed = [...boxes.keys()].filter((i) => touched.has(i));
  const lonely = [...boxes.keys()].filter((i) => !touched.has(i));
  // A child that is alone needs no library: scopes within scopes are many.
  const small = group.children.length > 1 && placed.length <= most && bundles.length <= DAGRE_BUNDLES && !context.fast;
  const dense = new Map(placed.map((i, k) => [i, k]));
  const seen = bundles.map((bundle) => (bundle.from && bundle.to ? labelRoom(model, bundle, context) : 0));
  const args = [placed.map((i) => boxes[i]), pairs.map(([a, b]) => [dense.get(a), dense.get(b)])];
  const densePorts = new Map([...ports].map(([i, port]) => [dense.get(i), port]));
  const done = small ? placeWithDagre(...args, seen, densePorts) : placeLarge(...args, densePorts);
  const centre = boxes.map(() => ({ x: 0, y: 0 }));
  placed.forEach((i, k) => { centre[i] = done.centre[k]; });
  const main = placed.length > 0 ? extent(boxes, centre, placed) : { left: 0, top: 0, right: 0, bottom: -BOX.gap };
  placeLonely(boxes, lonely, centre, main.left, main.bottom + BOX.gap, main.right - main.left);
  const middles = done.middles;
  const whole = extent(boxes, centre, [...boxes.keys()]);
  for (const point of middles.flat()) {
    whole.left = Math.min(whole.left, point.x - 6);
    whole.right = Math.max(whole.right, point.x + 6);
  }
  return finish(model, group, { bundles, boxes, pairs, ports, centre, middles, labels: done.labels, whole });
}

function labelRoom(model, bundle, context) {
  const label = bundleLabel(model, bundle, context.lens).text;
  if (bundle.tensors.size !== 1 || label === "") return label === "" ? 0 : textWidth(label, FONTS.label);
  const wide = context.widest.get(model.edges.from[bundle.edges[0]]) ?? "";
  return textWidth(wide.length > label.length ? shorten(plain(wide), 26) : label, FONTS.label);
}

/** Moves everything to the group's own corner, pins ports to its border and draws the lines' ends. */
function finish(model, group, raw) {
  const { whole, boxes, centre, ports } = raw;
  const titleRoom = group.parent === null ? 0 : textWidth(headline(group), FONTS.group) + BOX.pad * 2;
  const width = Math.max(whole.right - whole.left + BOX.pad * 2, titleRoom);
  const height = whole.bottom - whole.top + BOX.pad * 2 + BOX.header;
  const dx = (width - (whole.right - whole.left)) / 2 - whole.left;
  const dy = BOX.pad + BOX.header - whole.top;
  const places = new Map();
  const pins = new Map();
  boxes.forEach((box, i) => {
    const at = { x: centre[i].x + dx, y: centre[i].y + dy };
    const port = ports.get(i);
    if (port) pins.set(`${port.side} ${port.key}`, pinOf(port, at, width, height, titleRoom));
    else places.set(group.children[i].id, { x: at.x - box.width / 2, y: at.y - box.height / 2, ...box });
  });
  const layout = { width, height, places, pins, wires: [] };
  const landings = new Map();
  raw.bundles.forEach((bundle, k) => {
    const middle = raw.middles[k].map((point) => ({ x: point.x + dx, y: point.y + dy }));
    const label = raw.labels[k] === null ? null : { x: raw.labels[k].x + dx, y: raw.labels[k].y + dy };
    let first = true;
    for (const wire of bundle.wires.values()) {
      const points = routed(layout, bundle, wire, middle, landings);
      layout.wires.push({ bundle, wire, points, label: first && bundle.from && bundle.to ? label : null, bare: label === null && first });
      first = false;
    }
  });
  spread(layout, landings);
  for (const wire of layout.wires) passCallout(layout, wire.bundle.from, wire.points);
  labelEnds(layout);
  return layout;
}

/** Lines of the fast placement pass under boxes: their label stands at an end that is theirs alone. */
function labelEnds(layout) {
  const count = (side) => layout.wires.reduce((map, { bundle }) => map.set(bundle[side], (map.get(bundle[side]) ?? 0) + 1), new Map());
  const into = count("to");
  const outOf = count("from");
  for (const wire of layout.wires) {
    const { bundle, points, bare } = wire;
    if (!bare || bundle.from === null || bundle.to === null) continue;
    const end = points[points.length - 1];
    if (into.get(bundle.to) === 1) wire.label = { x: end.x, y: end.y - 18 };
    else if (outOf.get(bundle.from) === 1) wire.label = { x: points[0].x, y: points[0].y + 14 };
  }
}

/** Lines that end on the same side of a box stand apart there, in the order in which they come. */
function spread(layout, landings) {
  for (const ends of landings.values()) {
    if (ends.length < 2) continue;
    const body = bodyOf(ends[0].item, layout.places.get(ends[0].item.id));
    const step = Math.min(24, (body.width * 0.76) / (ends.length - 1));
    ends.sort((a, b) => a.from - b.from);
    ends.forEach((end, k) => { end.point.x = body.x + body.width / 2 + (k - (ends.length - 1) / 2) * step; });
  }
}

/** Lines from a box with a callout beside it first go down past the callout: they would hide behind it. */
function passCallout(layout, item, points) {
  if (item === null || item.open || !item.card?.callout) return;
  const place = layout.places.get(item.id);
  const bottom = place.y + place.height;
  const [start, next] = points;
  if (next.y > bottom && start.y > place.y) points.splice(1, 0, { x: start.x, y: bottom + 3 });
}

/** A line through the upper border keeps clear of the title, where there is room beside it. */
function pinOf(port, at, width, height, titleRoom) {
  if (port.side === "out") return { x: at.x, y: height, inner: { x: at.x, y: at.y } };
  const x = titleRoom < width * 0.7 ? Math.max(at.x, titleRoom) : at.x;
  return { x, y: 0, inner: { x: at.x, y: at.y } };
}

function headline(group) {
  const kind = KIND_WORDS[group.kind];
  return kind === "" || group.kind === "part" ? shorten(group.title, 40) : `${shorten(group.title, 40)} \u00b7 ${kind}`;
}

/** The place of an item's own box: beside it may stand a callout, which no line starts from. */
function bodyOf(item, place) {
  const card = item.card;
  if (item.open || !card?.callout) return place;
  return { x: place.x, y: place.y, width: card.width, height: card.height };
}

/** One end of a line: on the port of an open group, else on the upper or lower side of a box. */
function endAt(layout, item, port, side, toward, landings) {
  const place = layout.places.get(item.id);
  const body = bodyOf(item, place);
  if (item.open && port !== "") {
    const pin = item.layout.pins.get(`${side} ${port}`);
    if (pin) return { x: place.x + pin.x, y: place.y + pin.y };
  }
  const middle = body.x + body.width / 2;
  const lean = Math.max(-0.3, Math.min(0.3, (toward.x - middle) / (body.width * 2.2)));
  const below = toward.y > body.y + body.height / 2;
  const point = { x: middle + lean * body.width, y: below ? body.y + body.height : body.y };
  const key = `${item.id} ${below}`;
  if (!landings.has(key)) landings.set(key, []);
  landings.get(key).push({ item, point, from: toward.x });
  return point;
}

function routed(layout, bundle, wire, middle, landings) {
  const entry = bundle.from === null ? layout.pins.get(`in ${bundle.fromPort}`) : null;
  const exit = bundle.to === null ? layout.pins.get(`out ${bundle.toPort}`) : null;
  const centreOf = (item) => {
    const body = bodyOf(item, layout.places.get(item.id));
    return { x: body.x + body.width / 2, y: body.y + body.height / 2 };
  };
  const firstGoal = middle[0] ?? (exit ? exit.inner : centreOf(bundle.to));
  const lastGoal = middle[middle.length - 1] ?? (entry ? entry.inner : centreOf(bundle.from));
  const start = entry ? [{ x: entry.x, y: entry.y }, entry.inner] : [endAt(layout, bundle.from, wire.start, "out", firstGoal, landings)];
  const end = exit ? [exit.inner, { x: exit.x, y: exit.y }] : [endAt(layout, bundle.to, wire.end, "in", lastGoal, landings)];
  return [...start, ...middle, ...end];
}

/** Opens or closes a group; only it and what holds it must be laid out again, unless lines from everywhere into it
 * come or go. */
function setOpen(group, open) {
  if (group.open === open) return;
  group.open = open;
  const above = ancestors(group);
  for (const item of above) item.layout = null;
  if (group.aside !== group) return;
  const all = [above[above.length - 1]];
  for (let k = 0; k < all.length; k++) {
    all[k].layout = null;
    for (const child of all[k].children) if (isGroup(child)) all.push(child);
  }
}
