/* The window on the picture: scale and offset, and how mouse, touch and keys move them. */

const ZOOM = { min: 0.00002, max: 3, step: 1.25 };

function clampScale(scale) {
  return Math.max(ZOOM.min, Math.min(ZOOM.max, scale));
}

/** The view in which a rectangle fills the window, no larger than `most`. */
function viewOn(rect, size, most, margin) {
  const width = Math.max(1, rect.right - rect.left);
  const height = Math.max(1, rect.bottom - rect.top);
  const scale = clampScale(Math.min(most, (size.width - margin * 2) / width, (size.height - margin * 2) / height));
  return { scale, x: size.width / 2 - ((rect.left + rect.right) / 2) * scale, y: size.height / 2 - ((rect.top + rect.bottom) / 2) * scale };
}

/** Zoom that keeps one point of the window where it is. */
function zoomedAt(view, x, y, factor) {
  const scale = clampScale(view.scale * factor);
  const k = scale / view.scale;
  return { scale, x: x - (x - view.x) * k, y: y - (y - view.y) * k };
}

function toPicture(view, x, y) {
  return { x: (x - view.x) / view.scale, y: (y - view.y) / view.scale };
}

/** The picture never leaves the window wholly: a corner of it stays to be grabbed. */
function kept(view, scene, size) {
  const margin = 60;
  const clamp = (at, extent, room) => Math.max(margin - extent * view.scale, Math.min(room - margin, at));
  return { scale: view.scale, x: clamp(view.x, scene.width, size.width), y: clamp(view.y, scene.height, size.height) };
}

const PAN_KEYS = new Map([["ArrowLeft", [1, 0]], ["ArrowRight", [-1, 0]], ["ArrowUp", [0, 1]], ["ArrowDown", [0, -1]]]);

function listenToKeys(canvas, app) {
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pan = PAN_KEYS.get(event.key);
    const size = app.size();
    if (pan) {
      const far = event.shiftKey ? 0.5 : 0.12;
      app.setView({ ...app.view, x: app.view.x + pan[0] * size.width * far, y: app.view.y + pan[1] * size.height * far });
    } else if (event.key === "+" || event.key === "=") app.zoom(ZOOM.step);
    else if (event.key === "-" || event.key === "_") app.zoom(1 / ZOOM.step);
    else if (event.key === "0") app.zoom(1 / app.view.scale);
    else if (event.key === "f") app.fit();
    else if (event.key === "c" && app.state.selected) app.reveal(app.state.selected);
    else if (event.key === "n") app.nextFinding(1);
    else if (event.key === "Enter" && app.state.selected) app.activate(app.state.selected);
    else if (event.key === "Escape") app.select(null);
    else return;
    event.preventDefault();
  });
}

function listenToWheel(canvas, app) {
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = app.pointIn(event);
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    if (event.shiftKey) {
      app.setView({ ...app.view, x: app.view.x - (event.deltaX || event.deltaY) * unit });
    } else {
      app.setView(zoomedAt(app.view, at.x, at.y, Math.exp(-Math.max(-240, Math.min(240, event.deltaY * unit)) * 0.0016)));
    }
  }, { passive: false });
}

/** Drag pans, two fingers zoom, a click selects, a double click opens or closes. */
function listenToPointer(canvas, app) {
  const fingers = new Map();
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, app.pointIn(event));
    moved = fingers.size > 1 ? 99 : 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) { app.hover(app.pointIn(event)); return; }
    const now = app.pointIn(event);
    fingers.set(event.pointerId, now);
    moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    let next = { ...app.view, x: app.view.x + (now.x - before.x) / fingers.size, y: app.view.y + (now.y - before.y) / fingers.size };
    if (other) {
      const spread = (at) => Math.hypot(at.x - other.x, at.y - other.y) || 1;
      next = zoomedAt(next, other.x, other.y, spread(now) / spread(before));
    }
    app.setView(next);
  });
  const lift = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    if (event.type === "pointerup" && moved < 5) app.click(app.pointIn(event));
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("dblclick", (event) => app.doubleClick(app.pointIn(event)));
}
