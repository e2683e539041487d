/**
 * The sandbox: QuickJS-ng in WebAssembly, with the shell's prelude and nothing else.
 *
 * Functions inside commands (`$where`) run in an instance of their own (`function-realm.ts`).
 *
 * Invariants: a script sees the language and the shell; the functions of the host are taken by the prelude and
 * removed before any script runs. One context lives as long as the deployment is open, so that names declared
 * by one script are there in the next. A context that ran out of memory or of stack, or that was stopped inside a
 * built-in function, is never touched again, not even to free it (QuickJS would abort): its whole WebAssembly instance
 * is dropped and a new one made.
 */
import type { QuickJSHandle } from "quickjs-emscripten-core";
import { tryRewrite } from "../shell/rewrite.ts";
import type { StatementPlace } from "../shell/rewritten.ts";
import type { Evaluated, EvaluatedError, EvaluatedValue, EvaluateOptions } from "../shell/shell.ts";
import { FunctionRealm } from "./function-realm.ts";
import { DEFAULT_MEMORY_BYTES, makeInstance, type Instance } from "./instance.ts";
import { openRealm, type LayImage, type Realm, type RealmHost } from "./realm.ts";
import { sleep } from "./sleep.ts";
import type { StopWatch } from "./stop.ts";

const OUT_OF_MEMORY = "out of memory";
/** The part of an instance's memory from which on it counts as full: an allocation failed there. */
const NEARLY_ALL = 0.75;

/** The functions of the host that a running script can reach. */
export interface SandboxHost {
  command(text: string): string;
  /** As `command`, in bytes; without it every command is a text. */
  commandBytes?(command: Uint8Array): Uint8Array;
  /**
   * Takes the value of a top-level statement that ended. Of a cursor it runs the command and gives the cursor's id, or
   * the Extended JSON of a failed command's reply behind "!"; else an empty text. Without it a script has one value.
   */
  ended?(number: number, value: EvaluatedValue): string;
  print(text: string): void;
  /** Called now and then while a script computes or sleeps. */
  tick?(): void;
}

/** An instance of the sandbox's WebAssembly, and a function that lays the prelude's image over its memory. */
export interface LoadedSandbox {
  readonly instance: Instance;
  readonly image: LayImage | null;
}

/** Makes an instance with so much memory at most. */
export type LoadSandbox = (memoryBytes: number) => Promise<LoadedSandbox>;

/** `wasm` is `wasm/sandbox.wasm`, compiled; without an image the prelude is evaluated. */
export function sandboxLoader(wasm: WebAssembly.Module, image: LayImage | null = null): LoadSandbox {
  return async (memoryBytes) => ({ instance: await makeInstance(memoryBytes, wasm), image });
}

const named = (name: string, message: string): EvaluatedError => ({
  name,
  message,
  text: `${name}: ${message}`,
  code: null,
  codeName: null,
  line: null,
  column: null,
});

/** The error of a script that its watch ended; null for any other. */
export function endedBy(watch: StopWatch | null): EvaluatedError | null {
  if (watch === null || watch.reason === null) return null;
  return watch.reason === "stopped"
    ? named("ScriptStopped", "the script was stopped")
    : named("ScriptTimeout", "the script ran longer than its time limit");
}

export class Sandbox {
  readonly #load: LoadSandbox;
  #memoryBytes = 0;
  readonly #host: SandboxHost;
  #loaded: LoadedSandbox | null = null;
  #realm: Realm | null = null;
  #functions: FunctionRealm | null = null;
  /** The instance in which the functions' realm is opened when one is called. */
  #spare: LoadedSandbox | null = null;
  #watch: StopWatch | null = null;
  #clockOffsetMillis = 0;
  #places: readonly StatementPlace[] = [];
  #shown: Uint8Array<ArrayBuffer> | null = null;

  constructor(load: LoadSandbox, host: SandboxHost) {
    this.#load = load;
    this.#host = host;
  }

  /** Makes the sandbox ready; to be awaited before each script. Another limit than the last makes a new sandbox. */
  async ready(memoryBytes = DEFAULT_MEMORY_BYTES): Promise<void> {
    if (memoryBytes !== this.#memoryBytes) this.#drop();
    this.#memoryBytes = memoryBytes;
    [this.#loaded, this.#spare] = await Promise.all([
      this.#loaded ?? this.#load(memoryBytes),
      this.#spare ?? this.#load(DEFAULT_MEMORY_BYTES),
    ]);
    this.#open();
  }

