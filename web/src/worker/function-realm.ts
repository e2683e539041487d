/**
 * Where functions inside commands run (`$where`, `$function`, `$accumulator`, `mapReduce`): an instance of the sandbox
 * of their own, so that the script's variables are not theirs and damage to their memory harms no script.
 * A command of theirs, which would find the engine at work, is refused.
 *
 * Invariants: each command meets the realm as it was made, and each call within it the language as it was
 * (`shell/functions.ts`, `spoilt.ts`): the realm's whole memory is kept and put back, which takes less than a
 * millisecond. So it is after a function that ran out of memory, was stopped, or spoilt the language for good.
 */
import type { QuickJSHandle } from "quickjs-emscripten-core";
import { functionText } from "../shell/function-text.ts";
import type { Instance, Kept } from "./instance.ts";
import { openRealm, type LayImage, type Realm } from "./realm.ts";
import { SpoilCheck } from "./spoilt.ts";
import { StopWatch } from "./stop.ts";

export interface FunctionHost {
  print(text: string): void;
  sleep(millis: number, watch: StopWatch | null): void;
  tick(): void;
}

/** How long one function may run when no script does, which Stop could end. */
const FUNCTION_MILLIS = 2000;

/**
 * Watches one call: it ends with the script or the command that it is part of, and when that command's time is over.
 */
export function callWatch(whole: StopWatch | null, limitMillis: number | undefined): StopWatch {
  if (whole !== null && limitMillis === undefined) return whole;
  const most = whole === null ? FUNCTION_MILLIS : Infinity;
  return new StopWatch(null, Math.min(limitMillis ?? most, most), performance.now(), whole);
}

/** A function was ended by its watch. */
export class FunctionStopped extends Error {}

export class FunctionRealm {
  readonly #instance: Instance;
  readonly #realm: Realm;
  readonly #call: QuickJSHandle;
  readonly #spoilt: SpoilCheck;
  readonly #kept: Kept;
  #watch: StopWatch | null = null;
  /** A function ran since the realm's memory was last put back. */
  #used = false;

  constructor(
    { instance, image }: { readonly instance: Instance; readonly image: LayImage | null },
    host: FunctionHost,
  ) {
    this.#instance = instance;
    this.#spoilt = new SpoilCheck(() => instance.module.getWasmMemory().buffer);
    const refuse = (): never => {
      throw new Error("a function inside a command cannot run commands");
    };
    this.#realm = openRealm(
      instance.module,
      {
        command: refuse,
        print: (text) => host.print(text),
        rewrite: functionText,
        sleep: (millis) => host.sleep(millis, this.#watch),
        shouldStop: () => {
          host.tick();
          return this.#watch?.shouldStop() ?? false;
        },
        hold: (first, values) => values.forEach((value, at) => this.#spoilt.hold(value, first + at)),
        nextSpoilt: (from) => this.#spoilt.next(from),
      },
      image,
    );

    instance.lookOut = () => {
      host.tick();
      this.#watch?.insist();
    };
    const { context, shell } = this.#realm;
    const open = context.getProp(shell, "openFunctions");
    context.unwrapResult(context.callFunction(open, shell)).dispose();
    open.dispose();
    this.#call = context.getProp(shell, "callFunction");
    this.#kept = instance.keep();
    this.#spoilt.keep();
  }

  /** Tells that a command begins: values that functions of earlier commands left are gone. */
  begin(): void {
    if (this.#used) this.#restore();
  }

  #restore(): void {
    this.#instance.restore(this.#kept);
    this.#spoilt.restore();
    this.#used = false;
  }

  /** Calls a function; throws its error, and `FunctionStopped` when the watch ended it. */
  call(source: string, thisJson: string | undefined, argumentsJson: readonly string[], watch: StopWatch): string {
    const outside = this.#watch;
    this.#watch = watch;
    this.#used = true;
    try {
      const value = this.#called(source, thisJson, argumentsJson);
      // A sleep comes back early when its time is over, and the function may have ended before QuickJS asked again.
      if (watch.shouldStop()) throw new Error("the function ended too late");
      return value;
    } catch (error) {
      if (watch.reason !== null) {
        this.#restore();
        throw new FunctionStopped(
          watch.reason === "time limit" ? "the function ran longer than its time limit" : "the function was stopped",
        );
      }
      // Out of memory, of its own stack or of the worker's, or spoilt for good. The command fails; the next one meets
      // all as it was.
      if (!(error instanceof FunctionFailed) || /out of memory/i.test(error.message) || this.#spoilt.next(0) >= 0)
        this.#restore();
      throw error;
    } finally {
      this.#watch = outside;
    }
  }

  #called(source: string, thisJson: string | undefined, argumentsJson: readonly string[]): string {
    const { context, shell } = this.#realm;
    const given = [source, thisJson ?? "", `[${argumentsJson.join(",")}]`].map((text) => context.newString(text));
    const result = context.callFunction(this.#call, shell, ...given);
    if (result.error !== undefined) {
      const thrown: unknown = context.dump(result.error);
      result.error.dispose();
      for (const handle of given) handle.dispose();
      const { name = "Error", message = String(thrown) } = (
        typeof thrown === "object" && thrown !== null ? thrown : {}
      ) as { name?: string; message?: string };
      throw new FunctionFailed(`${name}: ${message}`);
    }
    const text = context.getString(result.value);
    result.value.dispose();
    for (const handle of given) handle.dispose();
    return text;
  }
}

/** A function inside a command threw; the message is the thrown error's. */
class FunctionFailed extends Error {}
