/**
 * What the worker does: takes requests one after another and answers each exactly once. Only the reply to a `getMore` that
 * awaits data is held back while later requests go on. `begin.ts` is the worker's script, and fetches this.
 *
 * Invariants: nothing is imported here that the first command does not need; the sandbox comes with the first
 * Run. Whatever fails inside becomes a `failure` response; nothing is left unanswered.
 */
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { makeGlue } from "../../wasm/engine-glue.js";
import type { MakeGlue } from "../engine/bindings.ts";
import { errorReply } from "../engine/engine.ts";
import { makeHost } from "../engine/host.ts";
import { limited, loadEngine, type LoadedModule } from "../engine/load.ts";
import type { Answers, EventMessage, RequestKind, RequestMessage, ResponseMessage, WorkerAssets } from "../protocol/messages.ts";
import type { Said } from "../protocol/opening.ts";
import { keepImage, keptImage } from "./kept-image.ts";
import { Keeper, NOT_JOURNALED, type OpenedAhead, type Turn } from "./persistence.ts";
import type { Runner } from "./runner.ts";
import type { ScriptError } from "../protocol/run.ts";
import type { DeploymentState } from "../protocol/state.ts";
import type { Slices } from "./slices.ts";
import { isThere } from "./is-there.ts";
import { StopWatch } from "./stop.ts";

/** The worker's own global scope, as far as it is used; the page's types are loaded, not the worker's. */
interface WorkerScope {
  postMessage(message: ResponseMessage | EventMessage, transfer?: readonly Transferable[]): void;
  close(): void;
}

const bytesOf = (name: string): Uint8Array => new TextEncoder().encode(`${name}\0`);
/** The operators that call functions, as their names stand in a command's bytes. */
const CALLERS = ["$accumulator", "$function", "$where"].map(bytesOf);
/** The command that does, whose name follows the document's length and the type of its first field. */
const MAP_REDUCE = bytesOf("mapReduce");
const FIRST_NAME = 5;
/** It may be explained too: what is explained is a document in the place of a value. */
const EXPLAIN = bytesOf("explain");
const EXPLAINED_NAME = FIRST_NAME + EXPLAIN.length + FIRST_NAME;

const scope = globalThis as unknown as WorkerScope;

/** What was begun before this code was there; each is asked for again where it could not be had. */
export interface Ahead extends OpenedAhead {
  readonly engine?: Promise<WebAssembly.Module>;
  readonly sandbox?: Promise<WebAssembly.Module>;
  readonly runner?: Promise<typeof Runner>;
  readonly image?: Promise<ArrayBuffer | null>;
  /** Whether the blob URL that comes with the first opening can be seen from here. */
  readonly gentleStop?: boolean;
}
/** Taken by the first who asks. */
let ahead: Ahead = {};

let takeCode: (module: WebAssembly.Module | null) => void;
/** What the page compiled, or null. */
const code = new Promise<WebAssembly.Module | null>((resolve) => {
  takeCode = resolve;
});

/** The engine: from what the page compiled or was compiled ahead, else from its address. */
function load(address: string): Promise<LoadedModule> {
  const { engine } = ahead;
  const own = engine === undefined ? address : engine.catch(() => address);
  return loadEngine(() => code.then((module) => module ?? own), makeGlue as MakeGlue);
}

let keeper: Keeper | null = null;
/** What stores the slices of another worker. */
let storing: Promise<LoadedModule> | null = null;
let assets: WorkerAssets | null = null;
let runner: Promise<Runner> | null = null;
/** What a script needs beside the engine: the code that runs it, QuickJS, and the prelude's image if it is at hand. */
type Fetched = readonly [typeof Runner, WebAssembly.Module, ArrayBuffer | null];
let fetched: Promise<Fetched> | null = null;
/** The prelude's image is kept for the next visit, or about to be. */
let imaged = false;
/** The runner once it has loaded: functions inside commands run in its sandbox. */
let loaded: Runner | null = null;
/** Those of the script under way. */
let slices: Slices | null = null;

/** How often a command is run that other tabs overtake. */
const MOST_TRIES = 3;
/** Code and name of what is told where a turn's changes are gone: after `displaced` the command may be sent again. */
const GONE = { displaced: [112, "WriteConflict"], broken: [1, "InternalError"] } as const;

/** The reply after a turn whose changes are not stored: an error where they are gone, a `writeConcernError` where they were to be journaled. */
function judged({ result: { reply, asked }, end, reason }: Turn<{ readonly reply: Uint8Array; readonly asked: boolean }>): Uint8Array {
  if (end === "saved" || (end === "unsaved" && !asked)) return reply;
  const told = decode(reply, { numbers: "typed" });
  if (end === "unsaved") return encode({ ...told, writeConcernError: reason === null ? NOT_JOURNALED : { ...NOT_JOURNALED, errmsg: `${NOT_JOURNALED.errmsg}: ${reason}` } });
  const [code, codeName] = GONE[end];
  return Number(told["ok"]) === 1 ? encode(errorReply(code, codeName, reason ?? "")) : reply;
}

