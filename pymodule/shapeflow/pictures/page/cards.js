/* What is written on a node or a closed group, and how large that makes it. Sizes are those of the
 * widest text over all runs: a picture that jumps while the slider moves cannot be compared. */

const FONT_FACE = '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif';
const MONO_FACE = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';
const FONTS = {
  strong: `600 13px ${FONT_FACE}`, soft: `11px ${FONT_FACE}`, shape: `11.5px ${MONO_FACE}`,
  told: `12.5px ${FONT_FACE}`, label: `10.5px ${MONO_FACE}`, wrong: `700 11.5px ${MONO_FACE}`,
  flag: `600 11.5px ${FONT_FACE}`, group: `600 12.5px ${FONT_FACE}`, badge: `700 11px ${FONT_FACE}`,
};
const LINE = 16;
const CARD = { padX: 12, padY: 8, min: 76, max: 280, failing: 420 };
const CALLOUT = { gap: 14, width: 320, columns: 46, lines: 7 };
const ATTRS = { columns: 36, lines: 2 }; // of a card
const OPERANDS = 5; // that a failing card shows
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

/** `padding VALID   strides [1, 2, 2, 1]` in few lines: the mistake is often there. */
function attrLines(node) {
  const lines = [];
  for (const [name, value] of Object.entries(node.attrs ?? {})) {
    const text = shorten(plain(`${name} ${value}`), ATTRS.columns);
    const last = lines.length - 1;
    if (last >= 0 && lines[last].length + 3 + text.length <= ATTRS.columns) lines[last] += `   ${text}`;
    else if (lines.length === ATTRS.lines) { lines[last] += " \u2026"; break; }
    else lines.push(text);
  }
  return lines.map((text) => ({ style: "soft", text }));
}

/** An operand as the program has it, else by its name in the op. */
function operandName(operand) {
  return plain(operand.expression ?? operand.name);
}

/** What the failing op was given: a name, a shape with its wrong dims, its content where that is known. */
function operandLines(finding) {
  const all = finding.operands ?? [];
  const lines = all.slice(0, OPERANDS).map((operand) => {
    const parts = [{ text: `${shorten(operandName(operand), 34)}  `, wrong: false },
      ...shapeParts(shorten(plain(operand.shape), 40), operand.axes)];
    if (operand.value) parts.push({ text: ` = ${shorten(plain(operand.value), 30)}`, wrong: false });
    return { style: "shape", text: parts.map((part) => part.text).join(""), parts };
  });
  if (all.length > OPERANDS) lines.push({ style: "soft", text: `and ${plural(all.length - OPERANDS, "more operand")}` });
  return lines;
}

function nodeLines(model, item, widest, finding) {
  const node = model.doc.nodes[item.index];
  const op = shorten(plain(node.op), 28);
  const lines = [{ style: "strong", text: op }];
  const title = shorten(item.title, 32);
  if (title !== op) lines.push({ style: "soft", text: title });
  if (finding) return [...lines, ...operandLines(finding), ...attrLines(node)];
  const outputs = node.outputs ?? [];
  if (outputs.length > 0) {
    const wide = widest.get(item.index) ?? "";
    const text = shapeLine(outputs[0].shape, outputs[0].dtype, outputs.length - 1);
    lines.push({ style: "shape", text, lens: true, room: shapeLine(wide, outputs[0].dtype, outputs.length - 1) });
    if (outputs[0].value) lines.push({ style: "shape", text: `= ${shorten(plain(outputs[0].value), 30)}` });
  }
  lines.push(...attrLines(node));
  if (typeof node.parameters === "number") {
    lines.push({ style: "soft", text: `${plural(node.parameters, "parameter")}${node.trainable === false ? ", fixed" : ""}` });
  }
  return lines;
}

function groupLines(model, item, finding) {
  const totals = totalsOf(model, item);
  const kind = KIND_WORDS[item.kind];
  const lines = [{ style: "group", text: shorten(item.title, 34), room: `+ ${shorten(item.title, 34)}` }];
  if (finding) lines.push({ style: "flag", text: `${finding.error ? "error" : "warning"} ${plain(finding.code)} inside` });
  if (kind !== "" && item.kind !== "part") lines.push({ style: "soft", text: kind });
  const held = variableOf(model, item);
  if (held?.outputs?.length > 0) lines.push({ style: "shape", text: shapeLine(held.outputs[0].shape, held.outputs[0].dtype, 0) });
  else lines.push({ style: "soft", text: plural(totals.nodes, "node") });
  if (totals.parameters > 0) lines.push({ style: "soft", text: plural(totals.parameters, "parameter") });
  return lines;
}

function callout(model, finding) {
  const lines = wrapped(plainLines(finding.message), CALLOUT.columns, CALLOUT.lines);
  const place = placeOf(model, finding.place);
  if (place) lines.push(shorten(`${lastPart(place.path)}:${place.line}  ${plain(place.code.trim())}`, CALLOUT.columns));
  if (finding.fix) lines.push(`Fix: ${shorten(plain(finding.fix.title), CALLOUT.columns - 5)}`);
  return { head: `${finding.error ? "error" : "warning"} ${plain(finding.code)}`, lines, error: Boolean(finding.error),
    width: CALLOUT.width, height: CARD.padY * 2 + LINE * (lines.length + 1), fix: Boolean(finding.fix) };
}

/** The card of an item: its lines, and the size of the box they need. */
function cardOf(model, item, context) {
  if (item.card !== null) return item.card;
  const finding = isGroup(item) ? undefined : context.findingOf.get(item.index);
  const lines = isGroup(item) ? groupLines(model, item, context.failingGroups.get(item)) : nodeLines(model, item, context.widest, finding);
  const need = lines.map((line) => Math.max(textWidth(line.text, FONTS[line.style]),
    line.room ? textWidth(line.room, FONTS[line.style]) : 0));
  const width = Math.min(finding ? CARD.failing : CARD.max, Math.max(CARD.min, ...need.map((w) => w + CARD.padX * 2)));
  const height = lines.length * LINE + CARD.padY * 2;
  item.card = { lines, width: Math.ceil(width), height, callout: finding ? callout(model, finding) : null };
  return item.card;
}
