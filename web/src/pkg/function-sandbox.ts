/**
 * The sandbox for functions inside commands, outside the worker: everything of it that is fetched only when the first
 * function is to run.
 *
 * The engines of a thread share one, which takes a tenth of a second to make, for as long as one of them is open.
 * Invariant: functions of one engine's command meet nothing that those of another left.
 */
import type { CommandFunctions } from "../worker/commands.ts";
import { callWatch, FunctionRealm } from "../worker/function-realm.ts";
import { DEFAULT_MEMORY_BYTES, makeInstance } from "../worker/instance.ts";
import { sleep } from "../worker/sleep.ts";

interface Shared {
  readonly realm: FunctionRealm;
  /** The engine whose function was called last: its `print` gets the texts. */
  last: SandboxFunctions | null;
}

/** Gives the sandbox's compiled WebAssembly; a parameter, since only the entry points know where its bytes are. */
type Compile = () => Promise<WebAssembly.Module>;

async function make(compile: Compile): Promise<Shared> {
  const instance = await makeInstance(DEFAULT_MEMORY_BYTES, await compile());
  const tick = (): void => undefined;
  const realm = new FunctionRealm(
    { instance, image: null },
    { print: (text) => shared.last?.print(text), sleep: (millis, watch) => sleep(millis, watch, tick), tick },
  );
  const shared: Shared = { realm, last: null };
  return shared;
}

let making: Promise<Shared> | null = null;
/** Held by the engines alone: its memory, which may have grown, goes with the last of them. */
let made: WeakRef<Shared> | null = null;

async function share(compile: Compile): Promise<Shared> {
  const there = made?.deref();
  if (there !== undefined) return there;
  making ??= make(compile);
  try {
    const shared = await making;
    made = new WeakRef(shared);
    return shared;
  } finally {
    making = null;
  }
}

/** The functions of one engine. */
export class SandboxFunctions implements CommandFunctions {
  readonly #shared: Shared;
  /** Takes the texts that functions print. */
  readonly print: (text: string) => void;

  private constructor(shared: Shared, print: (text: string) => void) {
    this.#shared = shared;
    this.print = print;
  }

  static async load(compile: Compile, print: (text: string) => void): Promise<SandboxFunctions> {
    return new SandboxFunctions(await share(compile), print);
  }

  /** Says that a command begins. */
  begin(): void {
    this.#shared.last = null;
  }

  shouldStop(): boolean {
    return false;
  }

  /** No signal ends the function while it runs: there is one thread, which hears of none. */
  callFunction(
    source: string,
    thisJson: string | undefined,
    argumentsJson: readonly string[],
    limitMillis: number | undefined,
  ): string {
    // Also where the command goes on after those of others: it stopped at a page that had to be fetched.
    if (this.#shared.last !== this) this.#shared.realm.begin();
    this.#shared.last = this;
    return this.#shared.realm.call(source, thisJson, argumentsJson, callWatch(null, limitMillis));
  }
}
