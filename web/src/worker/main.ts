/**
 * The worker: takes requests in order and answers each exactly once. Commands flow: each is answered when it is done,
 * and the replies of one task travel in one message. Any other request waits for the one before it. `start/worker.ts`
 * is the worker's script, and fetches this module.
 *
 * Invariants: nothing is imported here that the first command does not need; the sandbox comes with the first Run. An
 * error inside becomes a `failure` response; nothing is left unanswered.
 */
import { makeGlue } from "../../wasm/engine-glue.js";
import type { MakeGlue } from "../engine/bindings.ts";
import { makeHost } from "../engine/host.ts";
import { limited, loadEngine, type LoadedModule } from "../engine/load.ts";
import type {
  Answers,
  EventMessage,
  RequestKind,
  RequestMessage,
  ResponseMessage,
  ToWorker,
  WorkerAssets,
} from "../protocol/messages.ts";
import { ALONE_BYTES, Packet, unpack } from "../protocol/packet.ts";
import { encode } from "../codec/encode.ts";
import { rawField } from "../codec/members.ts";
import { errorReply } from "../engine/engine.ts";
import { Commands, GONE } from "./commands.ts";
import { Keeper } from "./persistence.ts";
import type { LayImage } from "./realm.ts";
import { runnerPart } from "./runner-part.ts";
import type { makeMoments as MakeMoments, Runner, UnsavedOutcome } from "./runner.ts";
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

const scope = globalThis as unknown as WorkerScope;

/** Requests that began before this code was there; each is made again where it failed. */
export interface Ahead {
  readonly engine?: Promise<WebAssembly.Module>;
  readonly sandbox?: Promise<WebAssembly.Module>;
  readonly runner?: Promise<typeof Runner>;
  readonly image?: Promise<LayImage | null>;
  /** Whether the blob URL that comes with the first opening can be seen from here. */
  readonly gentleStop?: boolean;
}
/** Code that was fetched ahead; the first request that needs a part of it takes that part. */
let ahead: Ahead = {};

/** Where images of the prelude are kept from one visit to the next, by their addresses. */
export interface Images {
  kept(address: string): Promise<LayImage | null>;
  keep(address: string): Promise<void>;
}
let images: Images = { kept: () => Promise.resolve(null), keep: () => Promise.resolve() };

let takeCode: (module: WebAssembly.Module | null) => void;
/** The engine's code as the page compiled it, or null where the worker is to fetch it itself. */
const code = new Promise<WebAssembly.Module | null>((resolve) => {
  takeCode = resolve;
});

/** The engine: from the page's compiled code, or the code compiled ahead, else from its address. */
function load(address: string): Promise<LoadedModule> {
  const { engine } = ahead;
  const own = engine === undefined ? address : engine.catch(() => address);
  return loadEngine(() => code.then((module) => module ?? own), makeGlue as MakeGlue);
}

let keeper: Keeper | null = null;
/** The engine's code for storing the slices of another worker's script; loaded with the first one. */
let storing: Promise<LoadedModule> | null = null;
let assets: WorkerAssets | null = null;
let runner: Promise<Runner> | null = null;
/** The code of scripts: the runner's class, QuickJS, and the prelude's image if it is at hand. */
type Fetched = readonly [typeof Runner, WebAssembly.Module, LayImage | null];
let fetched: Promise<Fetched> | null = null;
/** The prelude's image is kept for the next visit, or about to be. */
let imaged = false;
/** The runner once it has loaded: functions inside commands run in its sandbox. */
let loaded: Runner | null = null;
/** The slices of the script under way. */
let slices: Slices | null = null;

const commands = new Commands(opened, {
  get loaded() {
    return loaded;
  },
  load: () => loadRunner(),
});

/** The error of a script whose changes are gone. */
function goneError(end: keyof typeof GONE, reason: string | null): ScriptError {
  const [code, codeName] = GONE[end];
  const message = reason ?? "";
  return {
    name: "MongoServerError",
    message,
    text: `MongoServerError[${codeName}]: ${message}`,
    code,
    codeName,
    line: null,
    column: null,
  };
}