/** The same of a script. */
function goneError(end: keyof typeof GONE, reason: string | null): ScriptError {
  const [code, codeName] = GONE[end];
  const message = reason ?? "";
  return { name: "MongoServerError", message, text: `MongoServerError[${codeName}]: ${message}`, code, codeName, line: null, column: null };
}

function opened(): Keeper {
  if (keeper === null) throw new Error("no deployment is open");
  return keeper;
}

function fetchRunner(): Promise<Fetched> {
  const { runner: code, sandbox, image } = ahead;
  const compile = async (): Promise<WebAssembly.Module> => {
    if (assets === null) throw new Error("no deployment is open");
    return WebAssembly.compileStreaming(fetch(assets.sandboxWasm));
  };
  // Taken out of the module, which would otherwise be made an object of, by code in a file of its own.
  const read = (): Promise<typeof Runner> => import("./runner.ts").then(({ Runner }) => Runner);
  fetched ??= Promise.all([
    code?.catch(read) ?? read(),
    sandbox?.catch(compile) ?? compile(),
    image ?? (assets?.preludeImage === undefined ? null : keptImage(assets.preludeImage)),
  ]);
  fetched.catch(() => {
    fetched = null;
  });
  return fetched;
}

/** Makes the sandbox; asked for by the first Run, or ahead of it, which may come before the deployment is open. */
function loadRunner(): Promise<Runner> {
  runner ??= (async () => {
    const [Loaded, wasm, image] = await fetchRunner();
    loaded = await Loaded.load(() => opened().engine, wasm, image);
    imaged = image !== null;
    return loaded;
  })();
  runner.catch(() => {
    runner = null;
  });
  return runner;
}

/** Whether a command may hold a function to call: its bytes have such a name somewhere. */
function holdsFunction(command: Uint8Array): boolean {
  const stands = (name: Uint8Array, at: number): boolean => name.every((byte, index) => command[at + index] === byte);
  if (stands(MAP_REDUCE, stands(EXPLAIN, FIRST_NAME) ? EXPLAINED_NAME : FIRST_NAME)) return true;
  for (let at = command.indexOf(0x24); at >= 0; at = command.indexOf(0x24, at + 1)) {
    if (CALLERS.some((name) => stands(name, at))) return true;
  }
  return false;
}

/** Asked by the engine while a command runs. */
const shouldStop = (): boolean => (loaded?.shouldStop() ?? false) || (commandWatch?.shouldStop() ?? false);

/** That of the command from outside which is at work, if it can be aborted. */
let commandWatch: StopWatch | null = null;
/** What a command is told that was aborted before it began. */
const INTERRUPTED = errorReply(11601, "Interrupted", "operation was interrupted");

/** Functions of scripts: code of whoever wrote the command, and so run in the sandbox. */
function callFunction(source: string, thisJson: string | undefined, argumentsJson: readonly string[], limitMillis: number | undefined): string {
  if (loaded === null) throw new Error("the sandbox has not loaded yet");
  return loaded.callFunction(source, thisJson, argumentsJson, limitMillis, commandWatch);
}

interface Answered<Kind extends RequestKind> {
  readonly answer: Answers[Kind];
  readonly transfer?: readonly Transferable[];
}

/** An answer that others need not wait for. */
interface Later<Kind extends RequestKind> {
  readonly later: Promise<Answered<Kind>>;
}

type Of<Kind extends RequestKind> = Extract<RequestMessage, { kind: Kind }>;
type Handlers = { readonly [Kind in RequestKind]: (request: Of<Kind>) => Promise<Answered<Kind> | Later<Kind>> };

