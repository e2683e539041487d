/**
 * Costs compared, questions that come back, releases on the same data, and cards: in a real engine with the real
 * sandbox.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Document } from "bson";
import { describe, expect, test } from "vitest";
import { openSandboxed } from "../../pkg/docs/sandboxed.ts";
import { courseOfFile, makeCard, verify, writeCard, type Card } from "./card.ts";
import { readLesson, tasksOf, type Lesson } from "./lesson.ts";
import type { Task } from "./parts.ts";
import { NO_WORK, type Work } from "./progress.ts";
import { isRight, questionOf, signOf, walkTo } from "./recall.ts";
import { leadUp, solvedWork } from "./replay.ts";
import { LessonRun } from "./run.ts";
import type { CourseClient } from "./place.ts";
import { CourseSession } from "./session.ts";

const wasm = (name: string): string => fileURLToPath(new URL(`../../../wasm/${name}`, import.meta.url));
const files = {
  engineWasm: () => readFileSync(wasm("quire_bg.wasm")),
  sandboxWasm: () => readFileSync(wasm("sandbox.wasm")),
};
const open = () => openSandboxed(10_000, files);

const js = (words: string, source: string): string => `\`\`\`js ${words}\n${source}\n\`\`\`\n`;
const block = (words: string, ...lines: readonly string[]): string => `\`\`\`${words}\n${lines.join("\n")}\n\`\`\`\n`;
const task = (id: string): string => block(`task ${id}`, "Do", "hints:", "- none: None", "passed: Yes", "why: So");

const FIND = "const ten = 10\ndb.a.createIndex({ n: 1 })\ndb.a.find({ n: { $lt: ten } }).itcount()";
const first = [
  js("setup", "const many = 200\nfor (let i = 0; i < many; i++) db.a.insertOne({ _id: i, n: i })"),
  js("run scan", "db.a.find({ n: 3 })"),
  js("run after", "db.a.find({ n: 3 })"),
  js("check index", "db.a.getIndexes().length > 1 ? true : 'none'"),
  js("solution index", FIND),
  js("wrong index none", "1"),
  js("wrong index none", "2"),
].join("\n");
const question = (run: string): string => block(`question ${run}`, "How many?", "= account.documentsExamined");
const firstText = `# One\n\n${question("scan")}\n::run scan\n\n${task("index")}\n${question("after")}\n::run after\n`;
const second = [
  js("setup", "db.b.insertOne({ of: db.a.countDocuments(), indexes: db.a.getIndexes().length })"),
  js("check more", "db.b.countDocuments() === 2 ? true : 'none'"),
  js("solution more", "db.b.insertOne({})"),
  js("wrong more none", "1"),
  js("wrong more none", "2"),
].join("\n");
const secondText = `# Two\n\n${task("more")}`;
const texts: Readonly<Record<string, string>> = {
  "one/scripts.md": first,
  "one/en.md": firstText,
  "two/scripts.md": second,
  "two/en.md": secondText,
};
const batchOf = (reply: Document): readonly Document[] =>
  (reply as { readonly cursor: { readonly firstBatch: readonly Document[] } }).cursor.firstBatch;
const lessonOf = (id: string, scripts: string, text: string): Lesson => {
  const { lesson, faults } = readLesson(id, "en", { scripts, text });
  expect(faults).toEqual([]);
  return lesson;
};

describe.runIf(existsSync(wasm("quire_bg.wasm")))("a lesson under way", () => {
  const one = lessonOf("one", first, firstText);
  const two = lessonOf("two", second, secondText);

  test("compares the cost of an answer with that of the solution, and leaves the data as they were", async () => {
    const host = await open();
    const run = new LessonRun(one, "garden", host);
    await run.begin();
    const [index] = tasksOf(one) as [Task];
    expect(await run.compare(index)).toBe(null);
    await run.attempt("index", "for (let i = 0; i < 3; i++) db.a.find().toArray()");
    await run.attempt("index", FIND);
    const compared = await run.compare(index);
    // By itself the last script costs as much as the solution; what the earlier try read does not count.
    expect(compared?.whole).toBe(true);
    expect(compared?.yours.documentsExamined).toBe(compared?.solution.documentsExamined);
    expect((await host.command("garden", { count: "a" }))["n"]).toBe(200);
    expect(batchOf(await host.command("garden", { listIndexes: "a" }))).toHaveLength(2);
    await run.retry("index");
    await run.attempt("index", `db.a.find().toArray()\n${FIND}`);
    const longer = await run.compare(index);
    expect((longer?.yours.documentsExamined ?? 0) - (longer?.solution.documentsExamined ?? 0)).toBe(200);
    await run.retry("index");
    await run.attempt("index", "db.a.createIndex({ n: 1 })");
    await run.attempt("index", "db.a.find({ n: 1 })");
    expect((await run.check(index)).kind).toBe("passed");
    expect((await run.compare(index))?.whole).toBe(false);
    host.close();
  });

  test("is walked again to a question that comes back", async () => {
    const host = await open();
    const after = questionOf(one, "after/1");
    if (after === null) throw new Error("the question is gone");
    const run = await walkTo(one, after, "garden", host);
    expect(isRight(after, "1", run.answered(after.key))).toBe(null);
    await run.run(after.run);
    // The task's solution made the index that the answer tells of.
    expect([isRight(after, "1", run.answered(after.key)), isRight(after, "200", run.answered(after.key))]).toEqual([
      true,
      false,
    ]);
    const other = lessonOf(
      "one",
      first.replace("run after\ndb.a.find({ n: 3 })", "run after\ndb.a.find({ n: 4 })"),
      firstText,
    );
    expect(signOf(other, questionOf(other, "after/1") ?? after)).not.toBe(signOf(one, after));
    expect(questionOf(two, "after/1")).toBe(null);
    host.close();
  });

  test("of a project begins with the data that the releases before it left", async () => {
    const host = await open();
    await leadUp([{ lesson: one, work: solvedWork(one) }], "garden", host);
    const run = new LessonRun(two, "garden", host);
    await run.begin();
    const [left] = batchOf(await host.command("garden", { find: "b" }));
    expect([left?.["of"], left?.["indexes"]]).toEqual([200, 2]);
    await run.attempt("more", "db.b.insertOne({})\ndb.a.drop()");
    await run.reset();
    expect((await host.command("garden", { count: "a" }))["n"]).toBe(200);
    host.close();
  });

  test("of a project gives a card, and a file of it whose claims are compared", async () => {
    const lessons = {
      one: { ...NO_WORK, log: solvedWork(one).log, passed: ["index"] },
      two: { ...NO_WORK, log: solvedWork(two).log, passed: ["more"] },
    };
    const work: Work = { course: "c", name: "Ada", lessons };
    const card = async (from: Work): Promise<Card> => {
      const host = await open();
      const made = await makeCard([one, two], from, "garden", host);
      host.close();
      return made;
    };
    const made = await card(work);
    expect(made.releases.map(({ tasks }) => tasks.map(({ id, passes }) => [id, passes]))).toEqual([
      [["index", true]],
      [["more", true]],
    ]);
    expect(made.collections.map(({ name, documents }) => [name, documents])).toEqual([
      ["a", 200],
      ["b", 2],
    ]);
    expect(made.collections[0]?.indexes.map(({ keys, unique }) => [keys, unique])).toEqual([
      ['{"_id":1}', true],
      ['{"n":1}', false],
    ]);
    const text = writeCard(work, made);
    expect(courseOfFile(text)).toBe("c");
    expect([courseOfFile("{}"), courseOfFile("x"), courseOfFile('{"quireWork":1,"course":"../c"}')]).toEqual([
      null,
      null,
      null,
    ]);
    const again = await card(JSON.parse(text) as Work);
    expect(verify(text, { id: "c" }, again)?.holds).toBe(true);
    expect(verify(text, { id: "d" }, again)).toBe(null);

    type File = { card?: { releases: { tasks: { cost: { pagesRead: number } }[] }[]; collections: object[] } };
    const told = (change: (file: File) => void): readonly string[] => {
      const file = JSON.parse(text) as File;
      change(file);
      const verified = verify(JSON.stringify(file), { id: "c" }, again);
      if (verified === null) throw new Error("no file of the course");
      expect(verified.holds).toBe(false);
      const found = [...verified.tasks, ...verified.collections].filter(([, { holds }]) => !holds);
      return [...found.map(([name]) => name), ...verified.foreign];
    };
    expect(
      told(({ card }) => {
        const cost = card?.releases[0]?.tasks[0]?.cost;
        if (cost !== undefined) cost.pagesRead += 1;
      }),
    ).toEqual(["one/index"]);
    expect(told(({ card }) => Object.assign(card?.collections[1] ?? {}, { documents: 3 }))).toEqual(["b"]);
    expect(told(({ card }) => void card?.collections.push({ name: "more" }))).toEqual(["more"]);
    expect(told((file) => delete file.card)).toEqual(["one/index", "two/more", "a", "b"]);
    // A script that is not there any more passes nothing, whatever the file says.
    const without = await card({ ...work, lessons: { ...lessons, two: { ...lessons.two, log: [] } } });
    expect(verify(text, { id: "c" }, without)?.tasks.get("two/more")?.holds).toBe(false);
  });

  test("keeps a wrong prediction once, and drops it when the question is another one", async () => {
    const course = (kind: string): string =>
      JSON.stringify({
        ...{ quireCourse: 1, id: "c", title: { en: "C" }, about: { en: "c" }, languages: ["en"], kind },
        lessons: ["one", "two"].map((id) => ({ id, minutes: 5, database: "garden" })),
      });
    const kept = new Map<string, string>();
    let now = 0;
    const session = (changed: Readonly<Record<string, string>> = {}): CourseSession =>
      new CourseSession({
        read: async (path) => (path === "course.json" ? course("project") : (changed[path] ?? texts[path] ?? "")),
        openClient: async () => {
          const host = await open();
          return { ...host, close: async () => host.close() } as unknown as CourseClient;
        },
        storage: { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => void kept.set(name, text) },
        now: () => now,
      });
    const reader = session();
    await reader.start("en", "one");
    await reader.wake();
    reader.answer("scan/1", "7");
    await reader.make("scan", "db.a.find({ n: 3 })", () => undefined);
    expect(reader.recalls.map(({ lesson, key, stage }) => [lesson, key, stage])).toEqual([["one", "scan/1", 0]]);
    expect(reader.due).toEqual([]);
    // Running it again is no new prediction.
    now = 100;
    await reader.make("scan", "db.a.find({ n: 3 })", () => undefined);
    expect(reader.recalls[0]?.due).toBe(86_400_000);
    now = 86_400_000;
    expect(reader.due).toHaveLength(1);
    const [recall] = reader.recalls as [(typeof reader.recalls)[number]];
    const asked = await reader.openRecall(recall);
    expect(asked?.question.key).toBe("scan/1");
    asked?.close();
    // Release two waits for the first.
    await reader.open("two");
    expect([reader.phase, reader.locked]).toEqual(["failed", "one"]);
    reader.close();

    const later = session({
      "one/scripts.md": first.replace("run scan\ndb.a.find({ n: 3 })", "run scan\ndb.a.find({ n: 5 })"),
    });
    await later.start("en", null);
    expect(later.recalls).toEqual([]);
    expect(JSON.parse(kept.get("quire.course.c") ?? "{}").recalls).toBe(undefined);
    later.close();
  });

  test("opened in two tabs, a release follows what the other tab takes back", async () => {
    const course = JSON.stringify({
      ...{ quireCourse: 1, id: "c", title: { en: "C" }, about: { en: "c" }, languages: ["en"], kind: "project" },
      lessons: ["one", "two"].map((id) => ({ id, minutes: 5, database: "garden" })),
    });
    const kept = new Map<string, string>();
    const heeding = new Map<string, (key: string | null) => void>();
    const tab = (name: string): CourseSession =>
      new CourseSession({
        read: async (path) => (path === "course.json" ? course : (texts[path] ?? "")),
        openClient: async () => {
          const host = await open();
          return { ...host, close: async () => host.close() } as unknown as CourseClient;
        },
        storage: {
          getItem: (key) => kept.get(key) ?? null,
          setItem: (key, text) => {
            kept.set(key, text);
            for (const [other, heard] of heeding) if (other !== name) heard(key);
          },
        },
        heed: (heard) => {
          heeding.set(name, heard);
          return () => heeding.delete(name);
        },
      });
    const [first, second] = [tab("first"), tab("second")];
    await first.start("en", "one");
    await first.wake();
    const { lesson } = first;
    if (lesson === null) throw new Error("release one is open");
    for (const task of tasksOf(lesson))
      await first.check(task, lesson.scripts.solutions.get(task.id)?.source ?? "", () => undefined);
    await second.start("en", "two");
    expect([second.phase, second.locked]).toEqual(["waiting", null]);
    const passedIn = (session: CourseSession): number => session.list.reduce((sum, { passed }) => sum + passed, 0);
    expect(passedIn(second)).toBe(tasksOf(lesson).length);
    // A name that the second tab is given takes nothing of the first one's work away.
    second.rename("Ada");
    expect([passedIn(first), first.name]).toEqual([tasksOf(lesson).length, "Ada"]);
    await first.reset();
    await new Promise<void>((resolve) => {
      const look = (): void => void (second.locked === "one" && resolve());
      second.subscribe(look);
      look();
    });
    expect([second.phase, passedIn(second)]).toEqual(["failed", 0]);
    first.close();
    second.close();
    expect(heeding.size).toBe(0);
  });
});
