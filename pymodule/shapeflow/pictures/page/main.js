/* Joins the parts: what is chosen, what is open, where the window stands, and when to paint. */

const OPEN_AT_FIRST = 60; // items in view when a graph opens: about what a screen can show
const READABLE = 0.27; // below that not even the names of boxes can be read
const OPEN_FOR_CHAINS = 24; // items that a finding may bring into the picture beyond its own groups
const AT_LEAST = 0.85; // the scale at which a finding is shown
const OPEN_FAST = 1500; // opening more than that places boxes by our own fast layout
const OPEN_AT_MOST = 60000;

function readDocument() {
  return JSON.parse(byId("document").textContent);
}

/** Findings by node; an error wins over a warning of the same node. */
function findingsByNode(doc) {
  const map = new Map();
  for (const finding of doc.findings ?? []) {
    if (!valid(finding.node, doc.nodes.length)) continue;
    const known = map.get(finding.node);
    if (!known || (finding.error && !known.error)) map.set(finding.node, finding);
  }
  return map;
}

/** The closed groups that hide something that fails: { group: finding }. */
function failingGroups(model, findingOf) {
  const map = new Map();
  for (const [node, finding] of findingOf) {
    for (const group of ancestors(model.nodes[node])) if (group !== model.root && !map.get(group)?.error) map.set(group, finding);
  }
  return map;
}

function makeState(doc) {
  const model = buildModel(doc);
  const findingOf = findingsByNode(doc);
  const lens = lensAt(model, 0);
  return { model, lens, scene: null, marks: noMarks(), selected: null, selectedWire: null, loose: null, finding: -1, step: 0,
    context: { widest: widestShapes(model), findingOf, failingGroups: failingGroups(model, findingOf), lens, fast: false },
    devices: devicesOf(doc), sorts: doc.nodes.map(sortOfOp), dark: false };
}

/** Opens groups level by level, small ones first, while the whole can still be read in the window. */
function openAtFirst(model, context, size) {
  if (model.doc.collapsed) return;
  let shown = model.root.children.length;
  let level = model.root.children.filter(isGroup);
  while (level.length > 0) {
    const opened = [];
    // Of a large graph only whole levels open: a trial layout that is thrown away costs its reader a second.
    const all = level.reduce((sum, group) => sum + group.children.length, shown);
    if (model.nodes.length > OPEN_FAST && all > OPEN_AT_FIRST) return;
    for (const group of level.filter((one) => !isFolded(model, one)).sort((a, b) => a.children.length - b.children.length)) {
      if (shown + group.children.length > OPEN_AT_FIRST) break;
      setOpen(group, true);
      shown += group.children.length;
      opened.push(group);
    }
    const { width, height } = layoutOf(model, model.root, context);
    if (viewOn({ left: 0, top: 0, right: width, bottom: height }, size, 1, 16).scale < READABLE) {
      for (const group of opened) setOpen(group, false);
      return;
    }
    level = opened.flatMap((group) => group.children.filter(isGroup));
  }
}

function openFor(item) {
  for (const group of ancestors(item).reverse()) setOpen(group, true);
}

/** The first item's groups open whatever they hold, those of the others while the picture stays small; what is
 * folded stays so, and bears the number of what is inside. */
function openForAll(model, items) {
  let shown = 0;
  items.forEach((item, k) => {
    const closed = ancestors(item).filter((group) => !group.open);
    const more = closed.reduce((sum, group) => sum + group.children.length, 0);
    if (k > 0 && (shown + more > OPEN_FOR_CHAINS || closed.some((group) => isFolded(model, group)))) return;
    shown += more;
    openFor(item);
  });
}

/** A window at that scale on the first rectangle, which fails, and as much of the others above it as has room. */
function aroundOf(rects, size, scale) {
  const [first] = rects;
  const width = size.width / scale;
  const height = size.height / scale;
  const left = (first.left + first.right) / 2 - width / 2;
  const top = (first.top + first.bottom) / 2 - height * 0.62;
  return { left, top, right: left + width, bottom: top + height };
}

