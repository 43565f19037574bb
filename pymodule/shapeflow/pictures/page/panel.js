/* The panel on the right: the chosen node, group, edge or finding in full. Every node named in it is a
 * button, so that the graph can be walked along its edges by keyboard. */

const LISTED = 40;

function facts(rows) {
  const list = element("dl", { class: "facts" });
  for (const [term, value] of rows) {
    if (value === null || value === undefined || value === "") continue;
    list.append(element("dt", null, term), element("dd", null, value));
  }
  return list;
}

function itemButton(app, item, label) {
  return element("button", { type: "button", class: "link", onclick: () => app.goTo(item) }, nameOf((label ?? item.name) || item.title, 200));
}

function section(title, ...content) {
  return element("section", null, element("h3", null, title), ...content);
}

function listed(items, make) {
  const rows = items.slice(0, LISTED).map((item, k) => element("li", null, ...[make(item, k)].flat()));
  if (items.length > LISTED) rows.push(element("li", { class: "soft" }, `and ${wholeNumber(items.length - LISTED)} more`));
  return element("ul", { class: "plain" }, ...rows);
}

function sourceBlock(model, source) {
  const place = placeOf(model, source);
  if (place === null) return null;
  return section("Source", element("p", { class: "place" }, nameOf(`${place.path}:${place.line}`, 300)),
    place.code === "" ? null : element("pre", { class: "code", tabindex: "0", "aria-label": "source line" },
      element("span", { class: "gutter" }, `${place.line} `), plainLines(place.code.trimEnd())));
}

function shapeText(app, node, output) {
  const { lens, model } = app.state;
  const dtype = model.doc.nodes[node].outputs?.[output]?.dtype ?? "";
  return element("code", { class: lens.changedOutput(node, output) ? "shape changed" : "shape" },
    `${shorten(plain(lens.shape(node, output)), 400)} ${plain(dtype)}`);
}

function attrFacts(node) {
  return Object.entries(node.attrs ?? {}).map(([name, value]) => [plain(name), element("code", null, shorten(plain(value), 200))]);
}

function attrSection(node) {
  const rows = attrFacts(node);
  return rows.length > 0 ? section("Attributes", facts(rows)) : null;
}

function operandRows(app, index) {
  const { model } = app.state;
  const edges = (neighbours(model).inputs.get(index) ?? []).slice().sort((a, b) => model.edges.input[a] - model.edges.input[b]);
  const data = edges.filter((e) => model.edges.output[e] >= 0);
  const control = edges.filter((e) => model.edges.output[e] < 0);
  const row = (e) => {
    const from = model.edges.from[e];
    return [element("span", { class: "soft" }, `${model.edges.input[e]}: `), itemButton(app, model.nodes[from]), " ", shapeText(app, from, model.edges.output[e])];
  };
  return [data.length > 0 ? section("Operands", listed(data, row)) : null,
    control.length > 0 ? section("Runs after", listed(control, (e) => itemButton(app, model.nodes[model.edges.from[e]]))) : null];
}

function consumerRows(app, index) {
  const { model } = app.state;
  const to = [...new Set((neighbours(model).consumers.get(index) ?? []).map((e) => model.edges.to[e]))];
  return to.length > 0 ? section("Used by", listed(to, (node) => itemButton(app, model.nodes[node]))) : null;
}

function valueText(holder) {
  return holder?.value ? element("code", { class: "value" }, ` = ${shorten(plain(holder.value), 200)}`) : null;
}

function resultRows(app, index) {
  const outputs = app.state.model.doc.nodes[index].outputs ?? [];
  if (outputs.length === 0) return section("Results", element("p", { class: "soft" }, "none"));
  return section(outputs.length > 1 ? "Results" : "Result", listed(outputs, (_, k) => [
    outputs.length > 1 ? element("span", { class: "soft" }, `${k}: `) : null, shapeText(app, index, k), valueText(outputs[k]),
    element("span", { class: "soft" }, ` ${inBytes(app.state.lens.bytes(index, k))}`),
    app.state.lens.changedOutput(index, k) ? element("span", { class: "changed" }, " changed by this run") : null].filter(Boolean)));
}

function crumbs(app, item) {
  const path = ancestors(item).reverse().slice(1);
  if (path.length === 0) return null;
  if (path.length > 9) path.splice(3, path.length - 8, null);
  const parts = path.flatMap((group, k) => [k > 0 ? " \u203a " : null, group ? itemButton(app, group, group.title) : "\u2026"]);
  return element("p", { class: "crumbs" }, "in ", ...parts);
}

