/* The document as a tree of items (groups and nodes) and the tensors between them.
 *
 * An item: { id, kind, index, name, title, parent, depth, children, open, order } with kind "node",
 * "scope", "while", "cond", "function" or "part". A group of very many children is cut into parts, so
 * that no layout is ever large. Positions belong to layout.js, which fills item.layout. */

const PART_ABOVE = 60; // more direct children than that are cut into parts
const PART_SIZE = 10; // at least, where names tell nothing
const PARTS_AT_MOST = 24; // of one level: more could not be read in one window

function makeItem(id, kind, index, name) {
  return { id, kind, index, name, title: titled(lastPart(name)), parent: null, depth: 0, children: [],
    open: false, order: 0, size: 0, layout: null, links: null, card: null, totals: null,
    aside: null };
}

function titled(name) {
  return plain(name) || "(no name)";
}

function isGroup(item) {
  return item.kind !== "node";
}

function valid(index, count) {
  return Number.isInteger(index) && index >= 0 && index < count;
}

/** Edges as arrays; an edge that names no node of the document is left out. */
function readEdges(doc) {
  const kept = (doc.edges ?? []).filter((e) => valid(e.from, doc.nodes.length) && valid(e.to, doc.nodes.length));
  return {
    count: kept.length,
    from: Int32Array.from(kept, (e) => e.from),
    to: Int32Array.from(kept, (e) => e.to),
    output: Int32Array.from(kept, (e) => (e.control ? -1 : e.output ?? 0)),
    input: Int32Array.from(kept, (e) => (e.control ? -1 : e.input ?? 0)),
  };
}

/** Place of each node in a topological order; where there are cycles (loops), the document's order. */
function topologicalOrder(count, edges) {
  const waits = new Int32Array(count);
  const starts = new Int32Array(count + 1);
  for (let e = 0; e < edges.count; e++) { waits[edges.to[e]] += 1; starts[edges.from[e] + 1] += 1; }
  for (let n = 0; n < count; n++) starts[n + 1] += starts[n];
  const next = new Int32Array(edges.count);
  const fill = starts.slice();
  for (let e = 0; e < edges.count; e++) next[fill[edges.from[e]]++] = edges.to[e];
  const place = new Int32Array(count).fill(-1);
  let done = 0;
  const visit = (first) => {
    const queue = [first];
    for (let head = 0; head < queue.length; head++) {
      const node = queue[head];
      place[node] = done++;
      for (let k = starts[node]; k < starts[node + 1]; k++) {
        waits[next[k]] -= 1;
        if (waits[next[k]] === 0 && place[next[k]] < 0) queue.push(next[k]);
      }
    }
  };
  for (let n = 0; n < count; n++) if (waits[n] === 0 && place[n] < 0) visit(n);
  for (let n = 0; n < count; n++) if (place[n] < 0) visit(n);
  return place;
}

function adopt(parent, child) {
  child.parent = parent;
  parent.children.push(child);
}

function readGroups(doc, root) {
  const items = [];
  (doc.groups ?? []).forEach((group, index) => {
    const kind = ["while", "cond", "function"].includes(group.kind) ? group.kind : "scope";
    const item = makeItem(`g${index}`, kind, index, String(group.path ?? group.name));
    item.title = titled(group.name);
    items.push(item);
    adopt(valid(group.parent, index) ? items[group.parent] : root, item);
  });
  return items;
}

/** Runs of neighbours whose names begin alike (conv2_block1_1_conv, conv2_block1_1_bn: "conv2_block1"), told by
 * so many words of them; what shares its beginning with no neighbour belongs to the run before it. */
function runsOf(children, words) {
  const startOf = (item) => item.title.split("_").slice(0, words).join("_");
  const shared = new Map();
  for (const item of children) if (item.title.split("_").length > words) shared.set(startOf(item), (shared.get(startOf(item)) ?? 0) + 1);
  const runs = [];
  for (const item of children) {
    const start = startOf(item);
    const known = (shared.get(start) ?? 0) > 1 ? start : null;
    const run = runs[runs.length - 1];
    if (run && (known === null || run.start === known)) run.items.push(item);
    else if (run && run.start === null) { run.start = known; run.items.push(item); }
    else runs.push({ start: known, items: [item] });
  }
  return runs;
}