  /** Evaluates a script. An error of the script is in the result; none is thrown. */
  evaluate(source: string, options: EvaluateOptions, watch: StopWatch): Evaluated {
    const { context, shell } = this.#open();
    this.#watch = watch;
    const { instance } = this.#loaded as LoadedSandbox;
    instance.lookOut = () => {
      this.#host.tick?.();
      watch.insist();
    };
    const handles: QuickJSHandle[] = [
      context.getProp(shell, "evaluate"),
      context.newString(source.replaceAll("\0", "\ufffd")),
      context.newString(JSON.stringify(options)),
    ];
    try {
      const [evaluate, text, settings] = handles as [QuickJSHandle, QuickJSHandle, QuickJSHandle];
      const result = context.callFunction(evaluate, shell, text, settings);
      if (result.error !== undefined) {
        const thrown: unknown = context.dump(result.error);
        result.error.dispose();
        return this.#ended(thrown, options);
      }
      const outcome = context.getString(result.value);
      result.value.dispose();
      // A stopped sleep comes back early, and the script may have ended before QuickJS asked again.
      if (watch.reason !== null) return this.#ended(null, options);
      const evaluated = JSON.parse(outcome) as Evaluated;
      const { error } = evaluated;
      if (error === null || !this.#ranOut(error, instance)) return evaluated;
      // The values that filled the memory may be held by the script's names, and would fail the next script too.
      this.#drop();
      const { line, column } = error;
      return { ...evaluated, error: { ...named("InternalError", OUT_OF_MEMORY), line, column } };
    } catch (error) {
      // The realm's own stack ran out below QuickJS, or its WebAssembly trapped: the context is in an unknown state.
      return this.#ended(
        { message: error instanceof RangeError ? "Maximum call stack size exceeded" : String(error) },
        options,
      );
    } finally {
      this.#watch = null;
      for (const handle of handles) if (this.#realm?.context === context && handle.alive) handle.dispose();
      instance.lookOut = null;
    }
  }

  /** Whether a script's error is that of memory that ran out: where none is left for an error, QuickJS throws null. */
  #ranOut({ name, message, text }: EvaluatedError, instance: Instance): boolean {
    if (name === "InternalError" && message === OUT_OF_MEMORY) return true;
    const { byteLength } = instance.module.getWasmMemory().buffer;
    return text === "Uncaught null" && byteLength > this.#memoryBytes * NEARLY_ALL;
  }

  /** The error of a script that did not come to its own end; QuickJS knows no reliable place for it. */
  #ended(thrown: unknown, options: EvaluateOptions): Evaluated {
    const { message = thrown === null ? OUT_OF_MEMORY : String(thrown) } = (
      typeof thrown === "object" && thrown !== null ? thrown : {}
    ) as {
      message?: string;
    };
    const reason = this.#watch?.reason ?? null;
    // Out of memory or of stack in the shell itself, or ended inside a built-in function: nothing in this context can
    // be trusted any more.
    if (reason === null || this.#watch?.insisted === true) this.#drop();
    return {
      value: { kind: "none" },
      error: endedBy(this.#watch) ?? named("InternalError", message),
      database: options.database ?? "test",
    };
  }

  /** The realm in which functions inside commands run. */
  get functions(): FunctionRealm {
    if (this.#functions === null) {
      if (this.#spare === null) throw new Error("the sandbox is not ready");
      this.#functions = new FunctionRealm(this.#spare, {
        print: (text) => this.#host.print(text),
        sleep: (millis, watch) => sleep(millis, watch, () => this.#host.tick?.()),
        tick: () => this.#host.tick?.(),
      });
    }
    return this.#functions;
  }

  /** Tells the shell how far the engine's clock is ahead of the host's. */
  setClockOffset(millis: number): void {
    if (millis === this.#clockOffsetMillis) return;
    this.#clockOffsetMillis = millis;
    if (this.#realm !== null) this.#tellClock();
  }
  #tellClock(): void {
    if (this.#realm === null) return;
    const { context, shell } = this.#realm;
    const set = context.getProp(shell, "setClockOffset");
    const millis = context.newNumber(this.#clockOffsetMillis);
    context.unwrapResult(context.callFunction(set, shell, millis)).dispose();
    set.dispose();
    millis.dispose();
  }

  close(): void {
    const realm = this.#realm;
    this.#drop();
    this.#functions = null;
    this.#spare = null;
    realm?.dispose();
  }

  /** Forgets the context and its instance without freeing anything inside. */
  #drop(): void {
    this.#realm = null;
    this.#loaded = null;
  }

  #open(): Realm {
    if (this.#realm !== null) return this.#realm;
    if (this.#loaded === null) throw new Error("the sandbox is not ready");
    const { instance, image } = this.#loaded;
    // The image fits only the first realm of an instance.
    this.#realm = openRealm(
      instance.module,
      {
        command: (text) => this.#host.command(text),
        ...this.#inBytes(),
        print: (text) => this.#host.print(text),
        ...(this.#host.ended === undefined
          ? {}
          : {
              statement: (number, value) => this.#host.ended?.(number, JSON.parse(value) as EvaluatedValue) ?? "",
            }),
        rewrite: (source) => this.#rewrite(source),
        sleep: (millis) => sleep(millis, this.#watch, () => this.#host.tick?.()),
        shouldStop: () => {
          this.#host.tick?.();
          return this.#watch?.shouldStop() ?? false;
        },
        hold: () => undefined,
        nextSpoilt: () => -1,
      },
      image,
    );
    if (this.#clockOffsetMillis !== 0) this.#tellClock();
    return this.#realm;
  }

  #rewrite(source: string): string {
    const outcome = tryRewrite(source, this.#host.ended !== undefined);
    this.#places = "syntaxError" in outcome ? [] : outcome.statements;
    return JSON.stringify(outcome);
  }

  /** The places of the last script's top-level statements, by their numbers. */
  get places(): readonly StatementPlace[] {
    return this.#places;
  }

  #inBytes(): Pick<RealmHost, "commandBytes" | "show"> {
    const { commandBytes } = this.#host;
    if (commandBytes === undefined) return {};
    return {
      commandBytes,
      show: (value) => {
        this.#shown = value;
      },
    };
  }

  /** The value of the last script, where it is `shown`, as a document that holds it. */
  takeShown(): Uint8Array<ArrayBuffer> {
    const shown = this.#shown;
    this.#shown = null;
    if (shown === null) throw new Error("no value was shown");
    return shown;
  }
}
