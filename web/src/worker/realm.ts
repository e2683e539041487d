/**
 * One realm of the sandbox: a QuickJS context with the shell's prelude in it.
 *
 * Invariant: what happens here before the prelude is evaluated is the same in each sandbox and at each time, and also
 * when the build makes the prelude's image (`prelude-image.ts`).
 */
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from "quickjs-emscripten-core";
import { Border } from "./border/border.ts";
import preludeText from "../../wasm/prelude-text.js";
import { LEAST_MEMORY_BYTES, makeInstance } from "./instance.ts";
import { layImage, makeImage, type Observed } from "./prelude-image.ts";

/** Deeper recursion would overflow the worker's own stack, which ends the instance instead of throwing. */
const STACK_BYTES = 112 * 1024;

export interface Realm {
  readonly context: QuickJSContext;
  readonly shell: QuickJSHandle;
  /** Frees all of it. Never called once the realm cannot be trusted any more. */
  dispose(): void;
}

/** What a realm's code may reach of the host. */
export interface RealmHost {
  command(text: string): string;
  /** As `command`, in bytes; without it every command is a text. */
  commandBytes?(command: Uint8Array): Uint8Array;
  /** Takes a script's value as a document that holds it; without it values are texts. */
  show?(value: Uint8Array<ArrayBuffer>): void;
  print(text: string): void;
  rewrite(source: string): string;
  sleep(millis: number): void;
  /** Asked now and then while code runs. */
  shouldStop(): boolean;
  /** As `ShellHost` has them; `values` are addresses of values that name the objects. */
  hold(first: number, values: readonly number[]): void;
  nextSpoilt(from: number): number;
}

/**
 * A context with the functions that the prelude takes and removes. `crossing` is called with commands, `border` asked
 * for when a value is shown.
 */
function openContext(
  module: QuickJSWASMModule,
  host: RealmHost,
  border: () => Border | null,
  crossing: () => QuickJSHandle | undefined,
): QuickJSContext {
  const context = module.newContext();
  const define = (name: string, body: (argument: QuickJSHandle, ...more: QuickJSHandle[]) => QuickJSHandle): void => {
    const handle = context.newFunction(name, (first = context.undefined, ...more) => body(first, ...more));
    context.setProp(context.global, name, handle);
    handle.dispose();
  };
  context.runtime.setMaxStackSize(STACK_BYTES);
  context.runtime.setInterruptHandler(() => host.shouldStop());
  define("__quireCommand", (text) => context.newString(host.command(context.getString(text))));
  const exchange = context.newFunction("__quireExchange", crossing);
  context.setProp(context.global, "__quireExchange", exchange);
  exchange.dispose();
  define("__quireShow", (value) => {
    const bytes = host.show === undefined ? null : (border()?.shown(value) ?? null);
    if (bytes !== null) host.show?.(bytes);
    return bytes === null ? context.false : context.true;
  });
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
  define("__quireHold", (first, ...objects) => {
    host.hold(
      context.getNumber(first),
      objects.map(({ value }) => value),
    );
    return context.undefined;
  });
  define("__quireNextSpoilt", (from) => context.newNumber(host.nextSpoilt(context.getNumber(from))));
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
  let border: Border | null = null;
  const crossing = (): QuickJSHandle | undefined => border?.settle();
  const context = openContext(module, host, () => border, crossing);
  if (image === null || !layImage(module.getWasmMemory().buffer, image)) evaluatePrelude(context);
  const shell = context.getProp(context.global, "quireShell");
  const { commandBytes } = host;
  if (commandBytes !== undefined) border = new Border(module, context, shell, crossing, commandBytes);
  const dispose = (): void => {
    for (const part of [border, shell, context]) part?.dispose();
  };
  return { context, shell, dispose };
}

/**
 * Fills with zeros what was used and is free again, which would otherwise be downloaded: what the prelude was while it
 * was read.
 */
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
    const { module } = await makeInstance(LEAST_MEMORY_BYTES, wasm);
    const fresh = module.getWasmMemory().buffer.slice(0);
    const context = openContext(
      module,
      {
        command: unused,
        print: unused,
        rewrite: unused,
        sleep: unused,
        shouldStop: () => false,
        hold: unused,
        nextSpoilt: unused,
      },
      unused,
      unused,
    );
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
