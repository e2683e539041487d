/** The page of the bench: keeps one worker per library and passes phases to it. The runner calls `phase` and `first`. */
const workers = new Map();

function next(worker) {
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(`worker: ${event.message} ${event.filename}:${event.lineno}`));
    worker.onmessage = ({ data }) => {
      if (!data?.bench) return;
      if (data.error) reject(new Error(data.error));
      else resolve(data.answer);
    };
  });
}

/** `code`: the WebAssembly that this page compiles for the worker while that starts, as the library's own client does. */
async function worker(name, code) {
  if (!workers.has(name)) {
    const module = code && WebAssembly.compileStreaming(fetch(code));
    const started = new Worker(`${name}.js`, { type: "module", name: code ? "given-code" : "" });
    workers.set(name, started);
    module?.then((compiled) => started.postMessage({ code: compiled }));
    await next(started);
  }
  return workers.get(name);
}

window.phase = async (name, message) => {
  const running = await worker(name, message.code);
  const answer = next(running);
  running.postMessage(message);
  return answer;
};

/** Milliseconds from the start of this page's navigation to the first answered query. */
window.first = async (name, message) => {
  const answer = await window.phase(name, { ...message, bench: "first" });
  const elapsed = performance.now();
  workers.get(name).terminate();
  workers.delete(name);
  return { rows: { first: elapsed }, wrong: answer.wrong };
};

window.stop = (name) => {
  workers.get(name)?.terminate();
  workers.delete(name);
};
