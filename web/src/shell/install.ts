/**
 * Puts a shell on the global object of the realm it is evaluated in; see `prelude.ts` for the contract.
 *
 * Invariant: after this, the global object holds the language and `quireShell`, and no function of the host.
 */
import { installBsonsize } from "./bson-size.ts";
import { keepBuiltins, restoreBuiltins } from "./builtins.ts";
import { failedCall } from "./error-place.ts";
import { borderSamples, finished } from "./border.ts";
import { LEFT_OUT } from "./border-kinds.ts";
import { setOffset } from "./clock.ts";
import { parse } from "./ejson.ts";
import type { Document } from "./errors.ts";
import { makeCallFunction, type CallFunction } from "./functions.ts";
import type { ShellHost } from "./host.ts";
import type { RewriteOutcome } from "./rewritten.ts";
import { Shell, type EvaluateOptions } from "./shell.ts";

interface PreludeGlobal {
  __quireCommand?: (text: string) => string;
  __quirePrint?: (text: string) => void;
  /**
   * A reply as `finished` takes it, its text where it cannot be told so, or undefined where the command's text is
   * needed.
   */
  __quireExchange?: (
    database: string,
    command: unknown,
    numbersAsDouble: boolean,
    statements: readonly unknown[] | undefined,
  ) => Parameters<typeof finished>[0] | string | undefined;
  __quireShow?: (value: unknown) => boolean;
  /** `ShellHost.statement`, with an id as it is, a failed command's reply behind "!", or nothing. */
  __quireStatement?: (number: number, value: string) => string;
  __quireRunJobs?: () => void;
  __quireSleep?: (millis: number) => void;
  __quireHold?: (first: number, ...objects: readonly object[]) => void;
  __quireNextSpoilt?: (from: number) => number;
  quireShell?: unknown;
}

function exchanged(exchange: NonNullable<PreludeGlobal["__quireExchange"]>): NonNullable<ShellHost["exchange"]> {
  return (database, command, numbersAsDouble, cut) => {
    const made = exchange(database, command, numbersAsDouble, cut?.statements);
    if (made === undefined) return undefined;
    const reply = (typeof made === "string" ? parse(made) : finished(made)) as Document;
    if (cut !== undefined && LEFT_OUT in reply) {
      cut.left = Number(reply[LEFT_OUT]);
      delete reply[LEFT_OUT];
    }
    return reply;
  };
}

function told(statement: NonNullable<PreludeGlobal["__quireStatement"]>): NonNullable<ShellHost["statement"]> {
  return (number, value) => {
    const answer = statement(number, value);
    if (answer === "") return undefined;
    return answer.startsWith("!") ? { failure: answer.slice(1) } : { cursorId: answer };
  };
}

/** The parameters are the functions of `rewrite.ts` and `function-text.ts`, here or outside. */
export function installPrelude(
  rewrite: (source: string) => RewriteOutcome,
  functionText: (code: string) => string,
): void {
  const realm = globalThis as unknown as PreludeGlobal;
  const {
    __quireCommand: command,
    __quirePrint: print,
    __quireExchange: exchange,
    __quireShow: show,
    __quireStatement: statement,
    __quireRunJobs: runJobs,
    __quireSleep: sleep,
    __quireHold: hold,
    __quireNextSpoilt: nextSpoilt,
  } = realm;
  if (command === undefined || print === undefined)
    throw new Error("the prelude needs __quireCommand and __quirePrint");
  delete realm.__quireCommand;
  delete realm.__quirePrint;
  delete realm.__quireExchange;
  delete realm.__quireShow;
  delete realm.__quireStatement;
  delete realm.__quireRunJobs;
  delete realm.__quireSleep;
  delete realm.__quireHold;
  delete realm.__quireNextSpoilt;

  const host: ShellHost = {
    command,
    print,
    failedCall,
    ...(exchange === undefined ? {} : { exchange: exchanged(exchange) }),
    ...(show === undefined ? {} : { show }),
    ...(statement === undefined ? {} : { statement: told(statement) }),
    ...(runJobs === undefined ? {} : { runJobs }),
    ...(sleep === undefined ? {} : { sleep }),
    ...(hold === undefined || nextSpoilt === undefined ? {} : { hold, nextSpoilt }),
  };
  const shell = new Shell(host, rewrite);
  installBsonsize(() => shell.connection.numbersAsDouble);
  let callFunction: CallFunction | null = null;
  const fromJson = JSON.parse;
  const toJson = JSON.stringify;
  keepBuiltins();

  Object.defineProperty(realm, "quireShell", {
    value: Object.freeze({
      /** One object of each kind that the host can read; new ones at each call. */
      samples: borderSamples,
      evaluate: (source: string, options?: string): string => {
        const outcome = shell.evaluate(
          source,
          options === undefined || options === "" ? {} : (fromJson(options) as EvaluateOptions),
        );
        restoreBuiltins();
        return toJson(outcome);
      },
      /** Makes ready for `callFunction`, which does it by itself otherwise. */
      openFunctions: (): void => {
        callFunction ??= makeCallFunction(host, functionText);
      },
      callFunction: (source: string, thisJson: string, argumentsJson: string): string => {
        callFunction ??= makeCallFunction(host, functionText);
        return callFunction(source, thisJson === "" ? undefined : thisJson, argumentsJson);
      },
      setClockOffset: (millis: number): void => setOffset(millis),
    }),
  });
}
