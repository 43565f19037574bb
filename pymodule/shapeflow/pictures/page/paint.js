/* Draws a scene on a canvas: only what is in view, and no more of it than can be seen at this scale. */

const DETAIL = { text: 0.5, label: 0.5, arrow: 0.3, curve: 0.2, card: 0.12, dot: 1.2 };

/** What all drawing functions need: canvas, colours, model, view, and the part of the picture in view. */
function makeBrush(ctx, colours, state, view, size, ratio) {
  const visible = { left: -view.x / view.scale, top: -view.y / view.scale,
    right: (size.width - view.x) / view.scale, bottom: (size.height - view.y) / view.scale };
  return { ctx, colours, state, scale: view.scale, visible, view, ratio, drawn: { boxes: 0, wires: 0, texts: 0 } };
}

function inView(brush, left, top, right, bottom) {
  const v = brush.visible;
  return left <= v.right && right >= v.left && top <= v.bottom && bottom >= v.top;
}

function write(brush, text, x, y, font, colour, room) {
  const { ctx } = brush;
  ctx.font = font;
  ctx.fillStyle = colour;
  if (room === undefined) ctx.fillText(text, x, y); else ctx.fillText(text, x, y, room);
  brush.drawn.texts += 1;
}

/** A line's text and width under the lens, worked out when it is first painted there. */
function refreshWire(model, wire, lens) {
  if (wire.step === lens.step) return;
  wire.step = lens.step;
  const bytes = edgeBytes(model, wire.edges, lens);
  wire.control = bytes === -1;
  wire.width = wireWidth(bytes === -1 ? null : bytes);
  const label = bundleLabel(model, wire.bundle, lens);
  wire.changed = label.changed;
  wire.text = wire.label ? label.text : "";
  wire.labelWidth = wire.text === "" ? 0 : textWidth(wire.text, FONTS.label);
}

/** Curves that are upright at every point: lines leave and reach boxes straight from above or below. */
function trace(brush, points) {
  const { ctx } = brush;
  ctx.moveTo(points[0].x, points[0].y);
  for (let k = 1; k < points.length; k++) {
    const a = points[k - 1];
    const b = points[k];
    if (brush.scale < DETAIL.curve || Math.abs(a.x - b.x) < 0.5) { ctx.lineTo(b.x, b.y); continue; }
    const middle = (a.y + b.y) / 2;
    ctx.bezierCurveTo(a.x, middle, b.x, middle, b.x, b.y);
  }
}

function arrowHead(brush, wire, width, colour) {
  const { ctx } = brush;
  const tip = wire.points[wire.points.length - 1];
  const before = wire.points[wire.points.length - 2];
  const uy = tip.y >= before.y ? 1 : -1;
  const size = 5 + width;
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.moveTo(tip.x, tip.y);
  ctx.lineTo(tip.x - size * 0.5, tip.y - uy * size);
  ctx.lineTo(tip.x + size * 0.5, tip.y - uy * size);
  ctx.fill();
}

function wireColour(brush, wire) {
  const { colours, state } = brush;
  if (wire.chain >= 0) return colours.chains[wire.chain % colours.chains.length];
  if (state.selectedWire === wire || touches(state.selected, wire)) return colours.select;
  if (wire.changed) return colours.changed;
  return wire.control ? colours.control : colours.wire;
}

function touches(item, wire) {
  return item !== null && (wire.bundle.from === item || wire.bundle.to === item);
}

/** Dashes of what is long beyond the window, or small, would cost more than all the rest. */
function dashed(brush, pattern, length) {
  return brush.scale >= DETAIL.curve && length * brush.scale < 6000 ? pattern : [];
}

