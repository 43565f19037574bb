/* The chosen finding on the picture: which boxes bear which numbers, and which lines lead from one to
 * the next. Chains go back from the failing node: 1 fed it, 2 fed 1, the last one fixed the dimension. */

function noMarks() {
  return { badges: new Map(), steps: new Map(), failing: null };
}

/** badges: item id -> [{ text, chain }]; steps: "from>to" of nodes -> chain. */
function marksOf(model, finding) {
  const marks = noMarks();
  if (!finding) return marks;
  const count = model.nodes.length;
  const badge = (node, text, chain) => {
    const id = visibleFor(model.nodes[node]).id;
    const list = marks.badges.get(id) ?? [];
    if (!list.some((one) => one.text === text && one.chain === chain)) list.push({ text, chain });
    marks.badges.set(id, list);
  };
  if (valid(finding.node, count)) marks.failing = model.nodes[finding.node];
  (finding.chains ?? []).forEach((chain, c) => {
    const nodes = (chain.nodes ?? []).filter((node) => valid(node, count));
    nodes.forEach((node, k) => {
      const step = nodes[0] === finding.node ? k : k + 1;
      if (step > 0) badge(node, String(step), c);
      if (k > 0) marks.steps.set(`${node}>${nodes[k - 1]}`, c);
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
