// The panels beside the answer: sources with what is in them, upload, and history.

import { get, upload } from "./api.js";
import { at, counted, make } from "./dom.js";

/** Shows the sources, and the boxes that choose among them; `run` runs an example, `about` says whether there is an LLM. */
export async function showSources(run, about) {
  const sources = (await get("/sources")).filter((source) => source.state === "ready");
  at("sources").replaceChildren(...(sources.length ? sources.map((source) => sourceItem(source, run, about))
    : [make("li", {}, "There are none yet. Add a file here, or with cgstore load.")]));
  const askable = sources.filter((source) => source.kind !== "aliases");
  at("choices").replaceChildren(...askable.map((source) => make("label", {},
    make("input", { type: "checkbox", value: source.name, onchange: sayChosen }), ` ${source.name}`)));
  at("choose").hidden = askable.length < 2;
  sayChosen();
}

export const chosenSources = () => [...at("choices").querySelectorAll("input:checked")].map((box) => box.value);

function sayChosen() {
  const chosen = chosenSources();
  at("chosen").textContent = chosen.length ? chosen.join(", ") : "all sources";
}

function sourceItem(source, run, about) {
  const inside = make("div", {}, make("p", {}, "Looking …"));
  const details = make("details", {}, make("summary", {}, source.name), inside);
  details.addEventListener("toggle", async () => {
    if (!details.open || details.dataset.read) return;
    details.dataset.read = "yes";
    try {
      inside.replaceChildren(...described(await get(`/sources/${encodeURIComponent(source.name)}`), run, about.llm));
    } catch (failure) {
      inside.replaceChildren(make("p", {}, failure.message));
    }
  });
  return make("li", {}, details);
}

function described(about, run, llm) {
  const noun = about.kind === "table" ? "cell" : "fact";
  const times = about.first ? `, ${about.first} to ${about.last}` : "";
  const items = [...about.relations, ...about.qualifiers].map((each) => make("li", {}, make("b", {}, each.name), detail(each, noun)));
  const askable = about.kind === "table" && !llm ? [] : about.examples; // asked again, those of tables need an LLM
  const questions = askable.map((each) => make("li", {},
    make("button", { type: "button", class: "link", onclick: () => run(each) }, each.question)));
  const joins = about.joins.map((each) => make("li", {}, joined(each)));
  return [
    make("p", {}, `${about.kind}: ${about.size}${times}`),
    make("ul", { class: "relations" }, items),
    joins.length ? make("p", {}, "Values that other sources have too:") : "",
    joins.length ? make("ul", { class: "relations" }, joins) : "",
    questions.length ? make("p", {}, "To begin with:") : "",
    questions.length ? make("ul", { class: "relations" }, questions) : "",
  ];
}

function joined(each) {
  const other = each.other_relation ? `${each.other_source}.${each.other_relation}` : `the heads of ${each.other_source}`;
  return `${each.source}.${each.relation} = ${other} (${each.shared} of ${each.of} values)`;
}

/** What is under a name: the kind of its values and how many there are; then their range, or some of them. */
function detail(each, noun) {
  const values = each.values.length ? each.values : each.example.slice(-1);
  const shown = each.least ? `from ${each.least} to ${each.greatest}` : values.length ? `such as ${values.join(" | ")}` : "";
  return [
    make("span", { class: "kind" }, each.role ? `${each.kind}, ${each.role}` : each.kind),
    each.facts ? make("span", { class: "score" }, counted(each.facts, noun)) : null,
    shown ? make("p", {}, shown) : null,
  ];
}

/** Makes the form of a file work; `loaded` is called after each load. */
export function bindUpload(loaded) {
  at("upload").addEventListener("submit", async (event) => {
    event.preventDefault();
    const [file] = at("file").files;
    const state = at("upload-state");
    const button = at("upload").querySelector("button");
    button.disabled = true;
    state.textContent = `Sending ${file.name} …`;
    try {
      await upload(file, at("kind").value, (told) => {
        if (told.event === "received") state.textContent = `Reading ${file.name} as ${told.kind} …`;
        if (told.event === "waiting") state.textContent = `Loading ${file.name}, ${told.seconds} s …`;
        if (told.event === "loaded") state.textContent = loadedText(told.report);
      });
      await loaded();
    } catch (failure) {
      state.textContent = [failure.message, failure.hint].filter(Boolean).join(" ");
    } finally {
      button.disabled = false;
    }
  });
}

function loadedText(report) {
  const what = report.unchanged ? "was loaded before" : `has ${counted(report.facts, "fact")} now`;
  return [`“${report.source}” ${what}.`, ...report.warnings].join(" ");
}

let historyAsked = 0;

/** Shows the last questions; a click asks one again. A reply that comes after that of a later call is too old to be shown. */
export async function showHistory(ask) {
  const turn = ++historyAsked;
  const all = await get("/history");
  if (turn !== historyAsked) return;
  const newest = new Map(all.toReversed().map((entry) => [entry.question, entry]));
  const entries = all.filter((entry) => newest.get(entry.question) === entry);
  at("history").replaceChildren(...(entries.length ? entries.slice(0, 30).map((entry) => make("li", {},
    make("button", { type: "button", class: "link", onclick: () => ask(entry.question) }, entry.question),
    make("p", {}, gave(entry), judgement(entry))))
    : [make("li", {}, "Your questions will stand here.")]));
}

const gave = (entry) => (entry.total ? `${entry.values.slice(0, 3).join(", ")}${entry.total > 3 ? ", …" : ""}` : "No answer");

function judgement({ judged }) {
  if (!judged) return null;
  return make("span", { class: `judged ${judged}-one` }, judged === "right" ? "✓ marked right" : "✗ marked wrong");
}
