/* What the tests ask the open page. Opened.probe(name, given) calls one of these inside it. */
const probes = {
  /** Where an item's box stands in the browser's window. */
  at(id) {
    const box = shapeflow.state.scene.boxOf.get(id);
    const view = shapeflow.view;
    const stage = document.getElementById("graph").getBoundingClientRect();
    return box && [stage.left + (box.x + box.w / 2) * view.scale + view.x,
      stage.top + (box.y + Math.min(14, box.h / 2)) * view.scale + view.y];
  },
  corner(id) {
    const box = shapeflow.state.scene.boxOf.get(id);
    const view = shapeflow.view;
    return [box.x * view.scale + view.x, box.y * view.scale + view.y];
  },
  /** The picture's point under a point of the canvas, and the scale. */
  point([x, y]) {
    const view = shapeflow.view;
    return [(x - view.x) / view.scale, (y - view.y) / view.scale, view.scale];
  },
  callout(id) { return shapeflow.state.scene.boxOf.get(id).item.card.callout; },
  /** Points of lines from a box that lie in its callout. */
  behindCallout(id) {
    const { scene, model } = shapeflow.state;
    const note = scene.boxOf.get(id).callout;
    const inside = (p) => p.x > note.x && p.x < note.x + note.w && p.y > note.y && p.y < note.y + note.h;
    const middles = (wire) => wire.points.slice(1).map((p, k) => ({ x: (p.x + wire.points[k].x) / 2, y: (p.y + wire.points[k].y) / 2 }));
    return scene.wires.filter((wire) => wire.bundle.from === model.byId.get(id))
      .flatMap((wire) => [...wire.points, ...middles(wire)].filter(inside));
  },
  goTo(id) { shapeflow.goTo(shapeflow.state.model.byId.get(id)); },
  counts() {
    const { nodes, edges, groups } = shapeflow.state.model;
    return [nodes.length, edges.count, groups.length, nodes.map((node) => node.parent.name)];
  },
  /** How often each edge is drawn. */
  drawnEdges() {
    const count = {};
    for (const wire of shapeflow.state.scene.wires) for (const e of wire.edges) count[e] = (count[e] ?? 0) + 1;
    return count;
  },
  /** Boxes that leave their group or stand on a neighbour. */
  misplaced() {
    const { scene } = shapeflow.state;
    const full = (b) => ({ l: b.x, t: b.y, r: b.callout ? b.callout.x + b.callout.w : b.x + b.w,
      b: b.callout ? Math.max(b.y + b.h, b.callout.y + b.callout.h) : b.y + b.h });
    const families = Map.groupBy(scene.boxes, (box) => box.item.parent);
    const wrong = [];
    for (const [parent, list] of families) {
      const outer = scene.boxOf.get(parent.id);
      list.forEach((one, k) => {
        const a = full(one);
        if (outer && (a.l < outer.x || a.t < outer.y || a.r > outer.x + outer.w + 1 || a.b > outer.y + outer.h + 1)) {
          wrong.push(["out", one.item.name]);
        }
        for (const two of list.slice(k + 1)) {
          const b = full(two);
          if (a.l < b.r - 1 && b.l < a.r - 1 && a.t < b.b - 1 && b.t < a.b - 1) wrong.push(["on", one.item.name, two.item.name]);
        }
      });
    }
    return wrong.slice(0, 5);
  },
  badges() {
    const { marks, model } = shapeflow.state;
    return Object.fromEntries([...marks.badges].map(([id, list]) => [model.byId.get(id).name, list.map(({ text, chain }) => ({ text, chain }))]));
  },
  /** What is written on an item's card. */
  card(id) { return shapeflow.state.scene.boxOf.get(id).item.card.lines.map((line) => line.text); },
  /** The pieces of a failing card that are marked as wrong. */
  wrong(id) {
    return shapeflow.state.scene.boxOf.get(id).item.card.lines.flatMap((line) => (line.parts ?? []).filter((part) => part.wrong).map((part) => part.text));
  },
  /** Corners of the whole picture in the window. */
  corners() {
    const { view, state } = shapeflow;
    return [view.x, view.y, view.x + state.scene.width * view.scale, view.y + state.scene.height * view.scale];
  },
  /** The label of the first line that carries a node's result. */
  label(node) {
    const { model, scene } = shapeflow.state;
    const wire = scene.wires.find((one) => one.label && one.edges.some((e) => model.edges.from[e] === node));
    return [wire.text, wire.changed];
  },
  width(node) {
    const { model, scene } = shapeflow.state;
    return Math.max(...scene.wires.filter((wire) => wire.step === 0 && wire.edges.some((e) => model.edges.from[e] === node))
      .map((wire) => wire.width));
  },
  /** A point on the middle of some line. */
  onWire() {
    const wire = shapeflow.state.scene.wires.find((one) => one.bundle.from && one.bundle.to && one.points.length > 2);
    const stage = document.getElementById("graph").getBoundingClientRect();
    const view = shapeflow.view;
    return [stage.left + wire.points[1].x * view.scale + view.x, stage.top + wire.points[1].y * view.scale + view.y];
  },
  /** Colour of the canvas near its upper right corner. */
  back() {
    const graph = document.getElementById("graph");
    const copy = document.createElement("canvas");
    copy.width = copy.height = 1;
    const ctx = copy.getContext("2d");
    ctx.drawImage(graph, 3 - graph.width, -3);
    return [...ctx.getImageData(0, 0, 1, 1).data].slice(0, 3);
  },
  activeRow() {
    const row = document.getElementById(document.getElementById("tree").getAttribute("aria-activedescendant"));
    return row.querySelector(".row-name").textContent;
  },
  kinds() {
    const groups = shapeflow.state.scene.boxes.filter((box) => box.item.kind !== "node");
    return Object.fromEntries(groups.map((box) => [box.item.name, box.item.kind]));
  },
  /** Bright and other pixels of the picture for paper. */
  paper() {
    const canvas = document.getElementById("paper");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const count = [0, 0];
    for (let k = 0; k < data.length; k += 404) count[data[k] > 230 ? 0 : 1] += 1;
    return count;
  },
  inlineScript() {
    return new Promise((done) => {
      const seen = (event) => done(event.violatedDirective);
      document.addEventListener("securitypolicyviolation", seen, { once: true });
      const script = document.createElement("script");
      script.textContent = "window.broken = 1";
      document.body.append(script);
    });
  },
  /** Letters of a font that is there differ in width from those of what stands in for it. */
  hasFont(name) {
    const ctx = document.createElement("canvas").getContext("2d");
    const width = (face) => { ctx.font = `40px ${face}`; return ctx.measureText("Wi, mill").width; };
    return width(`"${name}", monospace`) !== width("monospace");
  },
  ready() {
    const { stats, state } = shapeflow;
    const painted = performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
    return { ready: stats.ready, painted, boxes: state.scene.boxes.length, layouts: stats.layouts, full: stats.full };
  },
  /** Sixty frames, the window moving with each: ms of each frame, and how many were painted in full. */
  async pan(scale) {
    const app = shapeflow;
    const size = app.size();
    const { width, height } = app.state.scene;
    if (scale) app.setView({ scale, x: size.width / 2 - (width / 2) * scale, y: size.height / 2 - (height / 2) * scale });
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    const begin = { frames: app.stats.frames, full: app.stats.full };
    const times = [];
    let last = performance.now();
    for (let k = 0; k < 60; k++) {
      app.setView({ ...app.view, x: app.view.x + (k < 30 ? 7 : -7), y: app.view.y + (k < 30 ? 4 : -4) });
      await frame();
      times.push(performance.now() - last);
      last = performance.now();
    }
    times.sort((a, b) => a - b);
    return { scale: app.view.scale, frames: app.stats.frames - begin.frames, full: app.stats.full - begin.full,
      median: times[30], slowest: times[59], boxes: app.stats.boxes, wires: app.stats.wires };
  },
};
