/* When to paint, and how much of it. A frame with thousands of boxes is painted once, with a margin round
 * the window; while the reader moves, frames are made of that copy, and the sharp one follows at rest. */

const HEAVY = 2500; // boxes and lines of a frame; fewer are painted anew each time
const MARGIN = 0.3; // of the window, on each side of the copy
const REST = 140; // ms without movement

function makeFrames(canvas, app) {
  const copy = document.createElement("canvas");
  let copied = null; // the view and size that the copy shows, or null
  let heavy = false;
  let asked = false;
  let rest = 0;

  const grown = (size) => ({ width: Math.ceil(size.width * (1 + 2 * MARGIN)), height: Math.ceil(size.height * (1 + 2 * MARGIN)) });
  const shifted = (view, size) => ({ scale: view.scale, x: view.x + size.width * MARGIN, y: view.y + size.height * MARGIN });

  const fit = (target, size, ratio) => {
    const width = Math.round(size.width * ratio);
    const height = Math.round(size.height * ratio);
    if (target.width !== width || target.height !== height) { target.width = width; target.height = height; }
  };

  const paintAll = (size, ratio) => {
    const { state, view, stats } = app;
    let drawn;
    if (heavy) {
      fit(copy, grown(size), ratio);
      drawn = paintScene(copy.getContext("2d", { alpha: false }), app.colours(), state, shifted(view, size), grown(size), ratio);
      copied = { view: { ...view }, size, ratio };
      paintCopy(size, ratio);
    } else {
      drawn = paintScene(canvas.getContext("2d", { alpha: false }), app.colours(), state, view, size, ratio);
      copied = null;
    }
    heavy = drawn.boxes + drawn.wires > HEAVY;
    Object.assign(stats, drawn, { full: stats.full + 1 });
  };

  const paintCopy = (size, ratio) => {
    const ctx = canvas.getContext("2d", { alpha: false });
    const k = app.view.scale / copied.view.scale;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.fillStyle = app.colours().back;
    ctx.fillRect(0, 0, size.width, size.height);
    const x = app.view.x - (copied.view.x + size.width * MARGIN) * k;
    const y = app.view.y - (copied.view.y + size.height * MARGIN) * k;
    ctx.drawImage(copy, x, y, (copy.width / ratio) * k, (copy.height / ratio) * k);
  };

  /** Whether the copy can stand for the window now: it shows all of it, not too coarse. */
  const serves = (size, ratio) => {
    if (copied === null || copied.ratio !== ratio || copied.size.width !== size.width || copied.size.height !== size.height) return false;
    const k = app.view.scale / copied.view.scale;
    const x = app.view.x - (copied.view.x + size.width * MARGIN) * k;
    const y = app.view.y - (copied.view.y + size.height * MARGIN) * k;
    const { width, height } = grown(size);
    return k < 2.5 && x <= 0 && y <= 0 && x + width * k >= size.width && y + height * k >= size.height;
  };

  const frame = (sharp) => {
    asked = false;
    const began = performance.now();
    const ratio = window.devicePixelRatio || 1;
    const size = app.size();
    fit(canvas, size, ratio);
    if (!sharp && serves(size, ratio)) {
      paintCopy(size, ratio);
      clearTimeout(rest);
      rest = setTimeout(() => requestAnimationFrame(() => frame(true)), REST);
    } else paintAll(size, ratio);
    app.map.frame();
    Object.assign(app.stats, { frames: app.stats.frames + 1, ms: performance.now() - began });
  };

  const ask = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => frame(false));
  };
  return {
    /** The window moved; what it shows did not change. */
    moved: ask,
    /** Something looks different now. */
    changed: () => { copied = null; ask(); },
    now: () => frame(true),
  };
}