const handlers: Handlers = {
  async open({ deployment, assets: given, probeUrl }) {
    assets = given;
    const loadLimited = (): Promise<LoadedModule> => load(given.engineWasm).then((loaded) => limited(loaded, deployment.maxMemoryBytes));
    const gentleStop = ahead.gentleStop ?? (probeUrl !== null && isThere(probeUrl));
    const events = { state: (state: DeploymentState) => scope.postMessage({ kind: "state", state }), changed: (sequence: number) => scope.postMessage({ kind: "changed", sequence }) };
    keeper = await Keeper.open({ deployment, load: loadLimited, host: makeHost({ callFunction, shouldStop }), gentleStop, events, ahead });
    ahead = {};
    return { answer: keeper.state() };
  },

  async run({ id, source, options, stopUrl }) {
    const ready = await loadRunner();
    const { result, end, reason } = await opened().exclusive(async () => {
      const { storage } = opened();
      slices = ready.slices({
        lends: storage === "indexeddb" && opened().state().gentleStop,
        ...(storage === "indexeddb" ? {} : { journal: storage === "memory" ? "done" : "impossible" }),
        post: (number, slice, signals) => scope.postMessage({ kind: "slice", number, slice, signals }, [slice.buffer]),
      });
      try {
        return await ready.run(source, options, stopUrl, slices, (progress) => {
          scope.postMessage({ kind: "progress", id, progress });
          opened().tell();
        });
      } finally {
        await slices.finish();
        slices = null;
      }
    });
    // After the answer, which the page would otherwise draw later by what it takes to draw this.
    setTimeout(() => {
      keeper?.tell();
      if (imaged || assets?.preludeImage === undefined) return;
      imaged = true;
      void keepImage(assets.preludeImage);
    });
    const { value } = result;
    const transfer = value.kind === "value" ? [value.bytes.buffer] : value.kind === "cursor" ? [value.reply.buffer, value.command.buffer] : [];
    // What is gone is told before whatever else ended the script; a trap is what ended it.
    const error = end === "displaced" ? goneError(end, reason) : (result.error ?? (end === "broken" ? goneError(end, reason) : null));
    return { answer: { ...result, error, saved: end === "saved" && opened().storage === "indexeddb" }, transfer: transfer as Transferable[] };
  },

  async command({ bytes, stopUrl = null }) {
    const watch = stopUrl === null ? null : new StopWatch(stopUrl, undefined);
    const run = async (quiet: boolean, tries = MOST_TRIES): Promise<{ reply: Uint8Array; patience: number | undefined }> => {
      const turn = await opened().exclusive(async () => {
        // Loaded before the command, which cannot wait and must not be run twice.
        if (loaded === null && holdsFunction(bytes)) await loadRunner();
        loaded?.begin();
        // Asked for within the turn, before which it may have been replaced.
        const { engine } = opened();
        if (stopUrl !== null && !isThere(stopUrl)) return { reply: encode(INTERRUPTED), patience: undefined, asked: false };
        commandWatch = watch;
        try {
          return { reply: await engine.commandBytes(bytes), patience: engine.awaitDataMillis, asked: engine.askedJournal };
        } finally {
          commandWatch = null;
        }
      }, quiet);
      // Nothing of it was stored, and nobody was told of it: it is run over what the other tab stored.
      if (turn.end === "displaced" && tries > 1) return run(quiet, tries - 1);
      return { reply: judged(turn), patience: turn.result.patience };
    };
    const answered = (reply: Uint8Array): Answered<"command"> => ({ answer: reply, transfer: [reply.buffer as ArrayBuffer] });
    const first = await run(false);
    if (first.patience === undefined) return answered(first.reply);
    const deadline = performance.now() + first.patience;
    const wait = async (): Promise<Answered<"command">> => {
      let last = first;
      for (let left = deadline - performance.now(); last.patience !== undefined && left > 0; left = deadline - performance.now()) {
        await opened().nextWrite(left);
        last = await run(true);
      }
      return answered(last.reply);
    };
    return { later: wait() };
  },

  async store({ deployment, engineWasm, slice }) {
    storing ??= load(engineWasm);
    try {
      await (await storing).module.QuireEngine.storeBatch(deployment, slice);
    } catch (error) {
      // Another instance stores the next one: this one may have ended.
      storing = null;
      throw error;
    }
    return { answer: null };
  },

  async status() {
    return { answer: opened().state() };
  },

  async flush() {
    await opened().exclusive(() => undefined);
    return { answer: opened().state() };
  },

  async close() {
    (await runner?.catch(() => null))?.close();
    await keeper?.close();
    keeper = null;
    runner = null;
    loaded = null;
    return { answer: null };
  },
};

function post(request: RequestMessage, { answer: result, transfer }: Answered<RequestKind>): void {
  scope.postMessage({ kind: "answer", id: request.id, answer: result }, transfer ?? []);
}

function fail(request: RequestMessage, error: unknown): void {
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  scope.postMessage({ kind: "failure", id: request.id, name, message });
}

async function answer(request: RequestMessage): Promise<void> {
  try {
    const handle = handlers[request.kind] as (request: RequestMessage) => Promise<Answered<RequestKind> | Later<RequestKind>>;
    const done = await handle(request);
    if ("later" in done) done.later.then((late) => post(request, late)).catch((error: unknown) => fail(request, error));
    else post(request, done);
  } catch (error) {
    fail(request, error);
  }
}

let last: Promise<void> = Promise.resolve();
function hear(said: Said): void {
  if (said.kind === "slice-settled") slices?.settled(said.number, said.stored);
  else if (said.kind === "engine-code") takeCode(said.module);
  else if (said.kind === "run-soon") void loadRunner().catch(() => undefined);
  else last = last.then(() => answer(said));
}

// A trap in a task of the engine's own: what waits for it is told, and the deployment is opened again.
addEventListener("error", (event) => {
  if (keeper?.trapped(event.error) === true) event.preventDefault();
});
addEventListener("unhandledrejection", (event) => {
  if (keeper?.trapped(event.reason) === true) event.preventDefault();
});

/** Goes on with what was begun; gives what takes all that is said from now on. */
export function serve(begun: Ahead): (said: Said) => void {
  ahead = begun;
  scope.postMessage({ kind: "ready" });
  return hear;
}
