/* Shapes as they are at one place of the slider: 0 is what is known without running, k is run k.
 * A run names only the nodes whose shapes differ from the static ones. */

function shapesAt(model, step) {
  const run = step > 0 ? model.doc.runs?.[step - 1] : undefined;
  return new Map(Object.entries(run?.shapes ?? {}).map(([node, shapes]) => [Number(node), shapes]));
}

/** What the painter and the panel ask: shape(node, output), bytes(node, output), changed(node). */
function lensAt(model, step) {
  const now = shapesAt(model, step);
  const before = shapesAt(model, step - 1);
  const output = (node, k) => model.doc.nodes[node].outputs?.[k];
  const shape = (node, k) => now.get(node)?.[k] ?? output(node, k)?.shape ?? "";
  const earlier = (node, k) => before.get(node)?.[k] ?? output(node, k)?.shape ?? "";
  const bytes = (node, k) => {
    if (!now.has(node)) return output(node, k)?.bytes ?? null;
    return bytesOfShape(shape(node, k), output(node, k)?.dtype) ?? output(node, k)?.bytes ?? null;
  };
  const changedOutput = (node, k) => step > 0 && shape(node, k) !== earlier(node, k);
  const changed = (node) => step > 0 && (now.has(node) || before.has(node))
    && (model.doc.nodes[node].outputs ?? []).some((_, k) => changedOutput(node, k));
  return { step, shape, bytes, changed, changedOutput };
}

function runName(model, step) {
  if (step === 0) return "before any run: shapes in symbols";
  const run = model.doc.runs[step - 1];
  const first = run.first + 1;
  const which = run.count > 1 ? `runs ${wholeNumber(first)} to ${wholeNumber(run.first + run.count)}` : `run ${wholeNumber(first)}`;
  const feeds = Object.entries(run.feeds ?? {}).map(([name, shape]) => `${shorten(plain(name), 24)} ${plain(shape)}`);
  return feeds.length > 0 ? `${which}: ${shorten(feeds.join(", "), 80)}` : which;
}

/** The longest shape text that an output ever has: boxes keep their size while the slider moves. */
function widestShapes(model) {
  const widest = new Map();
  for (const run of model.doc.runs ?? []) {
    for (const [node, shapes] of Object.entries(run.shapes ?? {})) {
      const first = String(shapes[0] ?? "");
      if (first.length > (widest.get(Number(node)) ?? "").length) widest.set(Number(node), first);
    }
  }
  return widest;
}
