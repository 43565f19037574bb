/* Words for people: numbers, shapes and names as they are shown. Nothing here touches the page.
 * Names come from a stranger's program: whatever could hide or reorder text is made visible. */

/** Controls and direction marks as escapes, so that a name cannot disguise itself. */
function plain(text) {
  return String(text ?? "").replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** The same for text of several lines: its line breaks and tabs are meant. */
function plainLines(text) {
  return String(text ?? "").replace(/\t/g, "    ").split(/\r?\n/).map(plain).join("\n");
}

/** At most `limit` characters, the middle left out: both ends of a name tell something. */
function shorten(text, limit) {
  const letters = [...text.slice(0, limit * 2)];
  if (letters.length <= limit && text.length <= limit * 2) return text;
  const head = Math.ceil((limit - 1) * 0.6);
  const tail = [...text.slice(-limit * 2)].slice(-(limit - 1 - head)).join("");
  return letters.slice(0, head).join("") + "\u2026" + tail;
}

function lastPart(name) {
  return name.slice(name.lastIndexOf("/") + 1) || name;
}

const DIGITS = new Intl.NumberFormat("en");

function wholeNumber(value) {
  return DIGITS.format(value);
}

function scaled(value, units, step) {
  let k = 0;
  while (value >= step && k < units.length - 1) { value /= step; k += 1; }
  const digits = k === 0 ? 0 : value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toFixed(digits) + units[k];
}

function inBytes(value) {
  return value === null || value === undefined ? "unknown" : scaled(value, [" B", " KiB", " MiB", " GiB", " TiB"], 1024);
}

function inFlops(value) {
  return value === null || value === undefined ? "unknown"
    : scaled(value, ["", " thousand", " million", " billion", " trillion"], 1000);
}

const ITEM_BYTES = new Map(Object.entries({
  float16: 2, bfloat16: 2, half: 2, float32: 4, float64: 8, int8: 1, uint8: 1, int16: 2, uint16: 2,
  int32: 4, uint32: 4, int64: 8, uint64: 8, bool: 1, complex64: 8, complex128: 16, qint8: 1, quint8: 1,
  qint16: 2, quint16: 2, qint32: 4,
}));

/** Bytes of a shape whose dimensions are all numbers, else null. */
function bytesOfShape(shape, dtype) {
  const size = ITEM_BYTES.get(String(dtype).replace(/_ref$/, ""));
  const match = /^\(([\d, ]*)\)$/.exec(shape);
  if (size === undefined || match === null) return null;
  return match[1].split(",").map((part) => part.trim()).filter((part) => part !== "")
    .reduce((product, part) => product * Number(part), size);
}

/** Lines of at most `width` characters, broken at blanks where there are any; at most `count` lines. */
function wrapped(text, width, count) {
  const lines = [];
  let line = "";
  for (const word of text.slice(0, width * (count + 2)).split(/\s+/)) {
    let rest = word;
    while (rest.length > width) {
      if (line !== "") { lines.push(line); line = ""; }
      lines.push(rest.slice(0, width));
      rest = rest.slice(width);
    }
    if (line !== "" && line.length + 1 + rest.length > width) { lines.push(line); line = rest; }
    else line = line === "" ? rest : `${line} ${rest}`;
  }
  if (line !== "") lines.push(line);
  if (lines.length > count) {
    lines.length = count;
    lines[count - 1] = lines[count - 1].slice(0, width - 1) + "\u2026";
  }
  return lines;
}

/** The text of a shape in pieces: { text, wrong }, the dims of those axes are wrong. */
function shapeParts(shape, axes) {
  const inner = /^\((.*?),?\)$/.exec(shape);
  if (!inner || !axes || axes.length === 0) return [{ text: shape, wrong: false }];
  const dims = inner[1].split(", ");
  const wrong = new Set(axes.map((axis) => (axis < 0 ? axis + dims.length : axis)));
  const parts = dims.flatMap((dim, k) => [{ text: k > 0 ? ", " : "(", wrong: false }, { text: dim, wrong: wrong.has(k) }]);
  return [...parts, { text: dims.length === 1 ? ",)" : ")", wrong: false }];
}

function plural(count, word) {
  return `${wholeNumber(count)} ${word}${count === 1 ? "" : "s"}`;
}