/** Plain lines of like width go into one path: far fewer calls where thousands are in view. */
function paintWires(brush) {
  const { ctx, state, scale } = brush;
  const groups = new Map();
  const thin = 0.7 / scale;
  const small = DETAIL.dot / scale;
  for (const wire of state.scene.wires) {
    const { box } = wire;
    if (!inView(brush, box.left, box.top, box.right, box.bottom)) continue;
    if (box.right - box.left < small && box.bottom - box.top < small) continue;
    refreshWire(state.model, wire, state.lens);
    const colour = wireColour(brush, wire);
    const width = Math.max(thin, wire.chain >= 0 ? wire.width + 2 : Math.round(wire.width * 2) / 2);
    const dash = wire.control ? dashed(brush, [4, 4], box.right - box.left + box.bottom - box.top) : [];
    const key = `${colour} ${width} ${dash.length}`;
    if (!groups.has(key)) groups.set(key, { colour, width, dash, wires: [] });
    groups.get(key).wires.push(wire);
    brush.drawn.wires += 1;
  }
  for (const { colour, width, dash, wires } of groups.values()) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.setLineDash(dash);
    for (let from = 0; from < wires.length; from += 64) {
      ctx.beginPath();
      for (const wire of wires.slice(from, from + 64)) trace(brush, wire.points);
      ctx.stroke();
    }
    ctx.setLineDash([]);
    if (scale >= DETAIL.arrow) for (const wire of wires) if (wire.bundle.to) arrowHead(brush, wire, width, colour);
  }
}

function paintLabels(brush) {
  const { ctx, colours, state, scale } = brush;
  if (scale < DETAIL.label) return;
  ctx.textAlign = "center";
  for (const wire of state.scene.wires) {
    if (!wire.label || wire.step !== state.lens.step || wire.text === "") continue;
    const { x, y } = wire.label;
    const w = wire.labelWidth + 6;
    if (!inView(brush, x - w / 2, y - 8, x + w / 2, y + 8)) continue;
    ctx.fillStyle = wire.changed ? colours.changedFill : colours.labelBack;
    ctx.fillRect(x - w / 2, y - 7.5, w, 15);
    const colour = wire.chain >= 0 ? wireColour(brush, wire) : wire.changed ? colours.changed : colours.label;
    write(brush, wire.text, x, y, FONTS.label, colour);
    if (wire.changed) underline(brush, x - wire.labelWidth / 2, y + 6, wire.labelWidth, colours.changed);
  }
  ctx.textAlign = "left";
}

/** A second sign beside the colour: not everyone can tell blue from grey. */
function underline(brush, x, y, width, colour) {
  brush.ctx.fillStyle = colour;
  brush.ctx.fillRect(x, y, width, 1.2);
}

function groupColours(brush, item) {
  const { colours, state } = brush;
  if (!item.open && state.context.failingGroups.has(item)) return [colours.errorFill, colours.error];
  if (!item.open && variableOf(state.model, item)) return [colours.ops.variable, colours.cardLine];
  return colours.kinds[item.kind] ?? [colours.group[item.depth % 2], colours.groupLine];
}

function paintOpenGroup(brush, box) {
  const { ctx, scale } = brush;
  const [fill, line] = groupColours(brush, box.item);
  ctx.fillStyle = fill;
  ctx.strokeStyle = brush.state.selected === box.item ? brush.colours.select : line;
  ctx.lineWidth = Math.max(brush.state.selected === box.item ? 2.5 : 1.2, 0.8 / scale);
  ctx.setLineDash(box.item.kind === "part" ? dashed(brush, [6, 4], box.w + box.h) : []);
  ctx.beginPath();
  ctx.roundRect(box.x, box.y, box.w, box.h, 10);
  ctx.fill();
  ctx.stroke();
  ctx.setLineDash([]);
}

/** Titles of open groups keep a readable size when the picture is small, where their box has the room. */
function paintHeadline(brush, box) {
  const { ctx, scale } = brush;
  if (box.w * scale < 46 || box.h * scale < 22) return;
  const most = Math.min(0.85 / scale, 2.2);
  const whole = Math.min(most, (box.w - 30) / textWidth(`\u2212 ${headline(box.item)}`, FONTS.group));
  // The whole title where that can be read, else as much of it as fits.
  const grow = Math.max(1, scale * whole < 0.6 ? most : whole);
  if (scale * grow < 0.45) return;
  const room = Math.floor((box.w - 24) / (7.6 * grow)) - 2;
  if (room < 4) return;
  ctx.save();
  ctx.translate(box.x + 12, box.y + 8);
  ctx.scale(grow, grow);
  const text = `\u2212 ${shorten(headline(box.item), room)}`;
  ctx.fillStyle = groupColours(brush, box.item)[0];
  ctx.fillRect(-3, -1, Math.min(textWidth(text, FONTS.group) + 6, (box.w - 20) / grow), 17);
  write(brush, text, 0, 8, FONTS.group, brush.colours.kinds[box.item.kind]?.[1] ?? brush.colours.soft);
  ctx.restore();
}

