/* The edges of one open group, as they are drawn there: between its direct children and its own border.
 *
 * An edge whose ends lie deeper is lifted to the children that hold them; edges between the same two
 * are one bundle. An edge that leaves the group ends at a port on its border, one for each tensor (all
 * share one where there are many); the parent's picture goes on from the same port. */

const PORTS = 12; // more tensors than that through a border share one port

function tensorKey(model, e) {
  return `${model.edges.from[e]}:${model.edges.output[e]}`;
}

/** Tensors through the border of a group: { in: Set or null, out: Set or null }; null: one port for all. */
function portsOf(model, group) {
  if (group.ports) return group.ports;
  const ports = { in: new Set(), out: new Set() };
  if (group !== model.root) {
    for (const e of linksOf(model, group)) {
      const from = childHolding(group, model.nodes[model.edges.from[e]]);
      const to = childHolding(group, model.nodes[model.edges.to[e]]);
      if (from === null) ports.in.add(tensorKey(model, e));
      if (to === null) ports.out.add(tensorKey(model, e));
    }
  }
  for (const side of ["in", "out"]) if (ports[side].size > PORTS) ports[side] = null;
  group.ports = ports;
  return ports;
}

function portKey(model, group, side, e) {
  return portsOf(model, group)[side] === null ? "*" : tensorKey(model, e);
}

/** Bundles of a group: { key, from, to, fromPort, toPort, edges, wires }. from or to is null at the border. */
function bundlesOf(model, group) {
  const bundles = new Map();
  for (const e of linksOf(model, group)) {
    const from = childHolding(group, model.nodes[model.edges.from[e]]);
    const to = childHolding(group, model.nodes[model.edges.to[e]]);
    if (from === to || isAsideEdge(model, e)) continue;
    const fromPort = from === null ? portKey(model, group, "in", e) : "";
    const toPort = to === null ? portKey(model, group, "out", e) : "";
    const key = `${from?.id ?? `in ${fromPort}`}>${to?.id ?? `out ${toPort}`}`;
    let bundle = bundles.get(key);
    if (bundle === undefined) {
      bundle = { key, from, to, fromPort, toPort, edges: [], tensors: new Map(), wires: new Map() };
      bundles.set(key, bundle);
    }
    bundle.edges.push(e);
    bundle.tensors.set(tensorKey(model, e), e);
    const start = from?.open ? portKey(model, from, "out", e) : "";
    const end = to?.open ? portKey(model, to, "in", e) : "";
    const wire = `${start}>${end}`;
    if (!bundle.wires.has(wire)) bundle.wires.set(wire, { start, end, edges: [] });
    bundle.wires.get(wire).edges.push(e);
  }
  return [...bundles.values()];
}

/** What a bundle's label says under a lens, and whether a run changed it. */
function bundleLabel(model, bundle, lens) {
  const data = [...bundle.tensors.values()].filter((e) => model.edges.output[e] >= 0);
  if (data.length === 0) return { text: "", changed: false };
  const { from, output } = model.edges;
  const shapes = data.slice(0, 64).map((e) => lens.shape(from[e], output[e]));
  const changed = data.slice(0, 64).some((e) => lens.changedOutput(from[e], output[e]));
  const first = shorten(plain(shapes[0]), 26);
  if (data.length === 1) return { text: first, changed };
  if (data.length <= 64 && shapes.every((shape) => shape === shapes[0])) return { text: `${data.length} \u00d7 ${first}`, changed };
  return { text: `${wholeNumber(data.length)} tensors`, changed };
}

/** Largest tensor of some edges, in bytes; null where no size is known; -1 where all are control edges. */
function edgeBytes(model, edges, lens) {
  let largest = -1;
  for (const e of edges.length > 64 ? edges.slice(0, 64) : edges) {
    if (model.edges.output[e] < 0) continue;
    const bytes = lens.bytes(model.edges.from[e], model.edges.output[e]);
    if (bytes !== null) largest = Math.max(largest, bytes);
    else if (largest < 0) largest = null;
  }
  return largest;
}

/** Width of a line by bytes: 1 KiB is thin, 1 GiB is thick; unknown sizes are drawn thin. */
function wireWidth(bytes) {
  if (bytes === null || bytes <= 1024) return 1.2;
  return Math.min(7, 1.2 + (Math.log2(bytes) - 10) * 0.29);
}
