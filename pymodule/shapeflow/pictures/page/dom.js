/* Making elements. Text enters the page here and nowhere else, always as text: a name that looks like
 * markup stays a name. */

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key === "onclick") made.addEventListener("click", value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined).map((child) =>
    (child instanceof Node ? child : document.createTextNode(String(child)))));
  return made;
}

/** A name of the program: kept apart from the text round it, whatever its script's direction. */
function nameOf(text, limit) {
  return element("bdi", { title: text.length > (limit ?? Infinity) ? plain(text).slice(0, 2000) : null },
    shorten(plain(text), limit ?? 100000));
}

function byId(id) {
  return document.getElementById(id);
}