function cardColours(brush, item) {
  const { colours, state } = brush;
  if (isGroup(item)) return groupColours(brush, item);
  const finding = state.context.findingOf.get(item.index);
  if (finding) return finding.error ? [colours.errorFill, colours.error] : [colours.warningFill, colours.warning];
  const sort = state.sorts[item.index];
  return [sort === "" ? colours.card : colours.ops[sort], colours.cardLine];
}

function paintCard(brush, box) {
  const { ctx, colours, state, scale } = brush;
  const { item } = box;
  const [fill, line] = cardColours(brush, item);
  const selected = state.selected === item;
  const marked = isGroup(item) ? state.context.failingGroups.has(item) : state.context.findingOf.has(item.index);
  const strong = selected || marked;
  ctx.fillStyle = fill;
  if (scale < DETAIL.card) {
    ctx.fillStyle = strong ? line : isGroup(item) ? line : colours.cardLine;
    ctx.fillRect(box.x, box.y, box.w, box.h);
    return;
  }
  ctx.strokeStyle = selected ? colours.select : line;
  ctx.lineWidth = Math.max(strong ? 2.4 : 1.1, 0.7 / scale);
  if (isGroup(item)) paintStack(brush, box);
  ctx.setLineDash(item.kind === "part" ? dashed(brush, [6, 4], box.w + box.h) : []);
  ctx.beginPath();
  ctx.roundRect(box.x, box.y, box.w, box.h, isGroup(item) ? 9 : 6);
  ctx.fill();
  ctx.stroke();
  ctx.setLineDash([]);
  if (selected && marked) outline(brush, box, line);
  paintDevice(brush, box);
  if (scale >= DETAIL.text) paintLines(brush, box);
  else paintName(brush, box);
}

/** From afar a card bears only its op or name, as large as the box allows. */
function paintName(brush, box) {
  const { ctx, colours, scale } = brush;
  const font = isGroup(box.item) ? FONTS.group : FONTS.strong;
  const fits = Math.floor(((box.w - 12) * scale) / 4);
  if (fits < 4 || box.h * scale < 8) return;
  const text = shorten(box.item.card.lines[0].text, fits);
  const grow = Math.min((box.w - 12) / textWidth(text, font), (box.h - 6) / 15, 0.8 / scale);
  ctx.save();
  ctx.translate(box.x + box.w / 2 + 1, box.y + box.h / 2);
  ctx.scale(grow, grow);
  ctx.textAlign = "center";
  write(brush, text, 0, 0, font, colours.text);
  ctx.restore();
}

function outline(brush, box, colour) {
  brush.ctx.strokeStyle = colour;
  brush.ctx.beginPath();
  brush.ctx.roundRect(box.x + 3, box.y + 3, box.w - 6, box.h - 6, 4);
  brush.ctx.stroke();
}

/** A closed group looks like a pile: there is more below. */
function paintStack(brush, box) {
  const { ctx } = brush;
  ctx.beginPath();
  ctx.roundRect(box.x + 4, box.y + 4, box.w, box.h, 9);
  ctx.fill();
  ctx.stroke();
}

function paintDevice(brush, box) {
  const { state, colours, ctx } = brush;
  if (isGroup(box.item)) return;
  const device = state.devices.get(state.model.doc.nodes[box.item.index].device);
  if (device === undefined) return;
  ctx.fillStyle = colours.devices[device % colours.devices.length];
  ctx.beginPath();
  ctx.roundRect(box.x, box.y, 5, box.h, [6, 0, 0, 6]);
  ctx.fill();
}

function paintLines(brush, box) {
  const { colours, state } = brush;
  const { item } = box;
  const group = isGroup(item);
  const changed = !group && state.lens.changed(item.index);
  let y = box.y + CARD.padY + LINE / 2;
  for (const line of item.card.lines) {
    let { text } = line;
    let colour = line.style === "flag" ? colours.error : line.style === "soft" ? colours.soft : colours.text;
    if (line.parts) { writeParts(brush, line.parts, box.x + CARD.padX, y); y += LINE; continue; }
    if (line.lens) {
      const node = state.model.doc.nodes[item.index];
      text = shapeLine(state.lens.shape(item.index, 0), node.outputs[0].dtype, node.outputs.length - 1);
      colour = changed ? colours.changed : colours.text;
      if (changed) underline(brush, box.x + CARD.padX, y + 6, Math.min(textWidth(text, FONTS.shape), box.w - CARD.padX * 2), colours.changed);
    }
    if (line.style === "group") text = `+ ${text}`;
    write(brush, text, box.x + CARD.padX, y, FONTS[line.style], colour, box.w - CARD.padX * 1.6);
    y += LINE;
  }
}

