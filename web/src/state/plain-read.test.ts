/** How plain values were read: of one command alone, with the batches after its first. */
import { expect, test } from "vitest";
import { encode } from "../codec/encode.ts";
import { accountOf } from "../engine/account.ts";
import { readPlain } from "./plain-read.ts";

const explain = { queryPlanner: { namespace: "a.b", winningPlan: { stage: "COLLSCAN" } } };
const observed = encode({ keysExamined: 0, documentsExamined: 101, pagesRead: 3, millis: 2, explain });
const find = encode({ find: "b", filter: { x: 1 }, $db: "a" });
const statement = {
  observed,
  alone: { command: find, following: 0, ended: true },
  account: accountOf([0, 101, 3, 0, 0, 0, 0]),
  commands: 1,
  engineMillis: 2,
};

test("one command is told by itself", () => {
  expect(readPlain(statement)).toMatchObject({ fetched: null, ended: true, command: find });
});

test("what came after the first batch is what the statement took beyond it", () => {
  const alone = { command: find, following: 149, ended: false };
  const account = accountOf([0, 400, 9, 0, 0, 0, 0]);
  expect(readPlain({ ...statement, alone, account, commands: 3, engineMillis: 7 })).toMatchObject({
    fetched: { batches: 2, documents: 149, documentsExamined: 299, keysExamined: 0, pagesRead: 6, millis: 5 },
    ended: false,
  });
});

test("nothing is told of several commands, and what writes is not to be run again", () => {
  const { alone: _alone, ...several } = statement;
  expect(readPlain(several)).toBeNull();
  for (const command of [
    { update: "b", updates: [], $db: "a" },
    { aggregate: "b", pipeline: [{ $match: {} }, { $out: "c" }], cursor: {}, $db: "a" },
    { aggregate: "b", pipeline: [{ $merge: "c" }], cursor: {}, $db: "a" },
  ])
    expect(readPlain({ ...statement, alone: { ...statement.alone, command: encode(command) } })?.command).toBeNull();
  const aggregate = encode({ aggregate: "b", pipeline: [{ $match: { x: 1 } }], cursor: {}, $db: "a" });
  expect(readPlain({ ...statement, alone: { ...statement.alone, command: aggregate } })?.command).toBe(aggregate);
});
