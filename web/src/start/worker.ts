/**
 * The worker's first script. It is small, because browsers keep no compiled code of a worker's own script, but keep
 * that of its imports: it asks for the rest, and for the files that take long to come.
 *
 * A page's messages reach a worker only when the page has a moment after the worker's script has run, which may be late
 * while the page is starting. So the first of them may stand in the worker's name (`opening.ts`).
 *
 * Invariants: messages that come before the worker's own code are kept for it, in order. A failure here is no failure
 * yet: a file that could not be had ahead is fetched again by its user, which tells the error.
 */
import type { ToWorker } from "../protocol/messages.ts";
import { isThere } from "../worker/is-there.ts";
import type { Ahead } from "../worker/main.ts";
import { runnerPart } from "../worker/runner-part.ts";
import { keepImage, keptImage } from "./kept-image.ts";
import { readOpening } from "./opening.ts";

const waiting: ToWorker[] = [];
let receive = (message: ToWorker): void => void waiting.push(message);
addEventListener("message", ({ data }: MessageEvent<ToWorker>) => receive(data));
// A module that cannot be had here: of all that is sent, nothing else can fail so.
addEventListener("messageerror", () => receive({ kind: "engine-code", module: null }));

const compile = (address: string): Promise<WebAssembly.Module> => {
  const module = WebAssembly.compileStreaming(fetch(address));
  module.catch(() => undefined);
  return module;
};

// The page's types are loaded, which have no name here.
const said = readOpening((globalThis as unknown as { readonly name: string }).name);
const opening = said.find((one) => one.kind === "open");
const runsSoon = said.some(({ kind }) => kind === "run-soon");
const fetches = said.some((one) => one.kind === "engine-code" && one.module === null);
let ahead: Ahead = {};
if (opening?.kind === "open") {
  const { assets } = opening;
  ahead = {
    ...(fetches ? { engine: compile(assets.engineWasm) } : {}),
    ...(runsSoon
      ? { sandbox: compile(assets.sandboxWasm), runner: runnerPart(assets).then(({ Runner }) => Runner) }
      : {}),
    ...(runsSoon && assets.preludeImage !== undefined ? { image: keptImage(assets.preludeImage) } : {}),
  };
  ahead.runner?.catch(() => undefined);
}
for (const one of said) receive(one);
const code = import("../worker/main.ts");
// Looked for while all that is on its way: the look waits for the browser.
if (opening?.kind === "open") ahead = { ...ahead, gentleStop: opening.probeUrl !== null && isThere(opening.probeUrl) };
code.then(
  ({ serve }) => {
    receive = serve(ahead, { kept: keptImage, keep: keepImage });
    for (const one of waiting) receive(one);
  },
  (error: unknown) =>
    // Thrown and not rejected: that alone the page is told of.
    setTimeout(() => {
      throw error;
    }),
);
