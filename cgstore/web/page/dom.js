// Elements are made of texts alone: nothing from the data is ever read as HTML.

export const at = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** The parts of a text in which code stands between backticks. */
export const prose = (text) => text.split(/`([^`]+)`/).map((piece, at) => (at % 2 ? make("code", {}, piece) : piece));

export const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

export function part(title, more, ...children) {
  const summary = make("summary", {}, make("h2", {}, title), more ? make("span", { class: "score" }, more) : null);
  return make("details", { class: "part" }, summary, make("div", {}, ...children));
}

export function tableOf(columns, rows, attributes = {}, caption = "") {
  const head = make("tr", {}, columns.map((name) => make("th", { scope: "col" }, name)));
  const body = rows.map((row) => make("tr", {}, row.map((field) => make("td", {}, textOf(field)))));
  const title = caption ? make("caption", { class: "hidden" }, caption) : null;
  const table = make("table", attributes, title, make("thead", {}, head), make("tbody", {}, body));
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption || "Table" }, table);
}

export function textOf(field) {
  if (field === null || field === undefined) return "";
  return Array.isArray(field) ? field.join("; ") : String(field);
}
