/**
 * One realm of the sandbox: a QuickJS context with the shell's prelude in it.
 *
 * Invariant: what happens here before the prelude is evaluated is the same in each sandbox and at each time, and also when the build
 * makes the prelude's image (`prelude-image.ts`).
 */
import moduleLoader from "@jitl/quickjs-ng-wasmfile-release-sync/emscripten-module";
import { QuickJSFFI } from "@jitl/quickjs-ng-wasmfile-release-sync/ffi";
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSContext, type QuickJSHandle, type QuickJSSyncVariant, type QuickJSWASMModule } from "quickjs-emscripten-core";
import preludeText from "../../wasm/prelude-text.js";
import { layImage, makeImage, type Observed } from "./prelude-image.ts";

const PAGE_BYTES = 65_536;
/** QuickJS's own program and stack need so much; a smaller limit would not even start. */
const LEAST_MEMORY_BYTES = 16 * 1024 * 1024;
/** Deeper recursion would overflow the worker's own stack, which ends the instance instead of throwing. */
const STACK_BYTES = 112 * 1024;

/** As the variant's own module has it, but without fetching its two parts one after the other. */
const quickjs: QuickJSSyncVariant = { type: "sync", importFFI: () => Promise.resolve(QuickJSFFI), importModuleLoader: () => Promise.resolve(moduleLoader) };

/**
 * The environment which QuickJS copies into its memory as it starts, of program and language, is the same everywhere: no script can read
 * it, and an image fits one memory only. The language is asked of `navigator`, between these two calls, within one turn.
 */
function neutral(): object {
  let own: PropertyDescriptor | undefined;
  return {
    thisProgram: "./sandbox",
    preRun: [
      () => {
        own = Object.getOwnPropertyDescriptor(globalThis, "navigator");
        Object.defineProperty(globalThis, "navigator", { value: undefined, configurable: true });
      },
    ],
    onRuntimeInitialized: () => {
      if (own === undefined) Reflect.deleteProperty(globalThis, "navigator");
      else Object.defineProperty(globalThis, "navigator", own);
    },
  };
}

/** Makes an instance of the sandbox's WebAssembly; the limit is its memory's, because QuickJS counts none in WebAssembly. */
export function makeInstance(memoryBytes: number, wasm?: WebAssembly.Module): Promise<QuickJSWASMModule> {
  const wasmMemory = new WebAssembly.Memory({
    initial: LEAST_MEMORY_BYTES / PAGE_BYTES,
    maximum: Math.ceil(Math.max(memoryBytes, LEAST_MEMORY_BYTES) / PAGE_BYTES),
  });
  return newQuickJSWASMModuleFromVariant(newVariant(quickjs, { wasmMemory, emscriptenModule: neutral(), ...(wasm === undefined ? {} : { wasmModule: wasm }) }));
}

export interface Realm {
  readonly context: QuickJSContext;
  readonly shell: QuickJSHandle;
}

/** What a realm's code may reach of the host. */
export interface RealmHost {
  command(text: string): string;
  print(text: string): void;
  rewrite(source: string): string;
  sleep(millis: number): void;
  /** Asked now and then while code runs. */
  shouldStop(): boolean;
}

/** A context with the functions that the prelude takes and removes. */
function openContext(module: QuickJSWASMModule, host: RealmHost): QuickJSContext {
  const context = module.newContext();
  const define = (name: string, body: (argument: QuickJSHandle) => QuickJSHandle): void => {
    const handle = context.newFunction(name, (...given) => body(given[0] ?? context.undefined));
    context.setProp(context.global, name, handle);
    handle.dispose();
  };
  context.runtime.setMaxStackSize(STACK_BYTES);
  context.runtime.setInterruptHandler(() => host.shouldStop());
  define("__quireCommand", (text) => context.newString(host.command(context.getString(text))));
  define("__quirePrint", (text) => {
    host.print(context.getString(text));
    return context.undefined;
  });
  define("__quireRewrite", (text) => context.newString(host.rewrite(context.getString(text))));
  define("__quireRunJobs", () => {
    const done = context.runtime.executePendingJobs();
    if (done.error !== undefined) done.error.dispose();
    return context.undefined;
  });
  define("__quireSleep", (millis) => {
    host.sleep(context.getNumber(millis));
    return context.undefined;
  });
  return context;
}

function evaluatePrelude(context: QuickJSContext): void {
  const loaded = context.evalCode(preludeText, "prelude.js");
  if (loaded.error !== undefined) {
    const thrown: unknown = context.dump(loaded.error);
    loaded.error.dispose();
    throw new Error(`the shell's prelude did not load: ${JSON.stringify(thrown)}`);
  }
  loaded.value.dispose();
}

/** A context with the prelude in it; from its image where there is one that fits. */
export function openRealm(module: QuickJSWASMModule, host: RealmHost, image: ArrayBuffer | null): Realm {
  const context = openContext(module, host);
  if (image === null || !layImage(module.getWasmMemory().buffer, image)) evaluatePrelude(context);
  return { context, shell: context.getProp(context.global, "quireShell") };
}

/** Fills with zeros what was used and is free again, which would otherwise be downloaded: what the prelude was while it was read. */
function clean(context: QuickJSContext, end: number): void {
  const taken: QuickJSHandle[] = [];
  for (let size = 1 << 18; size >= 32; size >>= 1) {
    for (let inside = true; inside; ) {
      const buffer = context.newArrayBuffer(new ArrayBuffer(size));
      taken.push(buffer);
      const bytes = context.getArrayBuffer(buffer);
      inside = bytes.value.byteOffset < end;
      bytes.dispose();
    }
  }
  for (const buffer of taken) buffer.dispose();
}

/** Makes the prelude's image; for the build. */
export async function imagePrelude(wasm: WebAssembly.Module): Promise<Uint8Array> {
  const unused = (): never => {
    throw new Error("the prelude asked something of its host");
  };
  const observe = async (): Promise<Observed> => {
    const module = await makeInstance(LEAST_MEMORY_BYTES, wasm);
    const fresh = module.getWasmMemory().buffer.slice(0);
    const context = openContext(module, { command: unused, print: unused, rewrite: unused, sleep: unused, shouldStop: () => false });
    const { buffer } = module.getWasmMemory();
    const before = buffer.slice(0);
    evaluatePrelude(context);
    const words = new Uint32Array(buffer);
    let end = words.length;
    while (end > 0 && words[end - 1] === 0) end -= 1;
    clean(context, end * Uint32Array.BYTES_PER_ELEMENT);
    return { fresh, before, after: buffer.slice(0) };
  };
  const one = await observe();
  const { now } = Date;
  Date.now = () => now() + 987_654_321;
  try {
    return makeImage(one, await observe());
  } finally {
    Date.now = now;
  }
}
