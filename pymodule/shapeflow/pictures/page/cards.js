/* What is written on a node or a closed group, and how large that makes it. Sizes are those of the
 * widest text over all runs: a picture that jumps while the slider moves cannot be compared. */

const FONT_FACE = '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif';
const MONO_FACE = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';
const FONTS = {
  strong: `600 13px ${FONT_FACE}`, soft: `11px ${FONT_FACE}`, shape: `11.5px ${MONO_FACE}`,
  label: `10.5px ${MONO_FACE}`, group: `600 12.5px ${FONT_FACE}`, badge: `700 11px ${FONT_FACE}`,
};
const LINE = 16;
const CARD = { padX: 12, padY: 8, min: 76, max: 280 };
const CALLOUT = { gap: 14, width: 300, columns: 46, lines: 7 };
const KIND_WORDS = { while: "while loop", cond: "cond", function: "tf.function", part: "part", scope: "" };

const measuring = document.createElement("canvas").getContext("2d");

function textWidth(text, font) {
  measuring.font = font;
  return measuring.measureText(text).width;
}

function shapeLine(shape, dtype, others) {
  const more = others > 0 ? `  +${others}` : "";
  return `${shorten(plain(shape), 26)} ${shorten(plain(dtype), 14)}${more}`;
}

function nodeLines(model, item, widest) {
  const node = model.doc.nodes[item.index];
  const op = shorten(plain(node.op), 28);
  const lines = [{ style: "strong", text: op }];
  const title = shorten(item.title, 32);
  if (title !== op) lines.push({ style: "soft", text: title });
  const outputs = node.outputs ?? [];
  if (outputs.length > 0) {
    const wide = widest.get(item.index) ?? "";
    const text = shapeLine(outputs[0].shape, outputs[0].dtype, outputs.length - 1);
    lines.push({ style: "shape", text, room: shapeLine(wide, outputs[0].dtype, outputs.length - 1) });
  }
  if (typeof node.parameters === "number") {
    lines.push({ style: "soft", text: `${plural(node.parameters, "parameter")}${node.trainable === false ? ", fixed" : ""}` });
  }
  return lines;
}

function groupLines(model, item) {
  const totals = totalsOf(model, item);
  const kind = KIND_WORDS[item.kind];
  const lines = [{ style: "group", text: shorten(item.title, 34), room: `+ ${shorten(item.title, 34)}` }];
  if (kind !== "" && item.kind !== "part") lines.push({ style: "soft", text: kind });
  lines.push({ style: "soft", text: plural(totals.nodes, "node") });
  if (totals.parameters > 0) lines.push({ style: "soft", text: plural(totals.parameters, "parameter") });
  return lines;
}

function callout(finding) {
  const lines = wrapped(plainLines(finding.message), CALLOUT.columns, CALLOUT.lines);
  if (finding.fix) lines.push(`Fix: ${shorten(plain(finding.fix.title), CALLOUT.columns - 5)}`);
  return { head: `${finding.error ? "error" : "warning"} ${plain(finding.code)}`, lines, error: Boolean(finding.error),
    width: CALLOUT.width, height: CARD.padY * 2 + LINE * (lines.length + 1), fix: Boolean(finding.fix) };
}

/** The card of an item: its lines, and the size of the box they need. */
function cardOf(model, item, context) {
  if (item.card !== null) return item.card;
  const lines = isGroup(item) ? groupLines(model, item) : nodeLines(model, item, context.widest);
  const need = lines.map((line) => Math.max(textWidth(line.text, FONTS[line.style]),
    line.room ? textWidth(line.room, FONTS[line.style]) : 0));
  const width = Math.min(CARD.max, Math.max(CARD.min, ...need.map((w) => w + CARD.padX * 2)));
  const height = lines.length * LINE + CARD.padY * 2;
  const finding = isGroup(item) ? undefined : context.findingOf.get(item.index);
  item.card = { lines, width: Math.ceil(width), height, callout: finding ? callout(finding) : null };
  return item.card;
}