function nodePanel(app, item) {
  const { model } = app.state;
  const node = model.doc.nodes[item.index];
  const finding = app.state.context.findingOf.get(item.index);
  return [
    element("h2", null, nameOf(String(node.op), 120)),
    element("p", { class: "full-name" }, nameOf(item.name)),
    crumbs(app, item),
    finding ? findingBlock(app, finding) : null,
    finding && (finding.operands ?? []).length > 0 ? null : attrSection(node),
    resultRows(app, item.index),
    ...(finding && (finding.operands ?? []).length > 0 ? [] : operandRows(app, item.index)),
    facts([
      ["Parameters", typeof node.parameters === "number" ? `${wholeNumber(node.parameters)}, ${node.trainable === false ? "not trainable" : "trainable"}` : null],
      ["FLOPs", typeof node.flops === "number" ? inFlops(node.flops) : "unknown"],
      ["At the peak", typeof node.held === "number" ? inBytes(node.held) : null],
      ["Device", node.device ? plain(node.device) : null],
    ]),
    finding ? null : sourceBlock(model, node.source),
    consumerRows(app, item.index),
  ];
}

function totalsList(model, group) {
  const totals = totalsOf(model, group);
  const part = (count, word) => (count > 0 ? ` + ${plural(count, word)} of unknown cost` : "");
  return facts([
    ["Nodes", wholeNumber(totals.nodes)],
    ["Parameters", wholeNumber(totals.parameters)],
    ["FLOPs", totals.flops === 0 && totals.unknownFlops > 0 ? "unknown" : inFlops(totals.flops) + part(totals.unknownFlops, "node")],
    ["Bytes", inBytes(totals.bytes) + (totals.unknownBytes > 0 ? ` + ${plural(totals.unknownBytes, "tensor")} of unknown size` : "")],
    ["At the peak", totals.held > 0 ? inBytes(totals.held) : null],
  ]);
}

function groupPanel(app, group) {
  const kind = KIND_WORDS[group.kind] || "scope";
  return [
    element("h2", null, nameOf(group.title, 160)),
    element("p", { class: "full-name" }, `${kind} `, nameOf(group.name)),
    crumbs(app, group),
    element("p", null, element("button", { type: "button", onclick: () => app.toggle(group) }, group.open ? "Close this group" : "Open this group")),
    totalsList(app.state.model, group),
    section("In it", listed(group.children, (child) => itemButton(app, child, child.title))),
  ];
}

function wirePanel(app, wire) {
  const { model } = app.state;
  const tensors = [...new Map(wire.edges.map((e) => [tensorKey(model, e), e])).values()];
  const ends = (e) => [itemButton(app, model.nodes[model.edges.from[e]]), " \u2192 ", itemButton(app, model.nodes[model.edges.to[e]]), " ",
    model.edges.output[e] < 0 ? element("span", { class: "soft" }, "control edge") : shapeText(app, model.edges.from[e], model.edges.output[e])];
  return [element("h2", null, tensors.length > 1 ? `${wholeNumber(tensors.length)} tensors` : "Edge"), listed(wire.edges, ends)];
}

function diffBlock(diff) {
  const lines = String(diff ?? "").trimEnd().split("\n").map((line) => {
    const tag = line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : "span";
    return element(tag, null, `${plainLines(line)}\n`);
  });
  return element("pre", { class: "code diff", tabindex: "0", "aria-label": "diff of the fix" }, ...lines);
}

/** "50 of tensor (axis 0)" for each dimension that came this way. */
function chainTitle(finding, chain) {
  const parts = chain.dims.slice(0, 8).flatMap(({ dim, operand, axis }, k) => [k > 0 ? ", " : null,
    element("code", null, shorten(plain(dim), 60)),
    ...(finding.operands?.[operand] ? [" of ", nameOf(String(finding.operands[operand].name), 80), ` (axis ${axis})`] : [])]);
  return ["Where ", ...parts, " came from"];
}

function chainBlock(app, finding, chain, c) {
  const { model } = app.state;
  const nodes = (chain.nodes ?? []).filter((node) => valid(node, model.nodes.length));
  const rows = nodes.map((node, k) => {
    const step = nodes[0] === finding.node ? k : k + 1;
    const place = placeOf(model, model.doc.nodes[node].source);
    return element("li", null,
      element("span", { class: `badge chain${c % CHAIN_COLOURS}` }, step === 0 ? "!" : step), " ",
      itemButton(app, model.nodes[node]), " ",
      model.doc.nodes[node].outputs?.length ? shapeText(app, node, 0) : null,
      place ? element("span", { class: "place" }, ` ${shorten(place.path, 60)}:${place.line}`) : null,
      k === nodes.length - 1 ? element("span", { class: "soft" }, " fixed it") : null);
  });
  return element("details", { class: "chain" }, element("summary", null, ...chainTitle(finding, chain), element("span", { class: "soft" },
    `, ${plural(Math.max(0, nodes.length - 1), "step")}`)), element("ol", { class: "plain" }, ...rows));
}

