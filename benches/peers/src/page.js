/**
 * The page of the bench: keeps one worker per library and passes phases to it. The runner calls `phase`, `first` and
 * `stop`.
 */
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

async function worker(name) {
  if (!workers.has(name)) {
    const started = new Worker(`bundles/${name}.js`, { type: "module" });
    workers.set(name, started);
    await next(started);
  }
  return workers.get(name);
}

window.phase = async (name, message) => {
  if (name.endsWith("-page")) {
    const { phases } = await import(`./bundles/${name}.js`);
    return phases[message.bench](message);
  }
  const running = await worker(name);
  const answer = next(running);
  running.postMessage(message);
  return answer;
};

/** Milliseconds from the start of this page's navigation to the first answered query. */
window.first = async (name, message) => {
  const answer = await window.phase(name, { ...message, bench: "first" });
  const elapsed = performance.now();
  window.stop(name);
  return { rows: { first: elapsed }, wrong: answer.wrong };
};

window.stop = (name) => {
  workers.get(name)?.terminate();
  workers.delete(name);
};
