/** The adversary and other data, in a real engine with the real sandbox. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSandboxed } from "../../pkg/docs/sandboxed.ts";
import { readLesson, tasksOf } from "./lesson.ts";
import type { Task } from "./parts.ts";
import { pointsOf } from "./race.ts";
import { LessonRun, type Checked, type Made } from "./run.ts";
import { wordSteps } from "./steps.ts";
import { Trials } from "./trials.ts";

const wasm = (name: string): string => fileURLToPath(new URL(`../../../wasm/${name}`, import.meta.url));
const files = {
  engineWasm: () => readFileSync(wasm("quire_bg.wasm")),
  sandboxWasm: () => readFileSync(wasm("sandbox.wasm")),
};
const js = (words: string, source: string): string => `\`\`\`js ${words}\n${source}\n\`\`\`\n`;
const task = (id: string, ...keys: readonly string[]): string =>
  `\`\`\`task ${id}\nDo\nhints:\n${keys.map((key) => `- ${key}: ${key}`).join("\n")}\npassed: {n}\n\`\`\`\n`;

const scripts = [
  js(
    "setup",
    "db.counter.insertOne({ _id: 1, n: 0 }); db.log.createIndex({ n: 1 }, { unique: true }); " +
      "db.purses.insertMany([{ _id: 'a', n: 9 }, { _id: 'b', n: 0 }])",
  ),
  js("check count", "const { n } = db.counter.findOne(); n === 2 ? [true, { n }] : ['count', { n }]"),
  js("race count between cut", "count(5)\ncount(7)"),
  js(
    "held count",
    "const { n } = db.counter.findOne(), wanted = race.kind === 'cut' ? [9, 14] : [14];\n" +
      "wanted.includes(n) ? true : ['raced', { n, kind: race.kind }]",
  ),
  js("solution count", "const count = (by) => db.counter.updateOne({ _id: 1 }, { $inc: { n: by } })\ncount(2)"),
  js("wrong count count", "1"),
  js("wrong count count", "2"),
  js(
    "check sum",
    "const wanted = db.counter.findOne().n * 2;\n" +
      "reader.value === wanted ? [true, { n: reader.commands.length }] : ['sum', { wanted }]",
  ),
  js("other sum", "db.counter.updateOne({}, { $set: { n: 50 } })"),
  js("solution sum", "db.counter.findOne().n * 2"),
  js("wrong sum sum", "1"),
  js("wrong sum sum", "2"),
  js("check script", "db.log.countDocuments() === 2 ? [true, { n: 2 }] : ['log', { n: db.log.countDocuments() }]"),
  js("race script between cut", ""),
  js("solution script", "for (const n of [1, 2]) db.log.updateOne({ n }, { $set: {} }, { upsert: true })"),
  js("wrong script log", "1"),
  js("wrong script log", "2"),
  js("check give", "const { n } = db.purses.findOne({ _id: 'b' }); n === 1 ? [true, { n }] : ['nothing', { n }]"),
  js("race give between cut", "give(1)\ngive(1)"),
  js(
    "held give",
    "const [a, b] = db.purses.find().toArray(), least = race.kind === 'after' ? 3 : 2;\n" +
      "a.n + b.n === 9 && b.n >= least ? true : ['raced', { n: b.n, kind: race.kind }]",
  ),
  js("solution give", "const give = () => db.purses.bulkWrite([])"),
  js("wrong give nothing", "1"),
  js("wrong give nothing", "2"),
].join("\n");

describe.runIf(existsSync(wasm("quire_bg.wasm")))("trials", () => {
  const given = [
    task("count", "count", "raced"),
    task("sum", "sum"),
    task("script", "log"),
    task("give", "nothing", "raced"),
  ];
  const text = `# T\n\n${given.join("\n")}`;
  const { lesson, faults } = readLesson("l", "en", { scripts, text });
  const tasks = new Map(tasksOf(lesson).map((one) => [one.id, one]));
  let host: Awaited<ReturnType<typeof openSandboxed>>;
  let run: LessonRun;
  beforeAll(async () => {
    host = await openSandboxed(10_000, files);
    run = new LessonRun(lesson, "garden", host);
    await run.begin();
  });
  afterAll(() => host.close());
  const tried = async (id: string, source: string): Promise<Checked> => {
    await run.retry(id);
    await run.attempt(id, source);
    return run.check(tasks.get(id) as Task);
  };

  test("are read without a fault", () => expect(faults).toEqual([]));

  test("let an atomic answer pass, and leave the data as they were", async () => {
    const atomic = "const count = (by) => db.counter.updateOne({ _id: 1 }, { $inc: { n: by } })\ncount(2)";
    expect(await tried("count", atomic)).toEqual({ kind: "passed", words: { n: 2 } });
    const { cursor } = await host.command("garden", { find: "counter" });
    expect(cursor.firstBatch).toEqual([{ _id: 1, n: 2 }]);
    const { moments } = await host.command("admin", { quireMoments: 1 });
    expect(moments.map(({ name }: { name: string }) => name)).toEqual([
      "before the lesson",
      "start of the lesson",
      "before count",
    ]);
  });

  test("break an answer that reads before it writes, and show how", async () => {
    const apart = `const count = (by) => {
      const { n } = db.counter.findOne({ _id: 1 })
      db.counter.updateOne({ _id: 1 }, { $set: { n: n + by } })
    }
    count(2)`;
    const checked = await tried("count", apart);
    expect(checked).toMatchObject({ kind: "hint", key: "raced", words: { n: 7, kind: "between" } });
    const { shown } = checked as Extract<Checked, { readonly kind: "hint" }>;
    if (shown === undefined) throw new Error("nothing is shown");
    const { steps, at } = wordSteps(shown);
    expect([shown.kind, at]).toEqual(["between", 1]);
    expect(steps.map(({ by, text: words }) => `${by} ${words}`)).toEqual([
      "first db.counter.findOne({ _id: 1 })",
      "second db.counter.findOne({ _id: 1 })",
      "second db.counter.updateOne({ _id: 1 }, { $set: { n: 9 } })",
      "first db.counter.updateOne({ _id: 1 }, { $set: { n: 7 } })",
    ]);
    expect(steps.map(({ given }) => given.kind)).toEqual(["found", "found", "changed", "changed"]);
    // The same again, in every detail.
    expect(await tried("count", apart)).toEqual(checked);
  });

  test("meet async functions between their commands, awaited or not, and let right ones with await pass", async () => {
    const apart = `const count = async (by) => {
      const { n } = await db.counter.findOne({ _id: 1 })
      await db.counter.updateOne({ _id: 1 }, { $set: { n: n + by } })
    }`;
    const raced = { kind: "hint", key: "raced", words: { n: 7, kind: "between" } };
    expect(await tried("count", `${apart}\nawait count(2)`)).toMatchObject(raced);
    expect(await tried("count", `${apart}\ncount(2)`)).toMatchObject(raced);
    const atomic = "const count = async (by) => await db.counter.updateOne({ _id: 1 }, { $inc: { n: by } })";
    expect(await tried("count", `${atomic}\nawait count(2)`)).toEqual({ kind: "passed", words: { n: 2 } });
    // A check that asks for the commands runs the script once more, too.
    const sum = "const one = await db.counter.findOne()\none.n * 2";
    expect(await tried("sum", sum)).toEqual({ kind: "passed", words: { n: 1 } });
  });

  test("break an answer that is half done when the power fails", async () => {
    const halves = `const count = (by) => {
      try {
        db.counter.updateOne({ _id: 1 }, { $inc: { n: by - 1 } })
        db.counter.updateOne({ _id: 1 }, { $inc: { n: 1 } })
      } finally {
        db.counter.updateOne({ _id: 1 }, { $inc: { n: 0 } })
      }
    }
    count(2)`;
    expect(await tried("count", halves)).toMatchObject({ key: "raced", words: { n: 13, kind: "cut" } });
  });

  test("give each program names of its own", async () => {
    const counted =
      "let n = 2\nconst count = (by) => { n += by; db.counter.updateOne({ _id: 1 }, { $set: { n } }) }\n" +
      "db.counter.updateOne({}, { $set: { n } })";
    expect(await tried("count", counted)).toMatchObject({ key: "raced", shown: { kind: "after" } });
  });

  test("tell of a script without the function", async () => {
    expect(await tried("count", "db.counter.updateOne({}, { $set: { n: 2 } })")).toMatchObject({
      key: "uncalled",
      words: { call: "count(5)", message: "count is not defined" },
    });
  });

  test("run a script on other data", async () => {
    await run.retry("count");
    expect(await tried("sum", "db.counter.findOne().n * 2")).toEqual({ kind: "passed", words: { n: 1 } });
    expect(await tried("sum", "0")).toMatchObject({ key: "sum", other: true, words: { wanted: 100 } });
    expect(run.figure("account.commands", "sum")).toBe(0);
  });

  test("run a whole script twice at once, and again after the power failed", async () => {
    const upserts = "for (const n of [1, 2]) db.log.updateOne({ n }, { $set: {} }, { upsert: true })";
    expect(await tried("script", upserts)).toMatchObject({ kind: "passed" });
    const once = "if (db.log.countDocuments() === 0) for (const n of [1, 2]) db.log.insertOne({ n })";
    expect(await tried("script", once)).toMatchObject({ key: "log", shown: { kind: "cut" }, words: { n: 1 } });
  });

  const give = (middle: string, end: string): string =>
    `const give = (n) => {
      const session = db.getMongo().startSession(), { purses } = session.getDatabase("garden")
      session.startTransaction()
      purses.updateOne({ _id: "a" }, { $inc: { n: -n } })
      ${middle}.updateOne({ _id: "b" }, { $inc: { n } })
      ${end}
    }
    give(1)`;

  test("take the open transactions of a program along when its power fails", async () => {
    expect(await tried("give", give("purses", "session.commitTransaction()"))).toEqual({
      kind: "passed",
      words: { n: 1 },
    });
  });

  test("end the tries of a program whose conflict lasts while it is called", async () => {
    const patient = `const give = (n) => {
      const session = db.getMongo().startSession(), { purses } = session.getDatabase("garden")
      for (;;) {
        session.startTransaction()
        try {
          purses.updateOne({ _id: "a" }, { $inc: { n: -n } })
          purses.updateOne({ _id: "b" }, { $inc: { n } })
          return session.commitTransaction()
        } catch (error) {
          session.abortTransaction()
          if (!error.errorLabels?.includes("TransientTransactionError")) throw error
        }
      }
    }
    give(1)`;
    expect(await tried("give", patient)).toEqual({ kind: "passed", words: { n: 1 } });
  });

  test("show the steps of a transaction as a script would write them", async () => {
    const checked = await tried("give", give("db.purses", "session.commitTransaction()"));
    expect(checked).toMatchObject({ kind: "hint", key: "raced", words: { kind: "cut" } });
    const { shown } = checked as Extract<Checked, { readonly kind: "hint" }>;
    if (shown === undefined) throw new Error("nothing is shown");
    const inSession = 'session.getDatabase("garden").purses';
    expect(wordSteps(shown).steps.map(({ by, text: words }) => `${by} ${words}`)).toContainEqual(
      `first ${inSession}.updateOne({ _id: "a" }, { $inc: { n: -1 } })`,
    );
    expect(wordSteps(shown).steps.map(({ text: words }) => words)).toEqual(
      expect.arrayContaining(["db.getMongo().startSession()", "session.commitTransaction()"]),
    );
    // The power failed before the commit: what went through `db` stays, and what went through the session does not.
  });

  test("meet no transaction that an earlier attempt left open", async () => {
    expect(await tried("give", give("purses", ""))).toMatchObject({ key: "nothing" });
    await run.attempt("give", give("purses", "session.commitTransaction()"));
    expect(await run.check(tasks.get("give") as Task)).toMatchObject({ kind: "passed" });
  });

  test("are not needed for a script that cannot be read", async () => {
    expect(await tried("count", "db.counter.updateOne({")).toMatchObject({ key: "syntax", words: { line: 1 } });
    expect(await tried("count", "JSON.parse('{')")).toMatchObject({ key: "failed", words: { message: /SyntaxError/ } });
  });

  test("are bounded in number", () => {
    expect(pointsOf({ between: true, cut: true }, 2)).toEqual([
      { kind: "between", at: 1 },
      { kind: "cut", at: 1 },
    ]);
    expect(pointsOf({ between: false, cut: true }, 1000)).toHaveLength(16);
  });
});

test("a race in which no command was seen is not stood, but broken", async () => {
  const { scripts: read } = readLesson("l", "en", {
    scripts,
    text: `# T\n\n${task("count", "count", "raced")}\n`,
  }).lesson;
  const trials = new Trials(read, {
    restore: async () => {},
    keep: async () => {},
    drop: async () => {},
    ready: async () => {},
    prepare: async () => null,
    make: () => Promise.reject(new Error("not run on other data")),
    evaluate: async () => ({ value: { mine: 0, steps: [], errors: [null, null] } }),
    judge: async () => ({ kind: "passed", words: {} }),
  });
  const made: Pick<Made, "source"> = { source: "const count = (by) => {}" };
  expect(await trials.make("count", made as Made, "before")).toEqual({
    kind: "broken",
    message: "no command of the first program was seen",
  });
});
