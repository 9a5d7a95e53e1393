// Requests to the server that this page came from.

const API = "/api/v1";

function token() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return sessionStorage.getItem("token");
}

const secret = token();

export class Failure extends Error {
  constructor(error, hint) {
    super(error);
    this.hint = hint || "";
  }
}

/** A request that nothing answered, or that the server cannot answer for now. */
export class Unanswered extends Failure {
  constructor(error = "The server does not answer.", hint = "Does `cgstore serve` still run?") {
    super(error, hint);
  }
}

async function request(path, options = {}) {
  const headers = { ...(options.headers || {}) };
  if (secret) headers.Authorization = `Bearer ${secret}`;
  let response;
  try {
    response = await fetch(API + path, { ...options, headers });
  } catch (failure) {
    if (failure.name === "AbortError") throw failure;
    throw new Unanswered();
  }
  if (!response.ok) {
    const told = await response.json().catch(() => ({}));
    const Kind = response.status === 503 ? Unanswered : Failure;
    throw new Kind(told.error || `The server answered ${response.status}.`, told.hint);
  }
  return response;
}

export const get = async (path) => (await request(path)).json();

const json = (body) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

export const post = async (path, body) => (await request(path, json(body))).json();

async function events(response, take) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch((failure) => {
      throw failure.name === "AbortError" ? failure : new Unanswered();
    });
    const lines = (rest + (value || "")).split("\n");
    rest = done ? "" : lines.pop();
    for (const line of lines.filter(Boolean)) {
      const event = JSON.parse(line);
      if (event.event === "error") throw new Failure(event.error, event.hint);
      take(event);
    }
    if (done) return;
  }
}

export async function stream(path, body, take, signal) {
  await events(await request(path, { ...json(body), signal }), take);
}

export async function upload(file, kind, take) {
  const query = new URLSearchParams({ name: file.name, ...(kind ? { kind } : {}) });
  const headers = { "Content-Type": "application/octet-stream" };
  await events(await request(`/upload?${query}`, { method: "POST", headers, body: file }), take);
}