/** A line of source with its place, `file:line` and what it says. */
function sourceLine(model, source, lead) {
  const place = placeOf(model, source);
  if (place === null) return null;
  return element("div", { class: "told" }, element("span", null, lead, " ", element("span", { class: "place" }, nameOf(`${place.path}:${place.line}`, 300))),
    place.code === "" ? null : element("pre", { class: "code", tabindex: "0", "aria-label": `line ${place.line}` },
      element("span", { class: "gutter" }, `${place.line} `), plainLines(place.code.trim())));
}

function shapeSpans(shape, axes) {
  return element("code", { class: "shape" }, ...shapeParts(shorten(plain(shape), 400), axes).map(({ text, wrong }) =>
    (wrong ? element("strong", { class: "wrong" }, text) : text)));
}

function findingOperand(app, operand) {
  const { nodes } = app.state.model;
  const role = operand.expression ? element("span", { class: "soft" }, ` (${plain(operand.name)})`) : null;
  return [nameOf(operandName(operand), 120), role, ": ", shapeSpans(operand.shape, operand.axes), valueText(operand),
    ...(valid(operand.node, nodes.length) ? [" ", element("span", { class: "soft" }, "from "), itemButton(app, nodes[operand.node])] : [])];
}

/** In the order in which it is read: what is wrong, in which line, with which operands, what helps; then how it came. */
function findingBlock(app, finding) {
  const { model } = app.state;
  const operands = finding.operands ?? [];
  const node = valid(finding.node, model.nodes.length) ? model.doc.nodes[finding.node] : null;
  const calls = (finding.notes ?? []).filter((note) => note.text.startsWith("called from"));
  const origins = (finding.notes ?? []).filter((note) => !calls.includes(note));
  const told = (note) => sourceLine(model, note.place, plain(note.text)) ?? element("p", null, plain(note.text));
  const source = [sourceLine(model, finding.place ?? node?.source, "at"), ...calls.map(told)].filter(Boolean);
  const chains = chainsOf(finding).slice(0, 12).map((chain, c) => chainBlock(app, finding, chain, c));
  return element("div", { class: finding.error ? "finding" : "finding warning" },
    element("p", { class: "code-name" }, `${finding.error ? "error" : "warning"} ${plain(finding.code)}`),
    element("p", { class: "message" }, plainLines(finding.message)),
    source.length > 0 ? section("Source", ...source) : null,
    operands.length > 0 ? section("Operands", listed(operands, (operand) => findingOperand(app, operand).filter(Boolean))) : null,
    node && operands.length > 0 ? attrSection(node) : null,
    finding.fix ? element("section", null, element("h3", null, "Fix, tried: ", plain(finding.fix.title)), diffBlock(finding.fix.diff)) : null,
    origins.length > 0 ? section("Where the sizes came from", ...origins.map(told)) : null,
    chains.length > 0 ? section("Step by step", ...chains) : null);
}

function overviewPanel(app) {
  const { model } = app.state;
  const findings = model.doc.findings ?? [];
  return [
    element("h2", null, "Overview"),
    totalsList(model, model.root),
    findings.length > 0 ? section("Findings", listed(findings, (finding, k) => element("button",
      { type: "button", class: "link", onclick: () => app.showFinding(k) }, `${plain(finding.code)}: ${shorten(plainLines(finding.message), 160)}`))) : null,
    section("Keys", facts([
      ["Arrows", "move; with Shift further"], ["+  \u2212  0", "zoom in, out, to 100 %"], ["f", "whole graph"],
      ["Enter", "open or close the chosen group"], ["c", "bring what is chosen into view"], ["n", "next finding"],
      ["/", "search"], ["Escape", "choose nothing"]])),
  ];
}

function showPanel(panel, app) {
  const { selected, selectedWire, loose } = app.state;
  const content = selectedWire ? wirePanel(app, selectedWire)
    : selected === null ? (loose ? [element("h2", null, "Finding"), findingBlock(app, loose)] : overviewPanel(app))
      : isGroup(selected) ? groupPanel(app, selected) : nodePanel(app, selected);
  panel.replaceChildren(...content.filter(Boolean));
  panel.scrollTop = 0;
}
