// One answer: its values, sentence and notes; then what proves it, and how it was found.

import { post } from "./api.js";
import { counted, make, part, prose, tableOf } from "./dom.js";
import { drawn } from "./drawing.js";

const MOST_TRIPLES = 200;

/** The card of a reply of `ask` or `query`; `act` has what its buttons do: ask, rerun, follow, say. */
export function answerCard(reply, about, act) {
  const { answer } = reply;
  const question = answer.question || "";
  const card = make("article", { class: "card" });
  card.append(
    make("p", { class: "asked" }, question || "Program"),
    values(answer),
    answer.sentence ? make("p", { class: "sentence" }, answer.sentence) : "",
    questionsBack(reply.questions, act),
    readings(answer, act),
    notes(answer),
    make("div", { class: "drawing-place" }),
    make("div", { class: "names-place" }),
    evidence(answer),
    program(answer),
    judge(reply, about, act),
  );
  return card;
}

/** Adds what comes after the answer: the drawing of its evidence, and the names with their other candidates. */
export function addExtras(card, extras, reply, act) {
  const drawing = drawn(extras.drawing);
  if (drawing) card.querySelector(".drawing-place").replaceChildren(drawing);
  if (extras.names.length) card.querySelector(".names-place").replaceChildren(names(extras.names, reply, act));
}

function values(answer) {
  if (answer.abstained) return make("p", { class: "none" }, "No answer");
  if (answer.columns.length) return tableOf(answer.columns, answer.rows, { class: "values-table" }, "Answer");
  const values = answer.periods.length ? answer.periods : answer.answer;
  const several = values.length > 3 ? " several" : "";
  return make("ul", { class: `values${several}` }, values.map((value) => make("li", {}, String(value))));
}

function notes(answer) {
  const doubts = answer.warnings.filter((text) => !answer.details.includes(text));
  if (!doubts.length) return "";
  const each = doubts.map((text) => make("p", { class: "note" }, prose(text)));
  return make("section", { class: "notes", "aria-label": "Notes" }, each);
}

function readings(answer, act) {
  if (!answer.readings?.length) return "";
  const chips = answer.readings.map(({ meaning, program }) => make(
    "button",
    { type: "button", onclick: () => act.rerun({ answer: { program, question: answer.question } }, []) },
    meaning,
  ));
  const title = make("h2", {}, "What do you mean?");
  return make("section", { class: "back", "aria-label": "Readings of the question" }, title, make("div", { class: "chips" }, chips));
}

function questionsBack(questions, act) {
  if (!questions.length) return "";
  const asked = questions.map(({ name, choices }) => [
    make("h2", {}, `Which “${name}”?`),
    make("div", { class: "chips" }, choices.map((choice) => make(
      "button",
      { type: "button", "aria-pressed": String(choice.taken), onclick: () => act.ask(choice.question) },
      choice.node,
    ))),
  ]);
  return make("section", { class: "back", "aria-label": "A question back" }, asked.flat());
}

function names(all, reply, act) {
  const doubtful = all.filter((one) => one.is_doubtful).length;
  const rows = all.map((one) => {
    const is = one.nodes.join(", ");
    const said = one.name === is ? `${one.role}: “${one.name}”` : `${one.role}: “${one.name}” was read as “${is}”`;
    const more = one.nodes.length > 1 ? one.nodes.map((node) => ({ node })) : [];
    const chips = [...more, ...one.others].map((other) => make(
      "button",
      { type: "button", onclick: () => act.rerun(reply, [{ name: one.name, role: one.role, node: other.node }]) },
      other.node,
      other.score === undefined ? "" : make("span", { class: "score" }, `${Math.round(other.score * 100)} %`),
    ));
    const which = one.is_doubtful ? make("h2", {}, `Which “${one.name}”?`) : null;
    const rest = chips.length ? make("div", { class: "chips", role: "group", "aria-label": `Other meanings of ${one.name}` }, chips)
      : make("p", { class: "sentence" }, "Nothing else is like it.");
    return make("div", { class: "name" }, which, make("p", {}, said), rest);
  });
  const section = part("Names", doubtful ? "another one fits as well" : `${all.length}, choose another to ask again`, rows);
  section.open = doubtful > 0;
  section.classList.add("names");
  return section;
}

