/**
 * One realm of the sandbox: a QuickJS context with the shell's prelude in it.
 *
 * Invariant: the steps before the prelude is evaluated are the same in each sandbox and at each time, and also when the
 * build makes the prelude's image (`start/prelude-image.ts`), which is laid over their memory.
 */
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from "quickjs-emscripten-core";
import { Border } from "./border/border.ts";
import preludeText from "../../wasm/prelude-text.js";

/** Deeper recursion would overflow the worker's own stack, which ends the instance instead of throwing. */
const STACK_BYTES = 112 * 1024;

export interface Realm {
  readonly context: QuickJSContext;
  readonly shell: QuickJSHandle;
  /** Frees all of it. Never called once the realm cannot be trusted any more. */
  dispose(): void;
}

/** The functions of the host that a realm's code can call; it can reach nothing else outside. */
export interface RealmHost {
  command(text: string): string;
  /** As `command`, in bytes; without it every command is a text. */
  commandBytes?(command: Uint8Array): Uint8Array;
  /** Takes a script's value as a document that holds it; without it values are texts. */
  show?(value: Uint8Array<ArrayBuffer>): void;
  /** `ShellHost.statement`, answered as `__quireStatement` is; without it statements tell no ends. */
  statement?(number: number, value: string): string;
  print(text: string): void;
  /** A script as a `RewriteOutcome` in JSON; in a realm for functions, `functionText` of their code. */
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
export function openContext(
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
  if (host.statement !== undefined)
    define("__quireStatement", (number, value) =>
      context.newString(
        host.statement?.(context.getNumber(number), value === undefined ? "" : context.getString(value)) ?? "",
      ),
    );
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

export function evaluatePrelude(context: QuickJSContext): void {
  const loaded = context.evalCode(preludeText, "prelude.js");
  if (loaded.error !== undefined) {
    const thrown: unknown = context.dump(loaded.error);
    loaded.error.dispose();
    throw new Error(`the shell's prelude did not load: ${JSON.stringify(thrown)}`);
  }
  loaded.value.dispose();
}

/**
 * Lays the prelude over a new sandbox's memory, from an image of it; false, and nothing is done, where that does not
 * fit.
 */
export type LayImage = (memory: ArrayBufferLike) => boolean;

/** A context with the prelude in it; from its image where there is one that fits. */
export function openRealm(module: QuickJSWASMModule, host: RealmHost, image: LayImage | null): Realm {
  let border: Border | null = null;
  const crossing = (): QuickJSHandle | undefined => border?.settle();
  const context = openContext(module, host, () => border, crossing);
  if (image?.(module.getWasmMemory().buffer) !== true) evaluatePrelude(context);
  const shell = context.getProp(context.global, "quireShell");
  const { commandBytes } = host;
  if (commandBytes !== undefined) border = new Border(module, context, shell, crossing, commandBytes);
  const dispose = (): void => {
    for (const part of [border, shell, context]) part?.dispose();
  };
  return { context, shell, dispose };
}
