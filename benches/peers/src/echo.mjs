/**
 * How fast messages go to a worker of the caller's and back, with nothing done there: the limit of every client of a
 * worker.
 */

/** A message as long as a read by `_id`, about 100 bytes. */
const item = () => new Uint8Array(100);

/**
 * Items per second: `width` messages in flight, each answered before the next goes in its place, with so many items in
 * each.
 */
async function measure(worker, budget, width, together) {
  const message = together === 1 ? item() : Array.from({ length: together }, item);
  const heard = [];
  worker.onmessage = () => heard.shift()();
  const begun = performance.now();
  let done = 0;
  const line = async () => {
    while (performance.now() - begun < budget) {
      await new Promise((resolve) => {
        heard.push(resolve);
        worker.postMessage(message);
      });
      done += together;
    }
  };
  await Promise.all(Array.from({ length: width }, line));
  return (done / (performance.now() - begun)) * 1000;
}

/** One worker for all the echoes of a run, so that its start is in none of them. */
export function echoes() {
  const worker = new Worker("echo.js");
  return {
    one: (budget) => measure(worker, budget, 1, 1),
    flight: (budget) => measure(worker, budget, 64, 1),
    together: (budget) => measure(worker, budget, 1, 64),
    end: () => worker.terminate(),
  };
}
