/* Search by name, op, place (file:line) and shape: every word must be found somewhere in the item. */

const HITS = 200;

function searchIndex(model) {
  const nodes = model.nodes.map((item) => {
    const node = model.doc.nodes[item.index];
    const place = placeOf(model, node.source);
    const fields = [item.name, String(node.op), place ? `${place.path}:${place.line}` : "",
      (node.outputs ?? []).map((output) => `${output.shape} ${output.dtype}`).join(" ")];
    return { item, fields, text: fields.join("\n").toLowerCase() };
  });
  const groups = [...model.groups, ...model.parts].filter((item) => item.size > 0)
    .map((item) => ({ item, fields: [item.name, KIND_WORDS[item.kind] || "group", "", ""], text: item.name.toLowerCase() }));
  return [...groups, ...nodes];
}

/** Blanks separate words, except inside brackets: "(n, 10)" is one thing to look for. */
function searchWords(query) {
  return query.toLowerCase().match(/\([^)]*\)?|[^\s(]+/g) ?? [];
}

function score(entry, words) {
  const name = entry.fields[0].toLowerCase();
  const last = lastPart(name);
  const op = entry.fields[1].toLowerCase();
  const place = entry.fields[2].toLowerCase();
  const shapes = entry.fields[3].toLowerCase();
  let best = 9;
  for (const word of words) {
    if (name === word || last === word || place === word || place.endsWith(`/${word}`)) best = Math.min(best, 0);
    else if (op === word || shapes.startsWith(`${word} `)) best = Math.min(best, 1);
    else if (last.startsWith(word)) best = Math.min(best, 2);
    else if (op.startsWith(word)) best = Math.min(best, 3);
  }
  return best;
}

function searchFor(index, query) {
  const words = searchWords(query);
  if (words.length === 0) return { hits: [], total: 0 };
  const found = index.filter((entry) => words.every((word) => entry.text.includes(word)));
  const ranked = found.map((entry) => ({ entry, score: score(entry, words) })).sort((a, b) => a.score - b.score);
  return { hits: ranked.slice(0, HITS).map((one) => one.entry), total: found.length };
}

/** The search field and its list of hits: a combobox, as screen readers know it. */
function makeSearch(input, list, app) {
  let index = null;
  let hits = [];
  let active = -1;

  const mark = (next) => {
    active = next;
    [...list.children].forEach((row, k) => row.setAttribute("aria-selected", String(k === active)));
    const row = list.children[active];
    if (row) { input.setAttribute("aria-activedescendant", row.id); row.scrollIntoView({ block: "nearest" }); }
    else input.removeAttribute("aria-activedescendant");
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    mark(-1);
  };
  const choose = (k) => {
    if (!hits[k]) return;
    close();
    app.goTo(hits[k].item);
  };
  const show = () => {
    index ??= searchIndex(app.state.model);
    const result = searchFor(index, input.value);
    hits = result.hits;
    list.replaceChildren(...hits.map((entry, k) => hitRow(app.state.model, entry, k, choose)));
    const none = input.value.trim() === "";
    list.hidden = none || hits.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    byId("hits").textContent = none ? "" : result.total > hits.length
      ? `${plural(result.total, "hit")}, the first ${hits.length} shown` : plural(result.total, "hit");
    mark(hits.length > 0 && !none ? 0 : -1);
  };
  input.addEventListener("input", show);
  input.addEventListener("focus", () => { if (input.value.trim() !== "") show(); });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") mark(Math.min(hits.length - 1, active + 1));
    else if (event.key === "ArrowUp") mark(Math.max(0, active - 1));
    else if (event.key === "Enter") choose(Math.max(0, active));
    else if (event.key === "Escape") { input.value = ""; show(); }
    else return;
    event.preventDefault();
  });
}

function hitRow(model, entry, k, choose) {
  const { item, fields } = entry;
  const shape = isGroup(item) ? plural(item.size, "node") : shorten(plain(fields[3]), 30);
  const row = element("div", { role: "option", id: `hit${k}`, class: "hit", "aria-selected": "false" },
    element("span", { class: "hit-name" }, nameOf(item.name || item.title, 60)),
    element("span", { class: "hit-more" }, [shorten(plain(fields[1]), 30), shape, shorten(fields[2], 40)].filter(Boolean).join(" \u00b7 ")));
  // pointerdown, not click: the field's blur would close the list first.
  row.addEventListener("pointerdown", (event) => { event.preventDefault(); choose(k); });
  return row;
}
