/**
 * Holds the web side to the engine's table of commands: no file but the generated one (`engine/commands.generated.ts`)
 * compares a name with a command's, or has commands' names in a list.
 *
 * A fact about commands is a field of their rows in `crate/src/command/table.rs`, and a list of the generated file.
 * Code that makes a command, or reads a field of one, names that one command: `{ find: … }`. Many names are plain words
 * too: what they are in a file that compares them is told below.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { COMMANDS } from "../src/engine/commands.generated.ts";

const root = resolve(import.meta.dirname, "../src");

/** Folders whose names are those of methods, of the shell and of drivers, and of operators. */
const OF_METHODS = ["copy", "messages", "reference", "view"];

/** The words that are no commands' names, by file, and what they are there. */
const NOT_COMMANDS: Readonly<Record<string, readonly [words: readonly string[], what: string]>> = {
  "driver/address.ts": [["count"], "a kind of value"],
  "driver/bulk.ts": [["update"], "a field of a batch's models"],
  "driver/options.ts": [["explain"], "an option of methods"],
  "driver/settings.ts": [["fsync"], "a setting of a connection string"],
  "lessons/course/mutants.ts": [["aggregate", "count", "distinct", "find"], "methods of collections in a script"],
  "lessons/course/run.ts": [["find"], "a method of collections"],
  "lessons/course/steps.ts": [
    [
      "aggregate",
      "count",
      "createIndexes",
      "delete",
      "distinct",
      "find",
      "findAndModify",
      "insert",
      "startSession",
      "update",
    ],
    "commands that are worded as the method which sends them",
  ],
  "pkg/push/follow.ts": [
    ["create", "createIndexes", "delete", "drop", "dropDatabase", "dropIndexes", "insert", "update"],
    "kinds of events",
  ],
  "pkg/testing/options.ts": [["setParameter"], "an argument of a server"],
  "protocol/moments.ts": [["create", "delete", "drop", "insert", "validate"], "kinds of changes in a moment's note"],
  "shell/bulk.ts": [["update"], "a field of a batch's models"],
  "shell/client-bulk.ts": [["delete", "insert", "update"], "operations of a batch and their fields"],
  "shell/collection/read.ts": [["explain"], "an option of methods"],
  "shell/database.ts": [["explain"], "an option of methods"],
  "shell/transaction-rules.ts": [
    ["abortTransaction", "aggregate", "commitTransaction", "count", "distinct", "find"],
    "what the session's own methods send, and reads that take its read concern",
  ],
  "shell/write-batches.ts": [["delete", "insert"], "kinds of operations"],
  "state/decode.ts": [["explain"], "a field of an aggregation"],
  "state/hints.ts": [["find"], "a method of arrays"],
  "state/watch/stream.ts": [["create"], "a kind of event"],
  "state/watch/event.ts": [["delete", "insert", "update"], "kinds of events"],
  "worker/statement-plan.ts": [["explain"], "a field of an observation"],
};

const quoted = (name: string): string => `(?:"${name}"|'${name}')`;

/** The commands' names that a source compares with, or has in a list of texts. */
function namedIn(source: string): readonly string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const lists = [...code.matchAll(/(?<![\w\])?.]\s*)\[[^[\]()]*\]/g)].map(([list]) => list).join("\n");
  return COMMANDS.filter((name) => {
    const text = quoted(name);
    const isCompared = new RegExp(`(?:\\bcase|[!=]==?)\\s*${text}|${text}\\s*(?:[!=]==?|in\\s+\\w)`).test(code);
    return isCompared || new RegExp(`(?:\\[|,)\\s*${text}\\s*(?:,|\\])`).test(lists);
  });
}

const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map((name) => join(root, name))
  .filter((path) => path.endsWith(".ts") && !/\.(?:test|d|generated)\.ts$/.test(path))
  .filter((path) => !OF_METHODS.includes(relative(root, path).split("/")[0] ?? ""));

it("finds names of commands where they are compared and listed", () => {
  expect(namedIn('if (name === "getMore") return;')).toEqual(["getMore"]);
  expect(namedIn('return "find" in command;')).toEqual(["find"]);
  expect(namedIn('switch (name) { case "count": case "distinct": }')).toEqual(["count", "distinct"]);
  expect(namedIn('const KNOWN = new Set([\n  "find",\n  "filter",\n  "drop",\n]);')).toEqual(["drop", "find"]);
  expect(namedIn('run({ find: "c" }); stats["count"]; call("drop", options); // === "ping"')).toEqual([]);
});

it("has no commands' names outside of the generated file", () => {
  const offenders: string[] = [];
  const left = new Map(Object.entries(NOT_COMMANDS).map(([file, [words]]) => [file, new Set(words)]));
  for (const path of files) {
    const file = relative(root, path);
    for (const name of namedIn(readFileSync(path, "utf8")))
      if (!left.get(file)?.delete(name) && !(NOT_COMMANDS[file]?.[0].includes(name) ?? false))
        offenders.push(`${file} names ${name}`);
  }
  expect(offenders).toEqual([]);
  const unused = [...left].flatMap(([file, words]) => [...words].map((word) => `${file}: ${word}`));
  expect(unused).toEqual([]);
});
