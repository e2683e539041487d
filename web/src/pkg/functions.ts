/**
 * Functions inside commands (`$where`, `$function`, `$accumulator`, `mapReduce`) for an engine in the caller's thread:
 * run in the sandbox, as in a page's worker.
 *
 * Such a function is code that came with a command, maybe a stranger's. Invariants: it runs in the sandbox or not at
 * all; the sandbox is fetched and made when somebody asks for it, since few commands have functions.
 */
import type { FunctionCaller } from "../engine/host.ts";
import { compile } from "../engine/load.ts";
import { sandboxWasm } from "./defaults.ts";
import type { SandboxFunctions } from "./function-sandbox.ts";

/** Why a `functions` option is refused, for a person; null when it can be had. */
export function functionsFault(option: unknown): string | null {
  return option === undefined || option === "sandbox"
    ? null
    : `functions must be "sandbox" or left out, got ` +
        `${typeof option === "string" ? JSON.stringify(option) : String(option)}`;
}

/** The error where a command has a function and the engine no sandbox. */
const NO_SANDBOX = 'this engine runs no functions of scripts: make it with Engine.create({ functions: "sandbox" })';

/**
 * The functions of one engine: their source for `Commands`, and the caller of them for an engine whose commands are
 * synchronous.
 */
export class Functions {
  #loaded: SandboxFunctions | null = null;
  #loading: Promise<SandboxFunctions> | null = null;
  /** Takes the texts that functions print. By default they are dropped: on a server they would go into its log. */
  print: (text: string) => void = () => undefined;

  /** Null before the sandbox is there, when each call is refused. */
  get loaded(): SandboxFunctions | null {
    return this.#loaded;
  }

  /** Loads the sandbox; may be tried again after it failed. */
  load(): Promise<SandboxFunctions> {
    this.#loading ??= (async () => {
      const { SandboxFunctions } = await import("./function-sandbox.ts");
      this.#loaded = await SandboxFunctions.load(
        () => compile(sandboxWasm()),
        (text) => this.print(text),
      );
      return this.#loaded;
    })();
    this.#loading.catch(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  /** Says that a command begins. */
  readonly begin = (): void => this.#loaded?.begin();

  /** For the engine's host. */
  readonly call: FunctionCaller = (source, thisJson, argumentsJson, limitMillis) => {
    if (this.#loaded === null) throw new Error(NO_SANDBOX);
    return this.#loaded.callFunction(source, thisJson, argumentsJson, limitMillis);
  };

  /** Lets go of the sandbox. */
  close(): void {
    this.#loaded = null;
  }
}
