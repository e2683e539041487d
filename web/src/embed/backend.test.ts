/** Snippets' databases: a setup that leaves nothing but data runs once, and its data is gone back to. */
import type { Document } from "bson";
import { describe, expect, test } from "vitest";
import { Backend, type BackendClient, type Job } from "./backend.ts";

function setUp() {
  const did: string[] = [];
  let kept = 0;
  let refuses = false;
  const client: BackendClient = {
    state: { gentleStop: true },
    run: (source) => {
      // A reset forgets names by an empty script.
      if (source !== "") did.push(source);
      return {
        outcome: Promise.resolve({
          value: { kind: "none" },
          printed: [],
          leftOut: 0,
          error: null,
          failed: null,
          database: "d",
          saved: false,
          kept: null,
          statements: [],
          statementsLeftOut: 0,
          statistics: { commands: 0, elapsedMillis: 0, engineMillis: 0 },
        }),
        stop: () => undefined,
      };
    },
    command: async (_database, command): Promise<Document> => {
      const [name = "", value] = Object.entries(command)[0] ?? [];
      did.push(`${name} ${String(value)}`);
      if (name === "quireRestore" && refuses) throw new Error("no such moment");
      if (name === "quireMoment") kept += 1;
      return { number: kept, ok: 1 };
    },
    commandBytes: (command) => Promise.resolve(command),
    more: () => Promise.reject(new Error("there is no cursor")),
  };
  const backend = new Backend(() => Promise.resolve(client));
  const run = async (job: Partial<Job>, ...setups: readonly string[]): Promise<readonly string[]> => {
    did.length = 0;
    const steps = setups.map((source) => ({ stage: "setup", name: "", source }) as const);
    await backend.run(
      { database: "d", isolated: false, source: "script", ...job, steps },
      () => undefined,
      () => undefined,
    ).finished;
    return [...did];
  };
  return { backend, run, refuse: () => void (refuses = true) };
}

const SETUP = 'db.herbs.insertMany([{ name: "a = b" }, { n: 1 }])';

test("after a drawing's command a database is no more what its setups prepared", async () => {
  const { backend, run } = setUp();
  await run({}, SETUP);
  await backend.reset("d");
  await backend.changer.commandBytes(new Uint8Array(5));
  expect(await run({}, SETUP)).toEqual([SETUP, "script"]);
});

describe("a setup", () => {
  test("runs once, and a reset goes back to what it prepared", async () => {
    const { backend, run } = setUp();
    expect(await run({}, SETUP)).toEqual([SETUP, "quireMoment 1", "script"]);
    expect(await run({}, SETUP)).toEqual(["script"]);
    await backend.reset("d");
    expect(await run({}, SETUP)).toEqual(["quireRestore 1", "script"]);
    await backend.reset("d");
    // Another one is prepared, and the old one's data is not kept for ever.
    expect(await run({}, "db.b.drop()")).toEqual(["db.b.drop()", "quireMoment 1", "quireDropMoment 1", "script"]);
  });

  test("of an isolated database is gone back to by each run", async () => {
    const { run } = setUp();
    expect(await run({ isolated: true }, SETUP)).toEqual(["dropDatabase 1", SETUP, "quireMoment 1", "script"]);
    expect(await run({ isolated: true }, SETUP)).toEqual(["dropDatabase 1", "quireRestore 1", "script"]);
  });

  test.each(["const n = 1; db.a.insertOne({ n })", "n = 1", "use('other')", "clock.advance('1h')", "i++"])(
    "runs again where it leaves more than data: %s",
    async (setup) => {
      const { backend, run } = setUp();
      expect(await run({}, setup)).toEqual([setup, "script"]);
      await backend.reset("d");
      expect(await run({}, setup)).toEqual([setup, "script"]);
    },
  );

  test("runs again where what it prepared is not kept any more, or a script ran before it", async () => {
    const { backend, run, refuse } = setUp();
    await run({}, SETUP);
    await backend.reset("d");
    refuse();
    expect(await run({}, SETUP)).toEqual(["quireRestore 1", SETUP, "quireMoment 1", "quireDropMoment 1", "script"]);
    await backend.reset("d");
    await run({});
    expect(await run({}, SETUP)).toEqual([SETUP, "script"]);
  });
});
