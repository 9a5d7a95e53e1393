// The address of the page has the question, and the browser's history has each answer with it, for Back and reload.

/** The question in the address; empty if there is none. */
export const questionHere = () => new URLSearchParams(location.search).get("q") || "";

/** What the present entry of the history keeps: a reply and its extras; null before there is an answer. */
export const kept = () => history.state;

/** Gives a question an entry of the history; the same question keeps its entry, unless `another` reading is asked. */
export function enter(question, another = false) {
  const isSame = !another && question === questionHere();
  const address = question ? `?${new URLSearchParams({ q: question })}` : location.pathname;
  history[isSame ? "replaceState" : "pushState"](null, "", address);
  entitle(question);
}

/** Keeps an answer with the present entry. One that is too large for the browser is not kept. */
export function keep(state) {
  try {
    history.replaceState(state, "");
  } catch (failure) {
    console.warn("The answer is too large to be kept for Back and reload.", failure.name);
  }
}

export function entitle(question) {
  document.title = question ? `${question} · cgstore` : "cgstore";
}
