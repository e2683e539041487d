/** A host for shell tests: answers each command by name and keeps what was asked. */
import { parse, stringify } from "../src/shell/ejson.ts";
import type { ShellHost } from "../src/shell/host.ts";

export type Json = Record<string, unknown>;

export interface ScriptedHost extends ShellHost {
  /** The commands so far, as plain JSON of canonical Extended JSON. */
  readonly commands: Json[];
  readonly printed: string[];
}

/** `answers` maps a command's name to its reply, or to a function of the command. */
export function scriptedHost(answers: Readonly<Record<string, Json | ((command: Json) => Json)>> = {}): ScriptedHost {
  const commands: Json[] = [];
  const printed: string[] = [];
  return {
    commands,
    printed,
    print: (text) => void printed.push(text),
    command(text) {
      commands.push(JSON.parse(text) as Json);
      const command = parse(text) as Json;
      const answer = answers[Object.keys(command)[0] ?? ""] ?? { ok: 1, n: 1, nModified: 1 };
      return stringify(typeof answer === "function" ? answer(command) : answer);
    },
  };
}

/** A find or aggregate reply with one last batch. */
export const batch = (documents: readonly unknown[], id: unknown = 0): Json => ({
  ok: 1,
  cursor: { firstBatch: documents, id, ns: "test.c" },
});
