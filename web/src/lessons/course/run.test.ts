/** A lesson in a real engine with the real sandbox, run as a page and as `check-course` run it. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSandboxed } from "../../pkg/docs/sandboxed.ts";
import { tryLesson } from "./check.ts";
import { wordFault } from "./faults.ts";
import { readLesson, tasksOf, type Lesson } from "./lesson.ts";
import { replay, review } from "./replay.ts";
import { LessonRun } from "./run.ts";
import type { Task } from "./parts.ts";
import { NO_WORK } from "./progress.ts";

const wasm = (name: string): string => fileURLToPath(new URL(`../../../wasm/${name}`, import.meta.url));
const files = {
  engineWasm: () => readFileSync(wasm("quire_bg.wasm")),
  sandboxWasm: () => readFileSync(wasm("sandbox.wasm")),
};
const open = () => openSandboxed(10_000, files);

const js = (words: string, source: string): string => `\`\`\`js ${words}\n${source}\n\`\`\`\n`;
const block = (words: string, ...lines: readonly string[]): string => `\`\`\`${words}\n${lines.join("\n")}\n\`\`\`\n`;
const scripts = [
  js(
    "setup",
    "const step = 10;\nfor (let i = 0; i < 100; i++) db.a.insertOne({ _id: i, tens: i % step });\nclock.advance('1h')",
  ),
  js("run scan", "db.a.find({ tens: 3 })"),
  js("run more", "db.a.insertOne({ _id: step * step })"),
  js("run fails", "// an error\ndb.a.insertOne({ _id: 1 })"),
  js("value now", "db.a.countDocuments()"),
  js("value then after more", "db.a.countDocuments()"),
  js("value cost", "runs.scan.documentsExamined + runs.scan.last.documentsReturned"),
  js("chart bars after scan", "[{ label: 'read', value: runs.scan.documentsExamined }]"),
  js(
    "check index",
    "const n = db.a.getIndexes().length; n > 1 ? true : reader.account === null ? 'none' : " +
      "['wrong', { n }, 'an error'].slice(0, 2)",
  ),
  js("solution index", "db.a.createIndex({ tens: 1 })"),
  js("wrong index wrong", "1"),
  js("wrong index wrong", "db.b.createIndex({ tens: 1 })"),
].join("\n");
const figure = block("question scan", "How many?", "= account.documentsExamined");
const refused = block("question fails", "How many are there then?", "= db.a.countDocuments({ _id: 1 })");
const text = `# T\n\n{{now}} {{then}} {{cost}}\n\n${figure}\n${block(
  "question scan",
  "How?",
  '- account.stage === "COLLSCAN" :: all',
  "- account.index !== null :: index",
)}\n::run scan\n::chart bars\n::run more\n${refused}\n::run fails\n\n${block(
  "task index",
  "Do",
  "hints:",
  "- none: None",
  "- wrong: {n} indexes",
  "passed: {{account.pagesWritten}}",
)}`;

describe.runIf(existsSync(wasm("quire_bg.wasm")))("a lesson", () => {
  const { lesson, faults } = readLesson("l", "en", { scripts, text });
  const [task] = tasksOf(lesson) as readonly [Task];
  let host: Awaited<ReturnType<typeof open>>;
  let run: LessonRun;
  beforeAll(async () => {
    host = await open();
    run = new LessonRun(lesson, "garden", host);
    await run.begin();
  });
  afterAll(() => host.close());

  test("computes what its text wants when it can be known", async () => {
    expect(faults).toEqual([]);
    expect([run.figure("now"), run.figure("then"), run.figure("cost"), run.figure("scan.pagesRead")]).toEqual([
      100,
      undefined,
      undefined,
      undefined,
    ]);
    expect(run.chart("bars")).toBe(null);
    const { account } = await run.run("scan");
    expect(account).toMatchObject({ stage: "COLLSCAN", index: null, documentsExamined: 100, documentsReturned: 10 });
    expect(run.figure("cost")).toBe(110);
    expect(run.figure("scan.documentsExamined")).toBe(100);
    expect(run.answered("scan/1")).toEqual({ kind: "figure", truth: 100 });
    expect(run.answered("scan/2")).toEqual({ kind: "choices", right: [true, false] });
    expect(run.chart("bars")).toEqual({ series: [""], rows: [{ label: "read", values: [100] }] });
    await run.run("more");
    expect([run.figure("now"), run.figure("then")]).toEqual([101, 101]);
    expect((await run.run("fails")).outcome.error?.code).toBe(11000);
    expect(run.answered("fails/1")).toEqual({ kind: "figure", truth: 1 });
  });

  test("checks what the reader left, and takes it back", async () => {
    expect(await run.check(task)).toEqual({ kind: "hint", key: "none", words: {} });
    await run.attempt("index", "const reader = { account: null }; db.a.insertOne({ _id: -1 })");
    expect(await run.check(task)).toEqual({ kind: "hint", key: "wrong", words: { n: 1 } });
    // Of a script that did nothing the error alone is told, and that in one line; else both are.
    await run.attempt("index", "db.a.find({ $no: 1 }).toArray()");
    expect(await run.check(task)).toMatchObject({ key: "failed", words: { message: expect.stringContaining("$no") } });
    await run.attempt("index", "db.a.insertMany([{ _id: 0 }])");
    const twice = expect.stringMatching(/^.*E11000.*$/);
    expect(await run.check(task)).toMatchObject({ key: "failed", words: { message: twice } });
    await run.attempt("index", "db.a.insertOne({ _id: -2 }); db.a.find({ $no: 1 }).toArray()");
    expect(await run.check(task)).toMatchObject({ key: "wrong", error: expect.stringContaining("$no") });
    expect(run.figure("now")).toBe(103);
    await run.retry("index");
    expect(run.figure("now")).toBe(101);
    // An attempt and a check inside `aside` leave nothing behind, and the lesson's figures are not computed for them.
    const aside = await run.aside("index", async () => {
      await run.attempt("index", "db.a.insertOne({ _id: -1 })");
      return { ...(await run.check(task)), now: run.figure("now"), commands: run.made("index")?.account.commands };
    });
    expect(aside).toEqual({ kind: "hint", key: "wrong", words: { n: 1 }, now: 101, commands: 1 });
    expect([run.made("index"), run.figure("now")]).toEqual([null, 101]);
    await run.attempt("index", "db.a.createIndex({ tens: 1 })");
    expect(await run.check(task)).toEqual({ kind: "passed", words: {} });
    expect(run.figure("account.pagesWritten", "index")).toBeGreaterThan(0);
    const { account } = await run.run("scan");
    expect(account).toMatchObject({ stage: "IXSCAN", index: "tens_1", documentsExamined: 10, keysExamined: 10 });
  });

  test("goes back to its start: data, indexes, names and the clock", async () => {
    const now = async (): Promise<number> => Number((await host.command("admin", { quireClock: 1 }))["offsetMillis"]);
    expect(await now()).toBe(3_600_000);
    await run.attempt("index", "var mine = 1; clock.advance('1d')");
    expect(await now()).toBe(90_000_000);
    await run.reset();
    expect(await now()).toBe(3_600_000);
    expect([run.figure("now"), run.figure("then"), run.made("scan")]).toEqual([100, undefined, null]);
    expect((await run.attempt("index", "typeof mine")).outcome.error).toBe(null);
    expect((await run.attempt("index", "mine")).outcome.error?.name).toBe("ReferenceError");
    // The names that the setup declared are there again.
    expect((await run.run("more")).outcome.error).toBe(null);
    expect(await run.isThere()).toBe(true);
  });

  test("is tried as check-course does", async () => {
    const { faults, tried } = await tryLesson([lesson], "garden", open);
    expect(faults.map(wordFault)).toEqual([]);
    expect(tried).toEqual({ runs: 3, questions: 3, tasks: 1, wrongs: 2, rights: 1, mutants: 1, figures: 4 });
  });

  test.each([
    ["'wrong', { n }", "'wrong', { m: n }", /gives no `n` for the hint `wrong`/],
    ["n > 1 ? true", "n > 2 ? true", /solution index: the check says `wrong`/],
    ["const n = ", "db.c.insertOne({}); const n = ", /the check changed the data/],
    ["const n = ", "db.a.aggregate([{ $out: 'c' }]); const n = ", /the check changed the data/],
    ["db.b.createIndex", "db.a.createIndex", /wrong index wrong: the check says that it is passed/],
    ["// an error\n", "", /run fails fails: MongoBulkWriteError|run fails fails: Mongo/],
    ["const step", "const step = nothing; const other", /the setup fails/],
    [
      "runs.scan.documentsExamined + runs.scan.last",
      "runs[['scan'][0]].last",
      /value cost cannot be computed at the start: TypeE/,
    ],
  ])("%j in the place of %j is told", async (old, changed, message) => {
    const broken = readLesson("l", "en", { scripts: scripts.replace(old, changed), text }).lesson;
    const { faults } = await tryLesson([broken], "garden", open);
    expect(faults.map(wordFault).join("\n")).toMatch(message);
    expect(faults[0]?.line).not.toBe(null);
  });

  describe("a script that was mended", () => {
    // The check wants exactly one book, as many checks do that count the documents which a script inserts.
    const exact = scripts.replace(
      /const n = db.a.getIndexes[^\n]*/,
      () => "const n = db.b.countDocuments(); n === 1 ? true : n === 0 ? 'none' : ['wrong', { n }]",
    );
    const strict = readLesson("l", "en", { scripts: exact, text }).lesson;
    const [strictTask] = tasksOf(strict) as readonly [Task];
    const insert = "db.b.insertOne({})";
    const begun = async (): Promise<LessonRun> => {
      const own = new LessonRun(strict, "garden", await open());
      await own.begin();
      return own;
    };
    test("passes alone where only earlier tries were in its way", async () => {
      const own = await begun();
      await own.attempt("index", "db.b.insertMany([{}, {}])");
      expect([await own.alone(strictTask), own.hasEarlier("index")]).toEqual([null, false]);
      await own.attempt("index", insert);
      expect(await own.check(strictTask)).toEqual({ kind: "hint", key: "wrong", words: { n: 3 } });
      expect(own.hasEarlier("index")).toBe(true);
      expect(await own.alone(strictTask)).toEqual({ kind: "passed", alone: true, words: {} });
      expect([await own.check(strictTask), own.hasEarlier("index")]).toEqual([{ kind: "passed", words: {} }, false]);
      // Going back and on works as before.
      await own.retry("index");
      expect(await own.check(strictTask)).toEqual({ kind: "hint", key: "none", words: {} });
    });

    test("leaves all as it was where it does not, or where it would undo something else", async () => {
      const own = await begun();
      await own.attempt("index", insert);
      await own.attempt("index", "db.b.insertMany([{}, {}])");
      expect(await own.alone(strictTask)).toBe(null);
      expect(own.made("index")?.source).toBe("db.b.insertMany([{}, {}])");
      expect(await own.check(strictTask)).toEqual({ kind: "hint", key: "wrong", words: { n: 3 } });
      await own.run("more");
      await own.attempt("index", insert);
      expect(await own.alone(strictTask)).toBe(null);
      expect(await own.check(strictTask)).toEqual({ kind: "hint", key: "wrong", words: { n: 4 } });
      expect(own.figure("now")).toBe(101);
    });
  });

  test("a student's work is done again", async () => {
    const log = [
      { kind: "run", id: "scan", wrote: false },
      { kind: "run", id: "gone", wrote: false },
      { kind: "task", id: "index", source: "db.a.createIndex({ tens: 1 })", wrote: true },
    ] as const;
    const answers = { "scan/1": "100", "scan/2": "1" };
    const work = { ...NO_WORK, log, answers, seen: ["index"] };
    const again = async (one: Lesson, limit = {}): Promise<LessonRun> =>
      new LessonRun(one, "garden", await open(), limit);
    expect(await review(await again(lesson), work)).toMatchObject({
      tasks: [{ id: "index", passes: true, claimed: false, attempts: 1, seen: true }],
      questions: 3,
      answered: 2,
      right: 1,
    });
    const endless = { log: [{ kind: "task", id: "index", source: "while (true);", wrote: true }] } as const;
    const limited = await again(lesson, { timeLimitMillis: 200 });
    await limited.begin();
    expect((await replay(limited, endless)).size).toBe(0);
    expect(limited.made("index")?.outcome.error?.name).toBe("ScriptTimeout");
  });
});
