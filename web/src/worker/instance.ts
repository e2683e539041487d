/**
 * An instance of the sandbox's WebAssembly: QuickJS with a memory of its own.
 *
 * Its loops ask `lookOut` about every millisecond (`scripts/build-sandbox.mjs`), also those of QuickJS's built-in
 * functions. Invariants: an instance that `lookOut` ended by throwing, or that has no memory left, is in an unknown
 * state: nothing in it is touched again, not even to free it, unless all of it is put back as it was (`restore`). A
 * copy of its memory and its stack pointer is enough for that: an instance has no other state.
 */
import moduleLoader from "@jitl/quickjs-ng-wasmfile-release-sync/emscripten-module";
import { QuickJSFFI } from "@jitl/quickjs-ng-wasmfile-release-sync/ffi";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";

const PAGE_BYTES = 65_536;
/** No script gets so deep: QuickJS is given far less of the stack (`realm.ts`). */
const STACK_ROOM_BYTES = 1024 * 1024;
/** QuickJS's own program and stack need so much; a smaller limit would not even start. */
export const LEAST_MEMORY_BYTES = 16 * 1024 * 1024;
/** The memory limit of a sandbox where the run's options give none. */
export const DEFAULT_MEMORY_BYTES = 256 * 1024 * 1024;

/** QuickJS's variant as its package makes it, but without fetching its two parts one after the other. */
const quickjs: QuickJSSyncVariant = {
  type: "sync",
  importFFI: () => Promise.resolve(QuickJSFFI),
  importModuleLoader: () => Promise.resolve(moduleLoader),
};

/**
 * The environment which QuickJS copies into its memory as it starts, of program and language, is the same everywhere:
 * no script can read it, and an image fits one memory only. The language is asked of `navigator`, between these two
 * calls, within one turn.
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

/** A copy of an instance's state at one moment, for `restore`. */
export interface Kept {
  /**
   * The memory below the stack's room, and from the stack's beginning on. The stack grows down, and is empty between
   * two calls.
   */
  readonly low: Uint8Array;
  readonly high: Uint8Array;
  readonly stack: number;
}

export interface Instance {
  readonly module: QuickJSWASMModule;
  /** Asked about every millisecond; ends the instance by throwing. To be set by the realm that runs code in it. */
  lookOut: (() => void) | null;
  /** To be called between two calls of the instance. */
  keep(): Kept;
  restore(kept: Kept): void;
}

/** Where the last word that is not zero ends, in bytes. */
function endOf(words: Uint32Array): number {
  let end = words.length;
  while (end > 0 && words[end - 1] === 0) end -= 1;
  return end * Uint32Array.BYTES_PER_ELEMENT;
}

/** Makes an instance; the limit is its memory's, because QuickJS counts none in WebAssembly. */
export async function makeInstance(memoryBytes: number, wasm: WebAssembly.Module): Promise<Instance> {
  const memory = new WebAssembly.Memory({
    initial: LEAST_MEMORY_BYTES / PAGE_BYTES,
    maximum: Math.ceil(Math.max(memoryBytes, LEAST_MEMORY_BYTES) / PAGE_BYTES),
  });
  let stack: WebAssembly.Global | undefined;
  const made: { lookOut: (() => void) | null } = { lookOut: null };
  const instantiateWasm = (
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance) => void,
  ): WebAssembly.Exports => {
    const instance = new WebAssembly.Instance(wasm, { ...imports, quire: { lookOut: () => made.lookOut?.() } });
    stack = instance.exports["quireStack"] as WebAssembly.Global;
    receive(instance);
    return instance.exports;
  };
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(quickjs, { wasmMemory: memory, emscriptenModule: { ...neutral(), instantiateWasm } }),
  );
  if (stack === undefined) throw new Error("the sandbox's WebAssembly is of another build");
  const pointer = stack;
  return Object.assign(made, {
    module,
    keep: (): Kept => {
      const top = pointer.value as number;
      const all = new Uint8Array(memory.buffer);
      const low = endOf(new Uint32Array(memory.buffer, 0, Math.max(0, top - STACK_ROOM_BYTES) >>> 2));
      return { low: all.slice(0, low), high: all.slice(top, endOf(new Uint32Array(memory.buffer))), stack: top };
    },
    // Memory that was free then has other bytes now, which nobody reads before writing there.
    restore: ({ low, high, stack: top }: Kept): void => {
      const all = new Uint8Array(memory.buffer);
      all.set(low);
      all.set(high, top);
      pointer.value = top;
    },
  });
}
