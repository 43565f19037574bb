/* All that can be seen, in the picture's own coordinates: boxes and lines of every open group, laid one
 * into the other. Built again when a group opens or closes; painting only reads it. */

function boundsOf(points) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const point of points) {
    box.left = Math.min(box.left, point.x);
    box.right = Math.max(box.right, point.x);
    box.top = Math.min(box.top, point.y);
    box.bottom = Math.max(box.bottom, point.y);
  }
  return box;
}

function addWires(scene, layout, x, y) {
  for (const wire of layout.wires) {
    const points = wire.points.map((point) => ({ x: point.x + x, y: point.y + y }));
    const label = wire.label && { x: wire.label.x + x, y: wire.label.y + y };
    scene.wires.push({ bundle: wire.bundle, edges: wire.wire.edges, points, label, box: boundsOf(points),
      step: -1, text: "", width: 1, control: false, changed: false, chain: -1, labelWidth: 0 });
  }
}

function addBox(scene, item, place, x, y) {
  const body = bodyOf(item, place);
  const box = { item, x: x + place.x, y: y + place.y, w: body.width, h: body.height, callout: null };
  if (item.card?.callout && !item.open) {
    box.callout = { x: box.x + box.w + CALLOUT.gap, y: box.y, w: item.card.callout.width, h: item.card.callout.height };
  }
  scene.boxes.push(box);
  scene.boxOf.set(item.id, box);
  return box;
}

function buildScene(model, context) {
  const layout = layoutOf(model, model.root, context);
  const scene = { boxes: [], wires: [], boxOf: new Map(), width: layout.width, height: layout.height };
  const open = [{ group: model.root, x: 0, y: 0 }];
  while (open.length > 0) {
    const { group, x, y } = open.pop();
    addWires(scene, group.layout, x, y);
    for (const child of group.children) {
      const box = addBox(scene, child, group.layout.places.get(child.id), x, y);
      if (isGroup(child) && child.open) open.push({ group: child, x: box.x, y: box.y });
    }
  }
  return scene;
}

/** The item itself, or the closed group that hides it. */
function visibleFor(item) {
  let seen = item;
  for (const group of ancestors(item)) if (!group.open) seen = group;
  return seen;
}

function rectOf(box) {
  const right = box.callout ? box.callout.x + box.callout.w : box.x + box.w;
  const bottom = box.callout ? Math.max(box.y + box.h, box.callout.y + box.callout.h) : box.y + box.h;
  return { left: box.x, top: box.y, right, bottom };
}

function union(rects) {
  return rects.reduce((a, b) => ({ left: Math.min(a.left, b.left), top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right), bottom: Math.max(a.bottom, b.bottom) }));
}

/** Deepest box at a point, or null. */
function boxAt(scene, x, y) {
  for (let k = scene.boxes.length - 1; k >= 0; k--) {
    const box = scene.boxes[k];
    if (x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h) return box;
    const note = box.callout;
    if (note && x >= note.x && x <= note.x + note.w && y >= note.y && y <= note.y + note.h) return box;
  }
  return null;
}

function distanceToPart(x, y, a, b) {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / length));
  return Math.hypot(x - a.x - t * dx, y - a.y - t * dy);
}

function wireAt(scene, x, y, reach) {
  let best = null;
  let nearest = reach;
  for (const wire of scene.wires) {
    const { box } = wire;
    if (x < box.left - reach || x > box.right + reach || y < box.top - reach || y > box.bottom + reach) continue;
    for (let k = 1; k < wire.points.length; k++) {
      const d = distanceToPart(x, y, wire.points[k - 1], wire.points[k]);
      if (d < nearest) { nearest = d; best = wire; }
    }
  }
  return best;
}