/** Pieces of like size, in order: for names that tell nothing. */
function slicesOf(children) {
  const count = Math.min(PARTS_AT_MOST, Math.ceil(children.length / Math.max(PART_SIZE, Math.sqrt(children.length))));
  return Array.from({ length: count }, (_, k) => ({ start: null,
    items: children.slice(Math.floor((k * children.length) / count), Math.floor(((k + 1) * children.length) / count)) }));
}

/** Runs by name where they are about as many as each has members; a run of one is no part. */
function piecesOf(children) {
  const even = Math.sqrt(children.length);
  const unevenness = (runs) => Math.abs(Math.log(runs.length / even));
  const fitting = [1, 2, 3].map((words) => runsOf(children, words)).filter((runs) => runs.length >= 3
    && runs.length <= PARTS_AT_MOST && Math.max(...runs.map((run) => run.items.length)) <= children.length / 2);
  return fitting.sort((a, b) => unevenness(a) - unevenness(b))[0] ?? slicesOf(children);
}

function partTitle({ start, items }) {
  return start ?? `${shorten(items[0].title, 18)} \u2026 ${shorten(items[items.length - 1].title, 18)}`;
}

/** Cuts very many children into parts that are named for what is in them; parts again where they are large. */
function cutIntoParts(group, parts) {
  const waiting = [group];
  while (waiting.length > 0) {
    const whole = waiting.pop();
    if (whole.children.length <= PART_ABOVE) continue;
    const pieces = piecesOf(whole.children);
    whole.children = [];
    for (const piece of pieces) {
      if (piece.items.length === 1) { adopt(whole, piece.items[0]); continue; }
      const title = partTitle(piece);
      const item = makeItem(`p${parts.length}`, "part", parts.length, group.name ? `${group.name}/${title}` : title);
      item.title = title;
      for (const child of piece.items) adopt(item, child);
      item.order = item.children[0].order;
      parts.push(item);
      adopt(whole, item);
      waiting.push(item);
    }
  }
}

/** The node of the variable that a group is about, or null. */
function variableOf(model, item) {
  if (item.kind !== "scope" || item.index < 0) return null;
  const number = model.doc.groups[item.index].variable;
  return valid(number, model.nodes.length) ? model.doc.nodes[number] : null;
}

/** Is a group begun closed: the insides of a variable, or what is of training only? */
function isFolded(model, item) {
  return item.kind === "scope" && item.index >= 0
    && (Boolean(model.doc.groups[item.index].folded) || variableOf(model, item) !== null);
}

/** Lines into closed groups of training, and into what only waits for others, come from everywhere: none is drawn. */
function isAsideEdge(model, e) {
  const from = model.nodes[model.edges.from[e]].aside;
  const to = model.nodes[model.edges.to[e]].aside;
  return from !== to && ((from !== null && !from.open) || (to !== null && !to.open));
}

/** Gives nodes what they are aside in: the folded group above them; an `init` that nobody uses is aside by itself. */
function setAside(model) {
  const used = new Uint8Array(model.nodes.length);
  for (let e = 0; e < model.edges.count; e++) used[model.edges.from[e]] = 1;
  for (const group of model.groups) if (model.doc.groups[group.index].folded) group.aside = group;
  for (const item of model.nodes) {
    const node = model.doc.nodes[item.index];
    item.aside = ancestors(item).find((group) => group.aside === group)
      ?? (node.op === "NoOp" && (node.outputs ?? []).length === 0 && !used[item.index] ? item : null);
  }
}

/** Order, depth and number of nodes of all items below `root`, without recursion: names nest deeply. */
function settle(root, parts) {
  const all = [root];
  for (let k = 0; k < all.length; k++) for (const child of all[k].children) if (isGroup(child)) all.push(child);
  for (const group of [...all].reverse()) {
    group.size = 0;
    group.order = group === root ? 0 : Infinity;
    for (const child of group.children) {
      group.size += isGroup(child) ? child.size : 1;
      group.order = Math.min(group.order, child.order);
    }
  }
  for (const group of all) {
    group.children = group.children.filter((child) => !isGroup(child) || child.size > 0);
    group.children.sort((a, b) => a.order - b.order);
    cutIntoParts(group, parts);
  }
  const queue = [root];
  for (let k = 0; k < queue.length; k++) {
    for (const child of queue[k].children) {
      child.depth = queue[k].depth + 1;
      if (isGroup(child)) queue.push(child);
    }
  }
  for (const group of queue.reverse()) {
    group.size = group.children.reduce((sum, child) => sum + (isGroup(child) ? child.size : 1), 0);
  }
}

