/* The chosen finding on the picture: which boxes bear which numbers, and which lines lead from one to
 * the next. Chains go back from the failing node: 1 fed it, 2 fed 1, the last one fixed the dimension. */

const CHAIN_COLOURS = 6;

/** Does a chain lead to a dim that is wrong? Where it is not known which ones are, all do. */
function isTelling(finding, { operand, axis }) {
  const told = (finding.operands ?? []).some((one) => one.axes?.length > 0);
  return !told || Boolean(finding.operands[operand]?.axes?.includes(axis));
}

/** Chains of a finding; dimensions that came the same way share one: { nodes, dims }. */
function chainsOf(finding) {
  const merged = new Map();
  const all = finding?.chains ?? [];
  const telling = all.filter((chain) => isTelling(finding, chain));
  for (const { nodes, operand, axis, dim } of telling.length > 0 ? telling : all) {
    const key = (nodes ?? []).join(" ");
    if (!merged.has(key)) merged.set(key, { nodes: nodes ?? [], dims: [] });
    merged.get(key).dims.push({ operand, axis, dim });
  }
  return [...merged.values()];
}

function noMarks() {
  return { badges: new Map(), steps: new Map(), failing: null };
}

/** badges: item id -> [{ text, chain }], of a closed group one for each chain; steps: "from>to" of nodes -> chain. */
function marksOf(model, finding) {
  const marks = noMarks();
  if (!finding) return marks;
  const count = model.nodes.length;
  const badge = (node, number, chain) => {
    const { id } = visibleFor(model.nodes[node]);
    if (!marks.badges.has(id)) marks.badges.set(id, []);
    const list = marks.badges.get(id);
    const known = list.find((one) => one.chain === chain);
    if (!known) { list.push({ text: String(number), chain, first: number }); return; }
    known.text = number === known.first ? known.text : `${known.first}\u2013${number}`;
  };
  if (valid(finding.node, count)) marks.failing = model.nodes[finding.node];
  chainsOf(finding).forEach((chain, c) => {
    const nodes = chain.nodes.filter((node) => valid(node, count));
    nodes.forEach((node, k) => {
      const number = nodes[0] === finding.node ? k : k + 1;
      if (number > 0) badge(node, number, c);
      const step = `${node}>${nodes[k - 1]}`;
      if (k > 0 && !marks.steps.has(step)) marks.steps.set(step, c);
    });
  });
  return marks;
}

function markWires(model, scene, marks) {
  const { from, to } = model.edges;
  for (const wire of scene.wires) {
    wire.chain = -1;
    if (marks.steps.size === 0) continue;
    for (const e of wire.edges) {
      const chain = marks.steps.get(`${from[e]}>${to[e]}`);
      if (chain !== undefined) wire.chain = chain;
    }
  }
}

/** Nodes that a reader of the finding wants to see. */
function nodesOfFinding(model, finding) {
  const chains = (finding.chains ?? []).flatMap((chain) => chain.nodes ?? []);
  return [...new Set([finding.node, ...chains])].filter((node) => valid(node, model.nodes.length));
}