function makeApp() {
  const state = makeState(readDocument());
  const canvas = byId("graph");
  const app = { state, view: { scale: 1, x: 0, y: 0 }, stats: { frames: 0, full: 0, layouts: 0, boxes: 0, wires: 0, texts: 0, ms: 0 } };

  app.size = () => ({ width: canvas.clientWidth || 800, height: canvas.clientHeight || 600 });
  app.colours = () => (state.dark ? DARK : LIGHT);
  app.pointIn = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  app.frames = makeFrames(canvas, app);
  app.repaint = app.frames.changed;

  app.setView = (view) => {
    app.view = kept(view, state.scene, app.size());
    byId("zoom").textContent = `${Math.round(app.view.scale * 100)} %`;
    app.frames.moved();
  };
  app.zoom = (factor) => {
    const size = app.size();
    app.setView(zoomedAt(app.view, size.width / 2, size.height / 2, factor));
  };
  /** The window without the mini-map and the slider, where it is wide. */
  app.clearSize = () => {
    const { width, height } = app.size();
    const slider = (state.model.doc.runs ?? []).length > 0 ? 64 : 0;
    return width > 600 ? { width: width - 206, height: height - slider } : { width, height };
  };
  app.fit = () => {
    app.setView(viewOn({ left: 0, top: 0, right: state.scene.width, bottom: state.scene.height }, app.clearSize(), 1.25, 16));
  };

  /** After opening or closing: new scene; `anchor` stays where it is on the screen. */
  const relayout = (anchor) => {
    const before = anchor && state.scene?.boxOf.get(anchor.id);
    state.scene = buildScene(state.model, state.context);
    app.stats.layouts += 1;
    state.selectedWire = null;
    markWires(state.model, state.scene, state.marks);
    const after = anchor && state.scene.boxOf.get(anchor.id);
    if (before && after) {
      const { scale } = app.view;
      app.view = { scale, x: app.view.x + (before.x - after.x) * scale, y: app.view.y + (before.y - after.y) * scale };
      app.setView(app.view);
    }
    app.map.redraw();
    app.tree.refresh();
    app.repaint();
  };
  const remark = () => {
    state.marks = marksOf(state.model, state.model.doc.findings?.[state.finding]);
    markWires(state.model, state.scene, state.marks);
  };

  app.say = (text) => { byId("said").textContent = text; };
  const refreshPanel = () => showPanel(byId("panel"), app);

  app.toggle = (group) => {
    setOpen(group, !group.open);
    state.marks = marksOf(state.model, state.model.doc.findings?.[state.finding]);
    relayout(group);
    app.select(group);
    app.say(`${shorten(group.title, 80)} ${group.open ? "opened" : "closed"}`);
  };
  app.select = (item, wire = null) => {
    state.selected = item;
    state.selectedWire = wire;
    state.loose = null;
    const index = item && !isGroup(item) ? (state.model.doc.findings ?? []).findIndex((finding) => finding.node === item.index) : -1;
    if (index >= 0 && index !== state.finding) { state.finding = index; remark(); nameFinding(); showLegend(byId("legend"), app); }
    refreshPanel();
    app.tree.draw();
    if (item) { const text = rowText(state.model, item); app.say(`${shorten(text.name, 80)} ${shorten(text.more, 80)}`); }
    app.repaint();
  };
  /** Opens what hides an item and brings it into the window, at a size that can be read. */
  app.reveal = (item) => {
    const hidden = ancestors(item).some((group) => !group.open);
    if (hidden) { openFor(item); state.marks = marksOf(state.model, state.model.doc.findings?.[state.finding]); relayout(null); }
    const box = state.scene.boxOf.get(item.id);
    if (!box) return;
    const size = app.size();
    const rect = rectOf(box);
    const scale = Math.max(app.view.scale, Math.min(0.9, viewOn(rect, size, 0.9, 30).scale));
    app.setView({ scale, x: size.width / 2 - ((rect.left + rect.right) / 2) * scale, y: size.height / 2 - ((rect.top + rect.bottom) / 2) * scale });
  };
  app.goTo = (item) => {
    app.reveal(item);
    app.select(item);
    app.tree.follow(item);
  };
  app.activate = (item) => (isGroup(item) ? app.toggle(item) : app.goTo(item));

  const under = (at) => {
    const point = toPicture(app.view, at.x, at.y);
    const box = boxAt(state.scene, point.x, point.y);
    if (box && !box.item.open) return { box, wire: null };
    const wire = wireAt(state.scene, point.x, point.y, 5 / app.view.scale);
    return { box: wire ? null : box, wire };
  };
  app.click = (at) => {
    const { box, wire } = under(at);
    app.select(box ? box.item : null, wire);
    if (box) app.tree.follow(box.item);
  };
  app.doubleClick = (at) => {
    const { box } = under(at);
    if (box && isGroup(box.item)) app.toggle(box.item);
  };
  app.hover = (at) => {
    const { box, wire } = under(at);
    canvas.classList.toggle("over", Boolean(wire || (box && !box.item.open)));
  };

  const nameFinding = () => {
    const findings = state.model.doc.findings ?? [];
    byId("findings").hidden = findings.length === 0;
    if (findings.length === 0) return;
    const finding = findings[Math.max(0, state.finding)];
    byId("finding-name").textContent = `${plain(finding.code)}, ${Math.max(0, state.finding) + 1} of ${findings.length}`;
  };
  app.showFinding = (index) => {
    const finding = state.model.doc.findings[index];
    state.finding = index;
    const nodes = nodesOfFinding(state.model, finding).map((node) => state.model.nodes[node]);
    openForAll(state.model, nodes);
    remark();
    relayout(null);
    nameFinding();
    showLegend(byId("legend"), app);
    if (nodes.length === 0) { state.selected = null; state.loose = finding; refreshPanel(); app.fit(); return; }
    const rects = nodes.map((item) => state.scene.boxOf.get(visibleFor(item).id)).filter(Boolean).map(rectOf);
    const { width, height } = app.size();
    const size = { width, height: height > 500 ? height - 190 : height }; // above the mini-map and the zoom
    app.setView(viewOn(union(rects), size, 1, 40));
    if (app.view.scale < AT_LEAST) app.setView(viewOn(aroundOf(rects, size, AT_LEAST), size, 1, 0));
    app.select(nodes[0]);
    app.tree.follow(nodes[0]);
  };
  app.nextFinding = (by) => {
    const count = (state.model.doc.findings ?? []).length;
    if (count > 0) app.showFinding((Math.max(0, state.finding) + (state.finding < 0 ? 0 : by) + count) % count);
  };

  app.setStep = (step) => {
    state.step = step;
    state.lens = lensAt(state.model, step);
    const name = runName(state.model, step);
    byId("run-name").textContent = name;
    byId("run").setAttribute("aria-valuetext", name);
    refreshPanel();
    app.tree.draw();
    app.repaint();
  };
  app.setAll = (open) => {
    const groups = [...state.model.byId.values()].filter((item) => isGroup(item) && item !== state.model.root && item.size > 0);
    const large = state.model.nodes.length > OPEN_FAST;
    state.context.fast = open && large;
    if (open && state.model.nodes.length > OPEN_AT_MOST) { app.say("too many nodes to open all at once"); return; }
    for (const group of groups) { setOpen(group, open); if (large) group.layout = null; }
    state.model.root.layout = null;
    state.marks = marksOf(state.model, state.model.doc.findings?.[state.finding]);
    relayout(null);
    app.fit();
    app.say(open ? "all groups opened" : "all groups closed");
  };
  /** As a graph without findings begins: the whole in the window, its largest groups open as far as they can be read. */
  app.overview = () => {
    for (const group of state.model.byId.values()) if (isGroup(group) && group !== state.model.root) setOpen(group, false);
    openAtFirst(state.model, state.context, app.size());
    state.marks = marksOf(state.model, state.model.doc.findings?.[state.finding]);
    relayout(null);
    app.select(null);
    app.fit();
  };
  app.setDark = (dark) => {
    state.dark = dark;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    byId("theme").setAttribute("aria-pressed", String(dark));
    showLegend(byId("legend"), app);
    app.map.redraw();
    app.repaint();
  };

  app.map = makeMap(byId("map"), app);
  app.tree = makeTree(byId("tree"), app);
  app.start = () => {
    openAtFirst(state.model, state.context, app.size());
    relayout(null);
    const first = (state.model.doc.findings ?? []).findIndex((finding) => valid(finding.node, state.model.nodes.length));
    if (first >= 0) app.showFinding(first);
    else if ((state.model.doc.findings ?? []).length > 0) app.showFinding(0);
    else { nameFinding(); app.fit(); refreshPanel(); }
    app.setDark(matchMedia("(prefers-color-scheme: dark)").matches);
    // The first frame is drawn at once: what a reader waits for is a picture.
    app.frames.now();
  };
  return app;
}