const isOk = (reply: Uint8Array): boolean => rawField(reply, "ok") === 1;

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
  const read = (): Promise<typeof Runner> => runnerPart(assets).then(({ Runner }) => Runner);
  fetched ??= Promise.all([
    code?.catch(read) ?? read(),
    sandbox?.catch(compile) ?? compile(),
    image ?? (assets?.preludeImage === undefined ? null : images.kept(assets.preludeImage)),
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

/** Keeps moments of actions that are no script. Its code is the runner's module, fetched with the first of them. */
let momentKeeping: Promise<ReturnType<typeof MakeMoments>> | null = null;
function keeping(): Promise<ReturnType<typeof MakeMoments>> {
  momentKeeping ??= runnerPart(assets).then(({ makeMoments }) => makeMoments(() => opened().engine));
  momentKeeping.catch(() => {
    momentKeeping = null;
  });
  return momentKeeping;
}

interface Answered<Kind extends RequestKind> {
  readonly answer: Answers[Kind];
  readonly transfer?: readonly Transferable[];
}

type Of<Kind extends RequestKind> = Extract<RequestMessage, { kind: Kind }>;
/** The kinds of requests that wait for the one before them; commands are answered as they are done. */
type Alone = Exclude<RequestKind, "command">;
type Handlers = { readonly [Kind in Alone]: (request: Of<Kind>) => Promise<Answered<Kind>> };

const handlers: Handlers = {
  async open({ deployment, assets: given, probeUrl }) {
    commands.mostBytes = deployment.mostBytes ?? commands.mostBytes;
    assets = given;
    const loadLimited = (): Promise<LoadedModule> =>
      load(given.engineWasm).then((loaded) => limited(loaded, deployment.maxMemoryBytes, deployment.topology));
    const gentleStop = ahead.gentleStop ?? (probeUrl !== null && isThere(probeUrl));
    const events = {
      state: (state: DeploymentState) => scope.postMessage({ kind: "state", state }),
      changed: (sequence: number) => scope.postMessage({ kind: "changed", sequence }),
    };
    keeper = await Keeper.open({
      deployment,
      load: loadLimited,
      host: makeHost({ ...commands.host, languages: () => given.languagesWasm }),
      begins: commands.begins,
      gentleStop,
      events,
    });
    ahead = {};
    return { answer: keeper.state() };
  },

  async run({ id, source, options, stopUrl }) {
    const ready = await loadRunner();
    const evaluate = (): Promise<UnsavedOutcome> => {
      const { storage } = opened();
      slices = ready.slices({
        plan: opened().slicePlan,
        lends: storage === "indexeddb" && opened().state().gentleStop,
        ...(storage === "indexeddb" ? {} : { journal: storage === "memory" ? "done" : "impossible" }),
        post: (number, slice, signals) => scope.postMessage({ kind: "slice", number, slice, signals }, [slice.buffer]),
      });
      return ready.run(source, options, stopUrl, slices, (progress) => {
        scope.postMessage({ kind: "progress", id, progress });
        opened().tell();
      });
    };
    // The reader has the answer also while storage stands still: its slices are waited for after it.
    const after = async (): Promise<void> => {
      await slices?.finish();
      slices = null;
    };
    const { result, end, reason } = await opened().exclusive(evaluate, { after });
    // After the answer: the page draws the result before it draws the state.
    setTimeout(() => {
      keeper?.tell();
      if (imaged || assets?.preludeImage === undefined) return;
      imaged = true;
      void images.keep(assets.preludeImage);
    });
    const transfer = [result.value, ...result.statements.map(({ value }) => value)].flatMap((value) =>
      value.kind === "value"
        ? [value.bytes.buffer]
        : value.kind === "cursor"
          ? [value.reply.buffer, value.command.buffer]
          : [],
    );
    // Lost writes are told before any other error of the script; a trap is the error itself.
    const error =
      end === "displaced"
        ? goneError(end, reason)
        : (result.error ?? (end === "broken" ? goneError(end, reason) : null));
    const kept = end === "displaced" || end === "broken" ? null : result.kept;
    return {
      answer: { ...result, error, kept, saved: end === "saved" && opened().storage === "indexeddb" },
      transfer: transfer as Transferable[],
    };
  },

  async act({ act }) {
    const { moments } = await keeping();
    const { result, end, reason } = await opened().exclusive(() => moments.act(act));
    if ((end !== "displaced" && end !== "broken") || (result.reply !== null && !isOk(result.reply)))
      return { answer: result, transfer: result.reply === null ? [] : [result.reply.buffer as ArrayBuffer] };
    // The action's changes are gone, and its moments with them.
    const [code, codeName] = GONE[end];
    const reply = encode(errorReply(code, codeName, reason ?? ""));
    return { answer: { reply, kept: { number: null, changes: null, unkept: null }, from: null } };
  },

  async travel({ travel }) {
    const { traveller } = await keeping();
    const { result, end, reason } = await opened().exclusive(() => traveller.go(travel));
    if (end === "displaced" || end === "broken") throw new Error(reason ?? "");
    return { answer: result };
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
    // Commands that are under way come to their end, in the sandbox too.
    await keeper?.close();
    (await runner?.catch(() => null))?.close();
    keeper = null;
    runner = null;
    loaded = null;
    return { answer: null };
  },
};

function fail(id: number, error: unknown): void {
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  scope.postMessage({ kind: "failure", id, name, message });
}

/** How long replies are gathered while a task goes on, in milliseconds. */
const GATHER_MILLIS = 0.5;
/** Replies that are ready. */
const ready = new Packet();
let gatheredSince = 0;
/** Packets of commands that were begun, and the page has not been told so. */
let taken = 0;

function postReady(): void {
  if (ready.isEmpty && taken === 0) return;
  const packet = ready.take();
  scope.postMessage({ kind: "answers", packet, taken }, [packet.buffer]);
  taken = 0;
}

/** Answers a command: together with others that are answered in this task, unless that goes on for long. */
function answerCommand(id: number, reply: Uint8Array): void {
  if (reply.length >= ALONE_BYTES) {
    postReady();
    scope.postMessage({ kind: "answer", id, answer: reply }, [reply.buffer as ArrayBuffer]);
    return;
  }
  const now = performance.now();
  if (ready.isEmpty) {
    gatheredSince = now;
    queueMicrotask(postReady);
  }
  ready.add(id, reply);
  if (ready.isFull || now - gatheredSince > GATHER_MILLIS) postReady();
}

function startCommand(id: number, bytes: Uint8Array, stopUrl: string | null): void {
  const watch = stopUrl === null ? null : new StopWatch(stopUrl, undefined);
  commands.start(
    bytes,
    watch,
    (reply) => answerCommand(id, reply),
    (error) => fail(id, error),
  );
}

async function answer(request: Exclude<RequestMessage, { kind: "command" }>): Promise<void> {
  try {
    const handle = handlers[request.kind] as (request: RequestMessage) => Promise<Answered<Alone>>;
    const { answer: result, transfer } = await handle(request);
    scope.postMessage({ kind: "answer", id: request.id, answer: result }, transfer ?? []);
  } catch (error) {
    fail(request.id, error);
  }
}

/** How many requests wait for one another. */
let waiting = 0;
let last: Promise<void> = Promise.resolve();
/** Takes a request after those before it. */
function inTurn(take: () => void | Promise<void>): void {
  waiting += 1;
  last = last.then(take).finally(() => (waiting -= 1));
}

function receive(message: ToWorker): void {
  if (message.kind === "commands" || message.kind === "command") {
    const take = (): void => {
      if (message.kind === "command") return startCommand(message.id, message.bytes, message.stopUrl ?? null);
      unpack(message.packet, (id, bytes) => startCommand(id, bytes, null));
      // Told with the replies, or alone where none is ready.
      taken += 1;
      queueMicrotask(postReady);
    };
    if (waiting === 0) take();
    else inTurn(take);
  } else if (message.kind === "slice-settled") slices?.settled(message.number, message.stored);
  else if (message.kind === "engine-code") takeCode(message.module);
  else if (message.kind === "run-soon") void loadRunner().catch(() => undefined);
  else inTurn(() => answer(message));
}

// A trap in a task of the engine's own: calls that wait for it are rejected, and the deployment is opened again.
addEventListener("error", (event) => {
  if (keeper?.trapped(event.error) === true) event.preventDefault();
});
addEventListener("unhandledrejection", (event) => {
  if (keeper?.trapped(event.reason) === true) event.preventDefault();
});

/** Goes on with the requests that were begun; gives the receiver of all later messages. */
export function serve(begun: Ahead, kept: Images): (message: ToWorker) => void {
  ahead = begun;
  images = kept;
  scope.postMessage({ kind: "ready" });
  return receive;
}
