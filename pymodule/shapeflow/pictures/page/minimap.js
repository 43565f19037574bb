/* The whole picture in a corner, drawn once per scene, and the window on it as a frame. */

function makeMap(canvas, app) {
  const still = document.createElement("canvas");
  let fit = { scale: 1, x: 0, y: 0 };
  const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });

  /** Boxes only: at this size a line is noise. */
  const redraw = () => {
    const { width, height } = size();
    const ratio = window.devicePixelRatio || 1;
    const { scene, context } = app.state;
    const colours = app.colours();
    still.width = canvas.width = Math.round(width * ratio);
    still.height = canvas.height = Math.round(height * ratio);
    fit = viewOn({ left: 0, top: 0, right: scene.width, bottom: scene.height }, { width, height }, 1, 6);
    const ctx = still.getContext("2d");
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    for (const box of scene.boxes) {
      const w = Math.max(1, box.w * fit.scale);
      const h = Math.max(1, box.h * fit.scale);
      const finding = isGroup(box.item) ? !box.item.open && context.failingGroups.get(box.item) : context.findingOf.get(box.item.index);
      ctx.fillStyle = finding ? colours.error : box.item.open ? colours.groupLine : colours.cardLine;
      ctx.globalAlpha = box.item.open ? 0.3 : 1;
      const grow = finding ? 3 : 0;
      ctx.fillRect(fit.x + box.x * fit.scale - grow / 2, fit.y + box.y * fit.scale - grow / 2, w + grow, h + grow);
    }
    frame();
  };

  const frame = () => {
    const ctx = canvas.getContext("2d");
    const ratio = window.devicePixelRatio || 1;
    const { view } = app;
    const seen = app.size();
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    if (still.width > 0) ctx.drawImage(still, 0, 0);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.strokeStyle = app.colours().select;
    ctx.lineWidth = 1.5;
    const k = fit.scale / view.scale;
    ctx.strokeRect(fit.x - view.x * k, fit.y - view.y * k, seen.width * k, seen.height * k);
  };

  const moveTo = (event) => {
    const box = canvas.getBoundingClientRect();
    const x = (event.clientX - box.left - fit.x) / fit.scale;
    const y = (event.clientY - box.top - fit.y) / fit.scale;
    const seen = app.size();
    app.setView({ ...app.view, x: seen.width / 2 - x * app.view.scale, y: seen.height / 2 - y * app.view.scale });
  };
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); moveTo(event); });
  canvas.addEventListener("pointermove", (event) => { if (event.buttons & 1) moveTo(event); });
  return { redraw, frame };
}
