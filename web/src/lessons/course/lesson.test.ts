/** Lessons are read, and their faults have the right places. */
import { describe, expect, test } from "vitest";
import { disagreements } from "./agree.ts";
import { blocksOf, decoded, fencedBlocks, plainText } from "./blocks.ts";
import { languageOf, readCourse } from "./course.ts";
import { wordFault } from "./faults.ts";
import { figuresOf, piecesOf, withNoun, wordFigure } from "./figures.ts";
import { questionsOf, readLesson, tasksOf } from "./lesson.ts";
import { lintText, typedNumbers } from "./lint.ts";
import { before, isTruth, logged, numberSaid, readWork, writeWork } from "./progress.ts";
import { readChart } from "./run.ts";

const js = (words: string, source: string): string => `\`\`\`js ${words}\n${source}\n\`\`\`\n`;
const block = (words: string, ...lines: readonly string[]): string => `\`\`\`${words}\n${lines.join("\n")}\n\`\`\`\n`;

const scripts = [
  js("setup", "db.a.insertOne({})"),
  js("run first", "db.a.find()"),
  js("value many after first", "db.a.countDocuments()"),
  js("value cost", "runs.first.pagesRead + runs['first'].keysExamined"),
  js("check do", "true"),
  js("solution do", "1"),
  js("wrong do nothing", "2"),
  js("wrong do other", "3"),
].join("\n");
const task = block(
  "task do",
  "Do it.",
  "hints:",
  "- nothing: None, {what}.",
  "- other: Another.",
  "  And more.",
  "passed: Yes.",
);
const text = `# Title\n\nOpening {{many}}.\n\n## Step\n\n${block(
  "question first",
  "How many?",
  "= account.documentsExamined",
)}\nBefore it\n::run first\nand {{cost}}, {{first.pagesRead}}.\n\n${task}`;

const faultsOf = (scripts: string, text: string): readonly string[] =>
  readLesson("l", "en", { scripts, text }).faults.map(wordFault);

describe("a lesson", () => {
  test("is read", () => {
    const { lesson, faults } = readLesson("l", "en", { scripts, text });
    expect(faults).toEqual([]);
    expect(lesson.title).toBe("Title");
    expect(lesson.steps.map(({ parts }) => parts.map(({ kind }) => kind))).toEqual([
      ["text"],
      ["question", "text", "run", "text", "task"],
    ]);
    expect(questionsOf(lesson).map(({ key }) => key)).toEqual(["first/1"]);
    expect([...(tasksOf(lesson)[0]?.hints.keys() ?? [])]).toEqual(["nothing", "other"]);
    expect(plainText(tasksOf(lesson)[0]?.hints.get("other") ?? [])).toBe("Another. And more.");
    expect([...lesson.scripts.values.values()].map(({ needs }) => needs)).toEqual([["first"], ["first"]]);
  });

  test.each([
    ["::run second", /l\/en\.md:15: scripts\.md has no `js run second`/],
    ["::show first", /places nothing/],
    ["{{unknown}}", /nothing computes `\{\{unknown\}\}`/],
    ["{{first.pages}}", /an account has no `pages`/],
    ["<b>bold</b>", /HTML is not drawn/],
    ["**“x”**y", /emphasis/],
    [block("question first", "How?", "= 1"), /stands behind its run/],
    [block("js run x", "1"), /scripts stand in scripts\.md/],
  ])("%j is a fault with its place", (line, message) => {
    const changed = text.replace("::run first\n", `::run first\n\n${line}\n\n`);
    expect(faultsOf(scripts, changed).join("\n")).toMatch(message);
  });

  test.each([
    [js("run first", "1"), /two scripts `run first`/],
    ["```js run open\n1\n\n```js value inside\n2\n```\n", /begins inside that of line \d+, which is not closed/],
    [js("run", "1"), /needs a name/],
    [js("play x", "1"), /no kind of script/],
    ["```js\n1\n```\n", /does not say what it is/],
    [js("check other", "1"), /no `solution other`/],
    [js("wrong do", "1"), /names its task and one hint/],
    [js("value late after nobody", "1"), /waits for `nobody`/],
  ])("%j in scripts.md is a fault", (more, message) =>
    expect(faultsOf(scripts + more, text).join("\n")).toMatch(message),
  );

  test("agrees with its other languages", () => {
    const one = readLesson("l", "en", { scripts, text }).lesson;
    const other = (changed: string): readonly string[] =>
      disagreements(one, readLesson("l", "zh-Hans", { scripts, text: changed }).lesson).map(wordFault);
    expect(other(text)).toEqual([]);
    expect(other(text.replace("documentsExamined", "keysExamined")).join()).toMatch(
      /en\.md:|zh-Hans\.md:7: .*another way/,
    );
    expect(other(text.replace("{what}", "")).join()).toMatch(/other words in \{braces\}/);
    expect(other(text.replace("{{cost}}", "")).join()).toMatch(/leaves out \{\{cost\}\}/);
    expect(other(text.replace("## Step", "")).join()).toMatch(/1 steps here and 2/);
  });
});

