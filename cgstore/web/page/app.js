// The page: a question goes out, its progress comes in, and then its answer.

import { Unanswered, get, post, stream } from "./api.js";
import { addExtras, answerCard } from "./answer.js";
import { at, make, prose } from "./dom.js";
import { bindUpload, chosenSources, showHistory, showSources } from "./panels.js";

const about = { llm: false, writes: false };
let following = null;
let running = null;
let nextLook = 0;

const act = { ask: (question) => ask(question), rerun: (...given) => rerun(...given), follow };

async function ask(question) {
  at("question").value = question;
  if (running) running.abort();
  running = new AbortController();
  const mine = running;
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
      } else if (event.event === "extras") {
        addExtras(card, event, reply, act);
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

const rerun = (reply, replace) => run(reply.answer.program, reply.answer.question || "", replace);

const runExample = (example) => {
  at("question").value = example.question;
  return run(example.program, example.question);
};

async function run(program, question, replace = []) {
  progressList();
  try {
    const reply = await post("/query", { program, replace, question, sources: chosenSources() });
    addExtras(show(reply), reply, reply, act);
    await showHistory(act.ask);
  } catch (failure) {
    showFailure(failure);
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

function show(reply) {
  at("progress").hidden = true;
  const card = answerCard(reply, about, act);
  at("without").hidden = !about.backend || about.llm || !reply.answer.abstained;
  at("answer").replaceChildren(card);
  at("answer").focus({ preventScroll: true });
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
  const text = health.ready ? (health.llm ? `Ready, with ${health.backend}` : "Ready, without an LLM") : doing;
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
Promise.all([readHealth(), showSources(runExample, about), showHistory(act.ask)]).catch(showFailure);