function evidence(answer) {
  const all = answer.evidence_periods?.length ? answer.evidence_periods : answer.evidence;
  if (!all.length) return "";
  const rows = all.slice(0, MOST_TRIPLES).map((t) => [t.node1, t.node2, t.condition.join(" · "), t.source]);
  const more = all.length > MOST_TRIPLES ? make("p", { class: "sentence" }, `The first ${MOST_TRIPLES} are shown.`) : null;
  const table = tableOf(["Relation or thing", "Value", "Of which fact", "Source"], rows, {}, "Evidence as triples");
  return part("Evidence", counted(all.length, "triple"), table, more);
}

function program(answer) {
  if (!answer.program) return "";
  const gave = answer.queries.length ? make("ol", { class: "steps" }, answer.queries.map((line) => make("li", {}, line))) : null;
  const steps = answer.steps.length ? make("ul", { class: "steps" }, answer.steps.map((line) => make("li", {}, line))) : null;
  const cypher = answer.cypher.length ? answer.cypher[answer.cypher.length - 1] : "";
  const left = make("div", {}, make("h3", {}, "Program"), make("pre", { tabindex: "0" }, answer.program.trim()),
    gave ? make("h3", {}, "What each query gave") : null, gave, steps ? make("h3", {}, "Steps") : null, steps);
  const right = make("div", {}, make("h3", {}, "Cypher that was run"), make("pre", { tabindex: "0" }, cypher));
  const said = [...(answer.because ? [`Why this program: ${answer.because}`] : []), ...answer.details];
  const why = said.map((text) => make("p", { class: "sentence" }, prose(text)));
  const seconds = answer.seconds.total ?? 0;
  return part("How it was found", seconds ? `${seconds.toFixed(2)} s` : "", ...why, make("div", { class: "beside" }, left, right));
}

function judge(reply, about, act) {
  const { answer, number } = reply;
  const row = make("div", { class: "judge" });
  const said = make("span", { role: "status" });
  const form = wrongForm(reply, said, act);
  if (about.writes && number && answer.question) {
    const right = make("button", { type: "button", class: "right", disabled: answer.abstained, onclick: async () => {
      if (await say(said, () => post("/right", { number }), "Thank you. It is kept as a demonstration.")) await act.judged();
    } }, "✓ Right");
    const wrong = make("button", { type: "button", "aria-expanded": "false", onclick: () => {
      form.hidden = !form.hidden;
      wrong.setAttribute("aria-expanded", String(!form.hidden));
      if (!form.hidden) form.querySelector("input").focus();
    } }, "✗ Wrong");
    row.append(right, wrong);
  }
  if (about.llm && number) row.append(make("button", { type: "button", onclick: () => act.follow(reply) }, "Follow up"));
  row.append(said);
  if (answer.browser) {
    const opens = { class: "end browser", href: answer.browser, target: "_blank", rel: "noopener noreferrer" };
    row.append(make("a", opens, "See it in Neo4j Browser"));
  }
  return row.childElementCount > 1 ? make("div", {}, row, form) : "";
}

function wrongForm(reply, said, act) {
  const input = make("input", { type: "text", id: `right-${reply.number}`, maxlength: "2000" });
  const send = async (event) => {
    event.preventDefault();
    const answers = input.value.split(";").map((text) => text.trim()).filter(Boolean);
    const done = answers.length ? "Kept with its correction." : "Marked as wrong. Say what is right if you find out.";
    if (!(await say(said, () => post("/wrong", { number: reply.number, answers }), done))) return;
    form.hidden = true;
    await act.judged();
  };
  const form = make("form", { class: "wrong", hidden: true, onsubmit: send },
    make("label", { for: input.id }, "What is right? Several values with ; between them"), input,
    make("p", { class: "sentence" }, "Leave it empty if you do not know: then the answer is only marked as wrong."),
    make("button", { type: "submit" }, "Send"));
  return form;
}

async function say(where, doing, done) {
  try {
    await doing();
    where.textContent = done;
    return true;
  } catch (failure) {
    where.textContent = [failure.message, failure.hint].filter(Boolean).join(" ");
    return false;
  }
}
