/* What stands round the picture: title, buttons, legend, the slider, and the copy for paper. */

function legendRow(colour, text) {
  const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  swatch.style.background = colour;
  return element("li", null, swatch, text);
}

function showLegend(list, app) {
  const { state } = app;
  const colours = app.colours();
  const rows = [...state.devices].slice(0, 16).map(([device, k]) =>
    legendRow(colours.devices[k % colours.devices.length], shorten(plain(device), 40)));
  const sorts = new Set(state.sorts);
  const words = [["input", "input"], ["variable", "variable"], ["constant", "constant"]];
  for (const [sort, word] of words) if (sorts.has(sort)) rows.push(legendRow(colours.ops[sort], word));
  const finding = state.model.doc.findings?.[Math.max(0, state.finding)];
  chainsOf(finding).slice(0, CHAIN_COLOURS).forEach((chain, c) => {
    const dims = chain.dims.map((one) => plain(one.dim)).join(", ");
    rows.push(legendRow(colours.chains[c], `how ${shorten(dims, 24)} came`));
  });
  if ((state.model.doc.runs ?? []).length > 0) rows.push(legendRow(colours.changed, "changed by the run"));
  list.replaceChildren(...rows);
  byId("legend-box").hidden = rows.length === 0;
}

function makeSlider(app) {
  const runs = app.state.model.doc.runs ?? [];
  byId("runs").hidden = runs.length === 0;
  const slider = byId("run");
  slider.max = String(runs.length);
  slider.value = "0";
  byId("run-name").textContent = runName(app.state.model, 0);
  slider.setAttribute("aria-valuetext", runName(app.state.model, 0));
  slider.addEventListener("input", () => app.setStep(Number(slider.value)));
}

function makeButtons(app) {
  const on = (id, run) => byId(id).addEventListener("click", run);
  on("fit", app.fit);
  on("zoom-in", () => app.zoom(ZOOM.step));
  on("zoom-out", () => app.zoom(1 / ZOOM.step));
  on("open-all", () => app.setAll(true));
  on("close-all", () => app.setAll(false));
  on("theme", () => app.setDark(!app.state.dark));
  on("next", () => app.nextFinding(1));
  on("previous", () => app.nextFinding(-1));
  on("home", app.overview);
  document.addEventListener("keydown", (event) => {
    const writes = event.target instanceof HTMLInputElement && event.target.type !== "range";
    if (event.key === "/" && !writes && !event.ctrlKey && !event.metaKey) { byId("search").focus(); event.preventDefault(); }
  });
}

/** Paper gets its own drawing: light, sharp, of what the window shows. */
function makePaper(app) {
  const paper = byId("paper");
  const draw = () => {
    const size = app.size();
    const ratio = Math.min(4, 2600 / size.width);
    paper.width = Math.round(size.width * ratio);
    paper.height = Math.round(size.height * ratio);
    paintScene(paper.getContext("2d", { alpha: false }), { ...LIGHT, back: "#ffffff" }, app.state, app.view, size, ratio);
  };
  window.addEventListener("beforeprint", draw);
  matchMedia("print").addEventListener("change", (event) => { if (event.matches) draw(); });
}

function nameThePage(app) {
  const { doc, nodes } = app.state.model;
  byId("title").textContent = shorten(plain(doc.title ?? doc.script ?? "graph"), 120);
  byId("counts").textContent = `${plural(nodes.length, "node")}, ${plural(app.state.model.edges.count, "edge")}`;
}

function watchTheSystem(app) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => app.setDark(event.matches));
  new ResizeObserver(() => { app.map.redraw(); app.tree.draw(); app.repaint(); }).observe(byId("stage"));
}

function begin() {
  const app = makeApp();
  nameThePage(app);
  makeSlider(app);
  app.start();
  listenToKeys(byId("graph"), app);
  listenToWheel(byId("graph"), app);
  listenToPointer(byId("graph"), app);
  makeSearch(byId("search"), byId("results"), app);
  makeButtons(app);
  makePaper(app);
  watchTheSystem(app);
  app.stats.ready = performance.now();
  // For the tests, and for whoever looks with the browser's console.
  window.shapeflow = app;
}

begin();
