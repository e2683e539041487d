/**
 * The code under test, as it is: the page's side of the package (`web/src/pkg/index.ts`), the worker
 * (`web/src/start/worker.ts`) and the engine's WebAssembly (`web/wasm`). Each page and worker of the simulation runs it
 * anew, with the simulated browser in the place of the globals.
 *
 * Invariant: the code sees no real time, no real randomness and no real storage; compiling and instantiating
 * WebAssembly are done at once, so that no answer comes at a time which the seed does not decide.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";
import { Target, broadcastChannels, copied, MESSAGE_MILLIS } from "./channels.mjs";
import { classes } from "./storage.mjs";

const web = fileURLToPath(new URL("../../web", import.meta.url));
const { build } = createRequire(new URL("../../web/package.json", import.meta.url))("esbuild");

/** Replaced globals: the code's own names for them. */
const GLOBALS = [
  "globalThis",
  "self",
  "indexedDB",
  "navigator",
  "BroadcastChannel",
  "Worker",
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "performance",
  "Date",
  "Math",
  "crypto",
  "fetch",
  "WebAssembly",
  "addEventListener",
  "removeEventListener",
  "postMessage",
  "close",
  "URL",
  "XMLHttpRequest",
  "location",
  "caches",
  "process",
  "window",
  "document",
  "IDBDatabase",
  "IDBRequest",
  "IDBOpenDBRequest",
  "IDBTransaction",
  "IDBObjectStore",
  "IDBKeyRange",
];

/** Puts other text into a source file while it is bundled; fails where the file does not have the text. */
function patched(patches) {
  return {
    name: "patched",
    setup(context) {
      for (const [file, replacements] of Object.entries(patches)) {
        context.onLoad({ filter: new RegExp(`${file.replace(/[./]/g, "\\$&")}$`) }, ({ path }) => {
          let contents = readFileSync(path, "utf8");
          for (const [from, to] of replacements) {
            if (!contents.includes(from)) throw new Error(`${file} has no such text any more: ${from}`);
            contents = contents.replaceAll(from, to);
          }
          return { contents, loader: "ts" };
        });
      }
    },
  };
}

/** The files lie where the package's do, as its build says too. */
const placeDefaults = {
  name: "place-defaults",
  setup(context) {
    context.onResolve({ filter: /\/defaults\.ts$/ }, () => ({ path: `${web}/src/pkg/defaults.ts` }));
  },
};

/** Scripts are not run here: what runs them is not there. */
const noSandbox = {
  name: "no-sandbox",
  setup(context) {
    context.onResolve({ filter: /^(quickjs-emscripten-core|@jitl\/quickjs-.*)$/ }, ({ path }) => ({
      path,
      namespace: "nothing",
    }));
    context.onLoad({ filter: /.*/, namespace: "nothing" }, () => ({ contents: "module.exports = {};" }));
  },
};

/** Bundles the code, with patches to source files where a fault is put back; `entry`: what a page's code exports. */
export async function loadCode(patches = {}, entry = "pkg/index.ts") {
  const engine = `${web}/wasm/quire_bg.wasm`;
  if (!existsSync(engine)) throw new Error("the engine is not built: cargo xtask build");
  const bundle = async (entry) => {
    const { outputFiles } = await build({
      stdin: { contents: `export * from ${JSON.stringify(entry)};`, resolveDir: web },
      bundle: true,
      write: false,
      format: "iife",
      globalName: "exported",
      target: "es2022",
      platform: "browser",
      conditions: ["browser"],
      logLevel: "error",
      define: { "import.meta.url": '"https://simulated.example/code.js"' },
      plugins: [placeDefaults, noSandbox, patched(patches)],
    });
    return compileFunction(`${outputFiles[0].text}\nreturn exported;`, GLOBALS, {
      filename: `${entry.split("/").at(-1)}.simulated.js`,
    });
  };
  const [page, worker] = await Promise.all([bundle(`${web}/src/${entry}`), bundle(`${web}/src/start/worker.ts`)]);
  return { page, worker, engine: new WebAssembly.Module(readFileSync(engine)) };
}

/** The browser of one run: everything that its tabs share. */
export class Browser {
  #channels = new Set();
  #blobs = new Set();
  #lastBlob = 0;

  constructor(world, code, disk, locks) {
    Object.assign(this, { world, code, disk, locks });
  }

  /** Runs the page's code in a tab; gives what the package exports. */
  openPage(tab) {
    return this.#run(tab.agent("page"), this.code.page, "page", {});
  }