/** A shape of which the wrong dims stand out: bold too, for who tells no red from black. */
function writeParts(brush, parts, x, y) {
  const { colours } = brush;
  for (const { text, wrong } of parts) {
    const font = wrong ? FONTS.wrong : FONTS.shape;
    write(brush, text, x, y, font, wrong ? colours.error : colours.text);
    x += textWidth(text, font);
  }
}

/** Numbers at the corner of a node, beside a closed group: there they would hide its name. */
function paintBadges(brush, box, badges) {
  const { ctx, colours } = brush;
  const grow = Math.max(1, Math.min(0.7 / brush.scale, 3));
  const radius = 9 * grow;
  const beside = isGroup(box.item);
  let right = box.x + box.w + radius;
  let left = box.x + box.w + 6 * grow;
  const y = beside ? box.y + box.h / 2 : box.y;
  for (const { text, chain } of badges.slice(0, 8)) {
    const wide = Math.max(radius * 2, (textWidth(text, FONTS.badge) + 9) * grow);
    const x = beside ? left : right - wide;
    ctx.fillStyle = colours.chains[chain % colours.chains.length];
    ctx.beginPath();
    ctx.roundRect(x, y - radius, wide, radius * 2, radius);
    ctx.fill();
    ctx.strokeStyle = colours.back;
    ctx.lineWidth = 1.5 * grow;
    ctx.stroke();
    ctx.save();
    ctx.translate(x + wide / 2, y + 0.5);
    ctx.scale(grow, grow);
    ctx.textAlign = "center";
    write(brush, text, 0, 0, FONTS.badge, colours.onStrong);
    ctx.restore();
    left += wide + 2 * grow;
    right -= wide + 2 * grow;
  }
}

function paintCallout(brush, box) {
  const { ctx, colours, scale } = brush;
  const note = box.callout;
  const card = box.item.card.callout;
  const strong = card.error ? colours.error : colours.warning;
  ctx.fillStyle = card.error ? colours.errorFill : colours.warningFill;
  ctx.strokeStyle = strong;
  ctx.lineWidth = Math.max(1, 0.7 / scale);
  ctx.beginPath();
  ctx.roundRect(note.x, note.y, note.w, note.h, 6);
  ctx.fill();
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(box.x + box.w, box.y + box.h / 2);
  ctx.lineTo(note.x, Math.min(box.y + box.h / 2, note.y + note.h - 8));
  ctx.stroke();
  if (scale < 0.36) return;
  let y = note.y + CARD.padY + LINE / 2;
  write(brush, card.head, note.x + CARD.padX, y, FONTS.strong, strong);
  card.lines.forEach((line, k) => {
    y += LINE;
    const fix = card.fix && k === card.lines.length - 1;
    write(brush, line, note.x + CARD.padX, y, FONTS.told, fix ? colours.add : colours.text, note.w - CARD.padX * 1.6);
  });
}

function paintBoxes(brush) {
  const { state } = brush;
  for (const box of state.scene.boxes) {
    if (box.item.open) continue;
    const rect = rectOf(box);
    if (!inView(brush, rect.left, rect.top - 12, rect.right + 12, rect.bottom)) continue;
    if (box.w * brush.scale < 0.8) continue;
    brush.drawn.boxes += 1;
    paintCard(brush, box);
    if (box.callout) paintCallout(brush, box);
  }
}

function paintScene(ctx, colours, state, view, size, ratio) {
  const brush = makeBrush(ctx, colours, state, view, size, ratio);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.fillStyle = colours.back;
  ctx.fillRect(0, 0, size.width, size.height);
  ctx.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.x, ratio * view.y);
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  const open = state.scene.boxes.filter((box) => box.item.open && inView(brush, box.x, box.y, box.x + box.w, box.y + box.h));
  for (const box of open) paintOpenGroup(brush, box);
  paintWires(brush);
  for (const box of open) paintHeadline(brush, box);
  paintBoxes(brush);
  paintLabels(brush);
  for (const [id, badges] of state.marks.badges) {
    const box = state.scene.boxOf.get(id);
    if (box) paintBadges(brush, box, badges);
  }
  brush.drawn.boxes += open.length;
  return brush.drawn;
}