test("lines are counted in the file's own text", () => {
  const markdown = "\uFEFF# A\r\n\r\n\r\ntext\r\n\r\n```js run x\r\n1\r\n```\r\n\r\nlast";
  expect(blocksOf(markdown).map(({ line }) => line)).toEqual([1, 4, 6, 10]);
  expect(fencedBlocks(markdown)).toEqual([{ words: ["js", "run", "x"], text: "1", line: 6 }]);
  expect(decoded("&lt;&amp;&#65;&#x4e2d;&nope;")).toBe("<&A中&nope;");
});

test("figures", () => {
  expect(figuresOf("a {{ x }} {{y.z}} {n}")).toEqual(["x", "y.z"]);
  expect(piecesOf("{a}{{b}}c", true).map(({ kind }) => kind)).toEqual(["word", "figure", "text"]);
  const [word] = piecesOf("{n:hut|huts}", true);
  expect(word).toEqual({ kind: "word", name: "n", forms: ["hut", "huts"] });
  expect([1, 2].map((n) => withNoun(String(n), n, ["hut", "huts"], "en"))).toEqual(["1\u00a0hut", "2\u00a0huts"]);
  expect(piecesOf("{a}", false)).toEqual([{ kind: "text", text: "{a}" }]);
  expect([1234567, 1.256, 12.34, "x", [1, 2], {}, null].map((value) => wordFigure(value, "en"))).toEqual([
    "1,234,567",
    "1.26",
    "12.3",
    "x",
    "1, 2",
    null,
    null,
  ]);
  expect(typedNumbers("l", "en", "It has 12 documents, `16 MB`.\n\nIn `3 pages`.").map(({ line }) => line)).toEqual([
    1,
  ]);
  expect(typedNumbers("l", "zh-Hans", "读取了 12 个文档。").length).toBe(1);
});

test("course.json", () => {
  const course = { quireCourse: 1, id: "c", title: { en: "C" }, about: { en: "c" }, languages: ["en"] };
  const read = (value: unknown): string => readCourse(JSON.stringify(value)).faults.map(wordFault).join();
  expect(read({ ...course, lessons: [{ id: "a", minutes: 5 }] })).toBe("");
  expect(read({ ...course, lessons: [{ id: "a", minutes: 5, colour: 1 }] })).toMatch(/`lessons\[0\]\.colour`/);
  expect(read({ ...course, lessons: [{ id: "a", title: { en: "A" }, minutes: 5 }] })).toBe("");
  expect(read({ ...course, lessons: [{ id: "a", title: "A", minutes: 5 }] })).toMatch(
    /`lessons\[0\]\.title` says nothing/,
  );
  expect(read({ ...course, lessons: [] })).toMatch(/at least one lesson/);
  expect(read({ ...course, languages: ["en", "de"], lessons: [{ id: "a", minutes: 5 }] })).toMatch(/nothing in de/);
  expect(readCourse("{").course).toBe(null);
  expect(languageOf({ languages: ["en", "zh-Hans"] }, "zh-CN")).toBe("zh-Hans");
  expect(languageOf({ languages: ["en", "zh-Hans"] }, "fr")).toBe("en");
});