function buildModel(doc) {
  const edges = readEdges(doc);
  const root = makeItem("root", "scope", -1, "");
  root.title = plain(doc.title ?? doc.script ?? "graph");
  root.open = true;
  const groups = readGroups(doc, root);
  const order = topologicalOrder(doc.nodes.length, edges);
  const nodes = doc.nodes.map((node, index) => {
    const item = makeItem(`n${index}`, "node", index, String(node.name ?? ""));
    item.order = order[index];
    adopt(valid(node.group, groups.length) ? groups[node.group] : root, item);
    return item;
  });
  const parts = [];
  settle(root, parts);
  root.links = Int32Array.from({ length: edges.count }, (_, e) => e);
  const byId = new Map([root, ...groups, ...nodes, ...parts].map((item) => [item.id, item]));
  const held = new Uint8Array(nodes.length);
  const model = { doc, edges, root, groups, nodes, parts, byId, held, inputs: null, consumers: null };
  setAside(model);
  for (const item of nodes) if (ancestors(item).some((group) => variableOf(model, group))) held[item.index] = 1;
  return model;
}

/** The child of `group` that holds `item`, or null where it lies outside. */
function childHolding(group, item) {
  let at = item;
  while (at !== null && at.depth > group.depth + 1) at = at.parent;
  return at !== null && at.parent === group ? at : null;
}

function ancestors(item) {
  const out = [];
  for (let at = item.parent; at !== null; at = at.parent) out.push(at);
  return out;
}

/** Gives each child its part of its parent's edges: those that touch something inside it. */
function shareLinks(model, parent) {
  const lists = new Map(parent.children.filter(isGroup).map((child) => [child, []]));
  for (const e of parent.links) {
    const a = childHolding(parent, model.nodes[model.edges.from[e]]);
    const b = childHolding(parent, model.nodes[model.edges.to[e]]);
    lists.get(a)?.push(e);
    if (b !== a) lists.get(b)?.push(e);
  }
  for (const [child, list] of lists) child.links = Int32Array.from(list);
}

/** Edges that touch something inside a group. One pass over the parent's serves all its children. */
function linksOf(model, group) {
  const path = [];
  for (let at = group; at.links === null; at = at.parent) path.push(at);
  for (const item of path.reverse()) if (item.links === null) shareLinks(model, item.parent);
  return group.links;
}

/** Edges into and out of each node, made when first asked for. */
function neighbours(model) {
  if (model.inputs === null) {
    model.inputs = new Map();
    model.consumers = new Map();
    const add = (map, key, e) => (map.has(key) ? map.get(key).push(e) : map.set(key, [e]));
    for (let e = 0; e < model.edges.count; e++) {
      add(model.inputs, model.edges.to[e], e);
      add(model.consumers, model.edges.from[e], e);
    }
  }
  return { inputs: model.inputs, consumers: model.consumers };
}

/** Sums over the nodes of a group: parameters, FLOPs, bytes; unknown ones are counted, not guessed. A variable's
 * slots are no parameters of the model. */
function totalsOf(model, group) {
  if (group.totals !== null) return group.totals;
  const totals = { nodes: 0, parameters: 0, flops: 0, bytes: 0, held: 0, unknownFlops: 0, unknownBytes: 0 };
  const stack = [group];
  while (stack.length > 0) {
    const item = stack.pop();
    if (isGroup(item)) {
      stack.push(...item.children);
      if (!ancestors(item).some((above) => variableOf(model, above))) totals.parameters += variableOf(model, item)?.parameters ?? 0;
      continue;
    }
    const node = model.doc.nodes[item.index];
    totals.nodes += 1;
    if (!model.held[item.index]) totals.parameters += node.parameters ?? 0;
    totals.held += node.held ?? 0; // bytes at the peak of the largest step, where they were asked for
    if (typeof node.flops === "number") totals.flops += node.flops; else totals.unknownFlops += 1;
    for (const output of node.outputs ?? []) {
      if (typeof output.bytes === "number") totals.bytes += output.bytes; else totals.unknownBytes += 1;
    }
  }
  group.totals = totals;
  return totals;
}

function placeOf(model, source) {
  const file = source ? model.doc.files?.[source.file] : undefined;
  if (!file) return null;
  const line = String(source.line);
  return { path: plain(file.path), line, code: Object.hasOwn(file.lines ?? {}, line) ? String(file.lines[line]) : "" };
}
