// The page: a question goes out, its progress comes in, and then its answer.

import { Unanswered, get, post, stream } from "./api.js";
import { enter, entitle, keep, kept, questionHere } from "./address.js";
import { addExtras, answerCard } from "./answer.js";
import { at, make, prose } from "./dom.js";
import { bindUpload, chosenSources, showHistory, showSources } from "./panels.js";

const about = { llm: false, writes: false };
let following = null;
let running = null;
let nextLook = 0;

const act = { ask: (question) => ask(question), rerun: (...given) => rerun(...given), follow, judged: () => showHistory(act.ask) };

/** Stops what runs, and begins something else. */
function begin() {
  if (running) running.abort();
  running = new AbortController();
  return running;
}

async function ask(question) {
  at("question").value = question;
  const mine = begin();
  enter(question);
  const body = { question, sources: chosenSources(), after: following ? following.numbers : [], explore: at("explore").checked };
  const list = progressList();
  let card = null;
  let reply = null;
  try {
    await stream("/ask", body, (event) => {
      if (mine !== running) return;
      if (event.event === "answer") {
        reply = event;
        card = show(event);
        keep({ reply });
      } else if (event.event === "extras") {
        addExtras(card, event, reply, act);
        keep({ reply, extras: event });
      } else {
        tell(list, event);
      }
    }, mine.signal);
    await showHistory(act.ask);
  } catch (failure) {
    if (mine === running && failure.name !== "AbortError") showFailure(failure);
  } finally {
    if (mine === running) running = null;
  }
}

function rerun(reply, replace) {
  const question = reply.answer.question || "";
  enter(question, true);
  return run({ program: reply.answer.program, replace, question });
}

function runExample({ question, program }) {
  at("question").value = question;
  enter(question);
  return run({ program, question });
}

async function run(body) {
  const mine = begin();
  progressList();
  try {
    const reply = await post("/query", { sources: chosenSources(), ...body });
    if (mine !== running) return;
    addExtras(show(reply), reply, reply, act);
    keep({ reply, extras: reply });
    await showHistory(act.ask);
  } catch (failure) {
    if (mine === running) showFailure(failure);
  } finally {
    if (mine === running) running = null;
  }
}

/**
 * Shows what the address asks: the answer that the browser has kept with it, else that of the remembered program, which
 * needs no LLM. A question that nobody asked here before waits in the box: a link of another page asks nothing.
 */
async function restore(isReload = false) {
  if (running) running.abort();
  running = null;
  const question = questionHere();
  at("question").value = question;
  at("progress").hidden = true;
  at("answer").replaceChildren();
  entitle(question);
  const state = kept();
  if (state && state.reply) {
    const card = show(state.reply, { takesFocus: false });
    if (state.extras) addExtras(card, state.extras, state.reply, act);
    return;
  }
  if (!question) return;
  const before = (await get("/history")).find((entry) => entry.question === question);
  if (before && before.program && before.lang === "llm") {
    const { program, sources, number } = before;
    await run({ program, question, number, ...(sources.length ? { sources } : {}) });
  } else if (isReload) {
    await ask(question);
  }
}

function follow(reply) {
  const before = following && following.last === reply.number ? following.numbers : [...(following ? following.numbers : []), reply.number];
  following = { last: reply.number, numbers: before.slice(-3) };
  at("follows-what").textContent = reply.answer.question;
  at("follows").hidden = false;
  at("question").value = "";
  at("question").focus();
}

function show(reply, { takesFocus = true } = {}) {
  at("progress").hidden = true;
  const card = answerCard(reply, about, act);
  at("without").hidden = !about.backend || about.llm || !reply.answer.abstained;
  at("answer").replaceChildren(card);
  if (takesFocus) at("answer").focus({ preventScroll: true });
  return card;
}

function showFailure(failure) {
  at("progress").hidden = true;
  at("without").hidden = true;
  if (failure instanceof Unanswered) readHealth().catch(() => {});
  const hint = failure.hint ? make("p", {}, prose(failure.hint)) : null;
  at("answer").replaceChildren(make("div", { class: "note error", role: "alert" }, make("strong", {}, failure.message), hint));
}

function progressList() {
  const list = make("ul");
  at("progress").replaceChildren(list);
  at("progress").hidden = false;
  at("answer").replaceChildren();
  return list;
}

function tell(list, event) {
  const text = {
    looking: () => `Looking at ${event.what} …`,
    names: () => (event.names.length ? `Found: ${event.names.join(", ")}` : "No name of the data is in the question."),
    program: () => `Program ${event.number}: ${event.program.trim()}`,
    result: () => (event.error ? `Program ${event.number} cannot be run.`
      : event.total ? `It gave ${event.values.join(", ")}${event.total > event.values.length ? ", …" : ""}` : "It gave nothing."),
  }[event.event];
  if (event.event === "waiting") sayTaken(list, event.seconds);
  if (!text) return;
  list.querySelector(".taken")?.remove();
  list.append(make("li", {}, text()));
}

function sayTaken(list, seconds) {
  const step = list.lastElementChild || list.appendChild(make("li", {}, "Waiting …"));
  list.querySelector(".taken")?.remove();
  step.append(make("span", { class: "taken", "aria-hidden": "true" }, ` ${seconds} s`));
}

/** Shows the state of the server, and looks again: soon while it starts, later when it is ready or gone. */
async function readHealth() {
  let wait = 5000;
  try {
    const health = await get("/health");
    showHealth(health);
    if (!health.ready) wait = 700;
  } catch (failure) {
    if (!(failure instanceof Unanswered)) throw failure;
    at("state").textContent = "Not answering";
    at("state").classList.remove("ready");
  }
  clearTimeout(nextLook);
  nextLook = setTimeout(() => readHealth().catch(showFailure), wait);
}

function showHealth(health) {
  const isOther = health.backend !== about.backend;
  Object.assign(about, health);
  const doing = health.state.endsWith(".") ? health.state : `${health.state} …`;
  const by = health.note ? ", by words alone" : "";
  const text = health.ready ? `${health.llm ? `Ready, with ${health.backend}` : "Ready, with the small model"}${by}` : doing;
  at("state").title = health.note;
  if (at("state").textContent !== text) at("state").textContent = text;
  at("state").classList.toggle("ready", health.ready);
  if (isOther) at("without").hidden = !health.backend || health.llm;
  at("explore-option").hidden = !health.llm;
  at("upload").hidden = !health.uploads;
}

function bindTheme() {
  const root = document.documentElement;
  const kept = localStorage.getItem("theme");
  if (kept) root.dataset.theme = kept;
  at("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("theme", root.dataset.theme);
  });
}

function bindForm() {
  const form = at("ask");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const question = at("question").value.trim();
    if (question) ask(question);
  });
  at("question").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  at("unfollow").addEventListener("click", () => {
    following = null;
    at("follows").hidden = true;
    at("question").focus();
  });
}

bindTheme();
bindForm();
bindUpload(() => Promise.all([readHealth(), showSources(runExample, about)]));
if (matchMedia("(max-width: 56rem)").matches) document.querySelectorAll(".panel").forEach((panel) => panel.removeAttribute("open"));
at("question").focus();
addEventListener("popstate", () => restore(true).catch(showFailure));
const [{ type: arrival = "" } = {}] = performance.getEntriesByType("navigation");
const healthy = readHealth().then(() => restore(arrival === "reload"));
Promise.all([healthy, showSources(runExample, about), showHistory(act.ask)]).catch(showFailure);