test("a book of problems names topics and difficulties, and an ordinary course has none", () => {
  const course = { quireCourse: 1, id: "c", title: { en: "C" }, about: { en: "c" }, languages: ["en"] };
  const topics = [{ id: "queries", title: { en: "Queries" } }];
  const problem = { id: "a", minutes: 5, topic: "queries", difficulty: 2 };
  const faults = (value: object): string =>
    readCourse(JSON.stringify({ ...course, ...value }))
      .faults.map(wordFault)
      .join();
  const book = { kind: "problems", topics, lessons: [problem] };
  expect(faults(book)).toBe("");
  const { course: read } = readCourse(JSON.stringify({ ...course, ...book }));
  expect([read?.kind, read?.topics, read?.lessons[0]?.problem]).toEqual([
    "problems",
    topics,
    { topic: "queries", difficulty: 2 },
  ]);
  expect(faults({ ...book, lessons: [{ ...problem, topic: "magic" }] })).toMatch(/`lessons\[0\]\.topic`.*"queries"/);
  expect(faults({ ...book, lessons: [{ id: "a", minutes: 5, difficulty: 2 }] })).toMatch(/`lessons\[0\]\.topic`/);
  expect(faults({ ...book, lessons: [{ ...problem, difficulty: 4 }] })).toMatch(/`lessons\[0\]\.difficulty`/);
  expect(faults({ ...book, lessons: [{ id: "a", minutes: 5, topic: "queries" }] })).toMatch(/difficulty/);
  expect(faults({ ...book, topics: [] })).toMatch(/`topics` has to be/);
  expect(faults({ ...book, topics: [...topics, ...topics] })).toMatch(/two topics `queries`/);
  expect(faults({ ...book, topics: [{ id: "queries", title: {} }] })).toMatch(/says nothing in en/);
  expect(faults({ lessons: [problem] })).toMatch(/`lessons\[0\]\.topic` is no field.*difficulty` is no field/);
  expect(faults({ topics, lessons: [{ id: "a", minutes: 5 }] })).toMatch(/`topics` are those/);
  expect(faults({ ...book, kind: "riddles" })).toMatch(/`kind` has to be/);
  const ordinary = readCourse(JSON.stringify({ ...course, lessons: [{ id: "a", minutes: 5 }] })).course;
  expect([ordinary?.kind, ordinary?.topics, ordinary?.lessons[0]?.problem]).toEqual(["lessons", [], null]);
});

test("work is read field by field", () => {
  const entry = { kind: "run", id: "a", wrote: false } as const;
  const task = { kind: "task", id: "t", source: "1", wrote: true } as const;
  const lessons = {
    l: {
      log: [entry, task],
      answers: { "a/1": null },
      drafts: { t: "1" },
      passed: ["t"],
      failed: { t: 2 },
      seen: ["t"],
    },
  };
  const work = { course: "c", name: "Ada", lessons };
  expect(readWork(writeWork(work), "c")).toEqual(work);
  expect(readWork(writeWork(work), "d")).toBe(null);
  expect(readWork("[]", "c")).toBe(null);
  const odd = {
    quireWork: 1,
    course: "c",
    name: 7,
    lessons: { l: { log: [{ kind: "x" }, 3], passed: [1, "t"], failed: { t: "2", u: 1 }, seen: 3 }, m: 4 },
  };
  expect(readWork(JSON.stringify(odd), "c")).toEqual({
    course: "c",
    name: "",
    lessons: { l: { log: [], answers: {}, drafts: {}, passed: ["t"], failed: { u: 1 }, seen: [] } },
  });
  expect(logged([entry, task], entry)).toEqual([task, entry]);
  expect(logged([task], task)).toEqual([task, task]);
  expect(before([entry, task, entry], "t")).toEqual({ log: [entry], undone: ["t"] });
  expect([isTruth("1,000", 1000), isTruth("lots", "lots"), isTruth("", 0), isTruth(null, 0)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test.each([
  ["12", 12],
  [" 1,000 ", 1000],
  ["1\u202f000", 1000],
  ["1\u2019000.5", 1000.5],
  ["１２，０００", 12000],
  ["\u22123", -3],
  [".5", 0.5],
  ["lots", null],
  ["12 pages", null],
  ["Infinity", null],
  ["0x10", null],
  ["1.2.3", null],
  [" ", null],
])("the number that %j says", (said, number) => expect(numberSaid(said)).toBe(number));

test("each column of a table has a heading", () => {
  const faults = (header: string): readonly number[] =>
    lintText({ lessons: [], glossary: null }, "l", "en", `Text.\n\n${header}\n|---|---|\n| a | b |\n`).map(
      ({ line }) => line ?? 0,
    );
  expect(faults("| One | `two` |")).toEqual([]);
  expect(faults("| One | |")).toEqual([3]);
});

test("links and headings have words", () => {
  const faults = (text: string): readonly number[] =>
    lintText({ lessons: [], glossary: null }, "l", "en", text).map(({ line }) => line ?? 0);
  expect(faults("## One\n\nSee [`$match`](reference:stage/$match).")).toEqual([]);
  expect(faults("## One\n\nSee [ ](reference:stage/$match).\n\n- and [](https://a.b)\n\n##\n")).toEqual([3, 5, 7]);
});

test("charts", () => {
  expect(readChart([{ label: "a", value: 1 }])).toEqual({ series: [""], rows: [{ label: "a", values: [1] }] });
  expect(
    readChart([
      { label: "a", series: { x: 1 } },
      { label: "b", series: { y: 2 } },
    ]),
  ).toEqual({
    series: ["x", "y"],
    rows: [
      { label: "a", values: [1, null] },
      { label: "b", values: [null, 2] },
    ],
  });
  expect(readChart([{ label: "a", value: -1 }])).toMatch(/from 0 on/);
  expect(readChart([])).toMatch(/a chart is/);
});