  /** Starts a worker of a tab; gives the object that its page has as the `Worker`. */
  #startWorker(owner, name) {
    const { world } = this;
    const agent = owner.tab.agent(`worker${owner.tab.agents.length}`);
    const inside = new Target();
    const handle = new Target();
    handle.postMessage = (message, transfer) => {
      const copy = copied(message, transfer);
      world.soon(agent, MESSAGE_MILLIS, () => inside.dispatch("message", { data: copy }), inside);
    };
    handle.terminate = () => agent.end();
    const own = {
      name,
      target: inside,
      postMessage: (message, transfer) => {
        const copy = copied(message, transfer);
        world.soon(owner, MESSAGE_MILLIS, () => agent.isAlive && handle.dispatch("message", { data: copy }), handle);
      },
      close: () => agent.end(),
    };
    // Messages wait until the worker's script has run.
    world.soon(agent, 3, () => this.#run(agent, this.code.worker, "worker", own), inside);
    return handle;
  }

  #run(agent, code, kind, own) {
    const { world } = this;
    const { random } = world;
    const target = own.target ?? new Target();
    const after =
      (again) =>
      (run, millis = 0, ...given) => {
        const timer = { cancel: null };
        // Timers of browsers come late, never early.
        const set = () => {
          timer.cancel = world.post(
            agent,
            Math.max(1, Number(millis) || 0) + random.delay(0.5 * world.slowness),
            () => {
              if (again) set();
              run(...given);
            },
          );
        };
        set();
        return timer;
      };
    const cancel = (timer) => timer?.cancel?.();
    class SimulatedDate extends Date {
      constructor(...given) {
        if (given.length === 0) super(world.epochNow);
        else super(...given);
      }
      static now() {
        return world.epochNow;
      }
    }
    const address = class extends URL {
      static createObjectURL = () => {
        const url = `blob:simulated/${++this.#lastBlob}`;
        this.#blobs.add(url);
        return url;
      };
      static revokeObjectURL = (url) => this.#blobs.delete(url);
    };
    const blobs = this.#blobs;
    const engine = this.code.engine;
    const names = {
      ...classes,
      indexedDB: this.disk.factory(agent),
      navigator: { locks: this.locks.of(agent), userAgent: "simulated", onLine: true },
      BroadcastChannel: broadcastChannels(world, this.#channels)(agent),
      Worker: this.#workerClass(agent),
      setTimeout: after(false),
      clearTimeout: cancel,
      setInterval: after(true),
      clearInterval: cancel,
      performance: { now: () => world.now, timeOrigin: 0, mark() {}, measure() {} },
      Date: SimulatedDate,
      Math: Object.assign(Object.create(Math), { random: () => random.fraction() }),
      crypto: {
        getRandomValues: (bytes) => {
          for (let index = 0; index < bytes.length; index += 1) bytes[index] = random.below(256);
          return bytes;
        },
      },
      fetch: (url) => Promise.resolve(String(url)),
      WebAssembly: {
        Module: WebAssembly.Module,
        Instance: WebAssembly.Instance,
        Memory: WebAssembly.Memory,
        Table: WebAssembly.Table,
        RuntimeError: WebAssembly.RuntimeError,
        CompileError: WebAssembly.CompileError,
        compileStreaming: async (source) => (await source, engine),
        compile: async () => engine,
        instantiate: async (module, imports) => new WebAssembly.Instance(module, imports),
        instantiateStreaming: async (_source, imports) => ({
          module: engine,
          instance: new WebAssembly.Instance(engine, imports),
        }),
      },
      addEventListener: (type, listener, options) => target.addEventListener(type, listener, options),
      removeEventListener: (type, listener) => target.removeEventListener(type, listener),
      postMessage: own.postMessage,
      close: own.close,
      URL: address,
      XMLHttpRequest: class {
        open(_, url) {
          this.url = url;
        }
        overrideMimeType() {}
        send() {
          this.status = blobs.has(this.url) ? 200 : 0;
        }
      },
      location: { origin: "https://simulated.example", href: "https://simulated.example/" },
      caches: undefined,
      process: undefined,
      window: undefined,
      document: undefined,
    };
    if (kind === "worker") names.Worker = undefined;
    const global = Object.create(globalThis);
    for (const [name, value] of Object.entries(names))
      Object.defineProperty(global, name, { value, writable: true, configurable: true });
    global.name = own.name ?? "";
    global.origin = names.location.origin;
    if (kind === "worker") global.WorkerGlobalScope = class {};
    else global.Window = class {};
    names.globalThis = global;
    names.self = global;
    global.globalThis = global;
    global.self = global;
    return code(...GLOBALS.map((name) => names[name]));
  }

  #workerClass(owner) {
    const start = (name) => this.#startWorker(owner, name);
    return class Worker {
      constructor(_, { name = "" } = {}) {
        // biome-ignore lint/correctness/noConstructorReturn: the class stands for one of several kinds of worker
        return start(name);
      }
    };
  }
}
