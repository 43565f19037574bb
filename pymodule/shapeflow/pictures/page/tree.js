/* The graph as a tree of groups and nodes, for screen readers and keyboards: what is open there is open
 * in the picture. Only the rows in view are elements, so that 20,000 nodes cost as much as 30. */

const ROW = 26;

/** Rows from top to bottom: { item, level, place, count }. */
function treeRows(root) {
  const rows = [];
  const stack = [{ list: root.children, next: 0 }];
  while (stack.length > 0) {
    const top = stack[stack.length - 1];
    if (top.next >= top.list.length) { stack.pop(); continue; }
    const item = top.list[top.next++];
    rows.push({ item, level: stack.length, place: top.next, count: top.list.length });
    if (isGroup(item) && item.open) stack.push({ list: item.children, next: 0 });
  }
  return rows;
}

function rowText(model, item) {
  if (isGroup(item)) return { name: item.title, more: [KIND_WORDS[item.kind], plural(item.size, "node")].filter((word) => word && word !== "part").join(", ") };
  const node = model.doc.nodes[item.index];
  const op = plain(node.op);
  return { name: item.title, more: [item.title === op ? "" : op, plain(node.outputs?.[0]?.shape ?? "")].filter(Boolean).join(" ") };
}

function treeRow(app, row, index, active) {
  const { item } = row;
  const group = isGroup(item);
  const { name, more } = rowText(app.state.model, item);
  const finding = group ? null : app.state.context.findingOf.get(item.index);
  const badges = [...new Set((app.state.marks.badges.get(item.id) ?? []).map((badge) => badge.text))].join(", ");
  const made = element("div", {
    role: "treeitem", id: `row-${item.id}`, class: `row${index === active ? " active" : ""}${finding ? " failing" : ""}`,
    "aria-level": row.level, "aria-posinset": row.place, "aria-setsize": row.count,
    "aria-selected": String(app.state.selected === item), "aria-expanded": group ? String(item.open) : null },
  element("span", { class: "twist", "aria-hidden": "true" }, group ? (item.open ? "\u25be" : "\u25b8") : ""),
  element("span", { class: "row-name" }, nameOf(name, 60)),
  finding ? element("span", { class: "row-flag" }, finding.error ? " error" : " warning") : null,
  badges ? element("span", { class: "row-flag" }, ` chain ${badges}`) : null,
  element("span", { class: "row-more" }, ` ${shorten(more, 40)}`));
  made.style.top = `${index * ROW}px`;
  made.style.paddingInlineStart = `${Math.min(row.level, 14) * 12 - 8}px`;
  return made;
}

function makeTree(tree, app) {
  let rows = [];
  let active = 0;
  const spacer = element("div", { role: "presentation", class: "spacer" });
  tree.append(spacer);

  const draw = () => {
    const first = Math.max(0, Math.floor(tree.scrollTop / ROW) - 6);
    const last = Math.min(rows.length, first + Math.ceil(tree.clientHeight / ROW) + 12);
    const shown = [];
    // The active row is always there: aria-activedescendant must name an element.
    if (active < first && rows[active]) shown.push(active);
    for (let k = first; k < last; k++) shown.push(k);
    if (active >= last && rows[active]) shown.push(active);
    spacer.replaceChildren(...shown.map((k) => treeRow(app, rows[k], k, active)));
    spacer.style.height = `${rows.length * ROW}px`;
    if (rows[active]) tree.setAttribute("aria-activedescendant", `row-${rows[active].item.id}`);
  };
  const moveTo = (next) => {
    active = Math.max(0, Math.min(rows.length - 1, next));
    const top = active * ROW;
    if (top < tree.scrollTop) tree.scrollTop = top;
    if (top + ROW > tree.scrollTop + tree.clientHeight) tree.scrollTop = top + ROW - tree.clientHeight;
    draw();
  };
  /** After something opened or closed: the same item stays active. */
  const refresh = () => {
    const item = rows[active]?.item;
    rows = treeRows(app.state.model.root);
    const again = rows.findIndex((row) => row.item === item);
    active = again >= 0 ? again : Math.min(active, Math.max(0, rows.length - 1));
    draw();
  };
  const follow = (item) => {
    const at = rows.findIndex((row) => row.item === item);
    if (at >= 0) moveTo(at); else draw();
  };
  const sideways = (forward) => {
    const { item } = rows[active];
    if (isGroup(item) && item.open !== forward) app.toggle(item);
    else if (forward) { if (isGroup(item)) moveTo(active + 1); }
    else if (item.parent !== app.state.model.root) follow(item.parent);
  };
  tree.addEventListener("scroll", draw);
  tree.addEventListener("click", (event) => {
    const row = event.target.closest("[role=treeitem]");
    const item = row && app.state.model.byId.get(row.id.slice(4));
    if (!item) return;
    if (event.target.closest(".twist") && isGroup(item)) { follow(item); app.toggle(item); return; }
    app.goTo(item);
  });
  tree.addEventListener("dblclick", (event) => {
    const row = event.target.closest("[role=treeitem]");
    const item = row && app.state.model.byId.get(row.id.slice(4));
    if (item && isGroup(item) && !event.target.closest(".twist")) app.toggle(item);
  });
  tree.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(tree.clientHeight / ROW) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length };
    if (rows.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (Object.hasOwn(steps, event.key)) moveTo(active + steps[event.key]);
    else if (event.key === "ArrowRight") sideways(true);
    else if (event.key === "ArrowLeft") sideways(false);
    else if (event.key === "Enter") app.activate(rows[active].item);
    else if (event.key === " ") app.goTo(rows[active].item);
    else return;
    event.preventDefault();
  });
  return { refresh, follow, draw };
}
