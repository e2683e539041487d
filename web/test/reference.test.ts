/**
 * The reference is complete and true: every name of COMPAT.md has its sentence in both languages, its syntax and an
 * example, none of these tables has a name that is not in COMPAT.md, and every example runs as a snippet of a page
 * would: to a value where the name is supported, to a refusal where it is absent.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Backend } from "../src/embed/backend.ts";
import { METHODS } from "../src/driver/options.ts";
import { readValue } from "../src/embed/results.ts";
import { en as englishOperators } from "../src/messages/operators/en.ts";
import { zhHans as chineseOperators } from "../src/messages/operators/zh-hans.ts";
import { en as englishLines } from "../src/messages/reference/lines-en.ts";
import { zhHans as chineseLines } from "../src/messages/reference/lines-zh-hans.ts";
import { noteInChinese, notesInChinese } from "../src/messages/reference/notes-zh-hans.ts";
import { openSandboxed } from "../src/pkg/docs/sandboxed.ts";
import type { RunOutcome } from "../src/protocol/run.ts";
import { belonging, entriesOf, remarkOf, Sentences, type Entry } from "../src/reference/entries.ts";
import { namesWithExample } from "../src/reference/example.ts";
import { kinds } from "../src/reference/kinds.ts";
import { makeScope } from "../src/shell/globals.ts";
import { tryRewrite } from "../src/shell/rewrite.ts";
import { Shell } from "../src/shell/shell.ts";

const file = (name: string) => (): Uint8Array => readFileSync(new URL(`../wasm/${name}`, import.meta.url));
const entries = entriesOf(readFileSync(new URL("../../COMPAT.md", import.meta.url), "utf8"));
const there = entries.filter(({ support }) => support !== "absent");
const absent = entries.filter(({ support }) => support === "absent");
const languages: readonly (readonly [string, Sentences])[] = [
  ["English", new Sentences(englishOperators, englishLines)],
  ["Chinese", new Sentences(chineseOperators, chineseLines)],
];
const ids = (list: readonly Entry[]): readonly string[] => list.map(({ id }) => id);

describe("the tables and COMPAT.md", () => {
  test("there are rows of every kind, and no two of one id", () => {
    expect(kinds.filter((kind) => !there.some((entry) => entry.kind === kind))).toEqual([]);
    expect(new Set(ids(entries)).size).toBe(entries.length);
  });

  test.each(languages)("every supported name has a sentence in %s", (_language, sentences) =>
    expect(ids(there.filter((entry) => sentences.of(entry) === ""))).toEqual([]),
  );

  test.each(languages)("no sentence in %s is of a name that is not supported", (_language, sentences) => {
    const known = new Set(there.map(({ kind, key }) => `${kind}/${key}`));
    // Methods of `explain()` have the rows of what they explain, accumulators of windows those of accumulators.
    expect(sentences.names.filter((name) => !known.has(name) && name !== "explain/*")).toEqual([]);
  });

  test("every note has its Chinese, and no Chinese is of a note that there is not", () => {
    const notes = new Set(entries.map(remarkOf).filter((note) => note !== ""));
    expect([...notes].filter((note) => noteInChinese(note) === undefined)).toEqual([]);
    expect(notesInChinese.filter((note) => !notes.has(note))).toEqual([]);
    for (const note of notes) expect(noteInChinese(note)).toMatch(/[\u4e00-\u9fff]{2}/);
  });

  test.each(languages)("sentences in %s are short, and end as sentences do", (language, sentences) => {
    for (const { id, kind, key } of there) {
      const line = sentences.of({ kind, key });
      expect(line, id).toMatch(language === "English" ? /^[\x20-\x7e]{8,120}\.$/ : /^.{2,60}。$/u);
      if (language === "Chinese") expect(line, id).toMatch(/[\u4e00-\u9fff]{2}/);
    }
  });

  test("every supported name has a syntax and an example", () => {
    expect(ids(there.filter(({ syntax }) => syntax === null))).toEqual([]);
    expect(ids(there.filter(({ example }) => example === ""))).toEqual([]);
  });

  test("no example is of a name that is not supported", () => {
    const known = new Set(there.map(({ kind, key }) => `${kind}/${key}`));
    const written = kinds.flatMap((kind) => namesWithExample(kind).map((name) => `${kind}/${name}`));
    expect(written.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe("the examples", () => {
  let client: Awaited<ReturnType<typeof openSandboxed>>;
  let backend: Backend;
  beforeAll(async () => {
    client = await openSandboxed(20_000, {
      engineWasm: file("quire_bg.wasm"),
      sandboxWasm: file("sandbox.wasm"),
      languagesWasm: file("languages.wasm"),
    });
    backend = new Backend(() => Promise.resolve(client));
  });
  afterAll(() => client.close());

  let runs = 0;
  async function run({ example }: Entry): Promise<Pick<RunOutcome, "value" | "printed" | "error">> {
    const job = { database: `reference_${++runs}`, isolated: true, steps: [] };
    return (
      await backend.run(
        { ...job, source: example },
        () => undefined,
        () => undefined,
      ).finished
    ).outcome;
  }

  /** What the last statement gave, or what was printed; empty where there is neither. */
  const shown = ({ value, printed }: Pick<RunOutcome, "value" | "printed">): string =>
    readValue(value).text || printed.join("\n");

  test.each(kinds)("of kind %s give something", async (kind) => {
    const faults: string[] = [];
    for (const entry of there.filter((one) => one.kind === kind)) {
      const outcome = await run(entry);
      if (outcome.error !== null) faults.push(`${entry.id}: ${outcome.error.text}\n${entry.example}`);
      else if (shown(outcome) === "") faults.push(`${entry.id} shows nothing\n${entry.example}`);
    }
    expect(faults).toEqual([]);
  });

  test("of names that are absent are refused", async () => {
    const faults: string[] = [];
    for (const entry of absent) {
      const { error } = await run(entry);
      if (error === null) faults.push(`${entry.id} is not refused: ${entry.example}`);
    }
    expect(faults).toEqual([]);
  });

  /** What the classes have for one another. */
  const inner = new Set(
    `constructor help toString connection adopt at forPage opening page peek shown hasBehind set start checkWrite
    findCommand need run send write admin received`.split(/\s+/),
  );

  test.each([
    ["db", "database"],
    ["db.teas", "collection"],
    ["db.teas.find()", "cursor"],
    ["db.teas.initializeOrderedBulkOp()", "bulk"],
    ["db.teas.getPlanCache()", "planCache"],
    ["db.getMongo()", "mongo"],
    ["quire", "quire"],
    ["clock", "clock"],
  ] as const)("COMPAT.md names every method of %s, and none that it has not", async (expression, kind) => {
    const source = `{
      const names = new Set();
      for (let of = ${expression}; of && of !== Object.prototype; of = Object.getPrototypeOf(of))
        for (const name of Object.getOwnPropertyNames(of))
          if (typeof Object.getOwnPropertyDescriptor(of, name).value === "function") names.add(name);
      print([...names].join(" "));
    }`;
    const { printed } = await run({ example: source } as Entry);
    const had = (printed[0] ?? "").split(" ").filter((name) => !inner.has(name));
    expect(had.length).toBeGreaterThan(2);
    const rows = entries.filter((entry) => entry.kind === kind);
    expect(had.filter((name) => !rows.some(({ key }) => key === name))).toEqual([]);
    const supported = rows.filter(({ support, key }) => support !== "absent" && !key.startsWith("find."));
    expect(supported.map(({ key }) => key).filter((name) => !had.includes(name))).toEqual([]);
  });

  test("COMPAT.md names every name that stands alone, and none that there is not", () => {
    const host = { command: () => "{}", print: () => undefined };
    const scope = makeScope(new Shell(host, tryRewrite));
    // What methods are called on has rows by its methods; an error's class is nothing to call.
    const had = Object.getOwnPropertyNames(scope).filter(
      (name) => !["db", "quire", "clock", "MongoServerError"].includes(name),
    );
    const rows = entries.filter(({ kind }) => kind === "global");
    expect(had.filter((name) => !rows.some(({ key }) => key === name))).toEqual([]);
    const supported = rows.filter(({ support }) => support !== "absent").map(({ key }) => key);
    expect(supported.filter((name) => !had.includes(name))).toEqual([]);
  });

  /** How each method is called with options, and a value of each option. */
  const calls: Readonly<Record<string, (options: string) => string>> = {
    "Mongo.bulkWrite": (o) =>
      `db.getMongo().bulkWrite([{ namespace: "x.c", name: "deleteOne", filter: { _id: 1 } }], ${o})`,
    aggregate: (o) => `db.c.aggregate([{ $match: { _id: 1 } }], ${o})`,
    bulkWrite: (o) =>
      /collation|hint|upsert/.test(o)
        ? `db.c.bulkWrite([{ updateOne: { filter: { _id: 1 }, update: { $set: { a: 1 } }, ...${o} } }])`
        : `db.c.bulkWrite([{ deleteOne: { filter: { _id: 9 } } }], ${o})`,
    countDocuments: (o) => `db.c.countDocuments({}, ${o})`,
    createCollection: (o) =>
      `db.createCollection("made", { ${/size|max/.test(o) ? "capped: true, size: 4096, " : ""}${
        o.includes("pipeline") ? 'viewOn: "c", ' : o.includes("expire") ? "clusteredIndex, " : ""
      }${o.includes("capped") ? "size: 4096, " : ""}...${o} })`,
    deleteMany: (o) => `db.c.deleteMany({ _id: 9 }, ${o})`,
    deleteOne: (o) => `db.c.deleteOne({ _id: 9 }, ${o})`,
    distinct: (o) => `db.c.distinct("a", {}, ${o})`,
    find: (o) =>
      /tailable|await/i.test(o)
        ? `db.capped.find({}, {}, { tailable: true, awaitData: true, ...${o} }).hasNext()`
        : `db.c.find({}, {}, ${o}).toArray()`,
    findOne: (o) => `db.c.findOne({}, {}, ${o})`,
    findOneAndDelete: (o) => `db.c.findOneAndDelete({ _id: 9 }, ${o})`,
    findOneAndReplace: (o) => `db.c.findOneAndReplace({ _id: 1 }, { a: 1 }, ${o})`,
    findOneAndUpdate: (o) => `db.c.findOneAndUpdate({ _id: 1 }, { $set: { a: 1 } }, ${o})`,
    getCollectionInfos: (o) => `db.getCollectionInfos({}, ${o})`,
    "Mongo.getDBs": (o) => `db.getMongo().getDBs(${o})`,
    insertMany: (o) => `db.c.insertMany([{ _id: 7 }], ${o})`,
    insertOne: (o) => `db.c.insertOne({ _id: 7 }, ${o})`,
    replaceOne: (o) => `db.c.replaceOne({ _id: 1 }, { a: 1 }, ${o})`,
    "db.stats": (o) => `db.stats(${o})`,
    createIndex: (o) => `db.c.createIndex({ a: 1 }, ${o})`,
    createIndexes: (o) => `db.c.createIndexes([{ a: 1 }], ${o})`,
    watch: (o) => `db.c.watch([], ${o}).close()`,
    updateMany: (o) => `db.c.updateMany({ _id: 1 }, { $set: { a: 1 } }, ${o})`,
    updateOne: (o) => `db.c.updateOne({ _id: 1 }, { $set: { a: 1 } }, ${o})`,
  };
  const values: Readonly<Record<string, string>> = {
    arrayFilters: "[]",
    batchSize: "2",
    changeStreamPreAndPostImages: "{ enabled: true }",
    clusteredIndex: "{ key: { _id: 1 }, unique: true }",
    collation: '{ locale: "en" }',
    commitQuorum: "1",
    cursor: "{ batchSize: 2 }",
    fullDocument: '"updateLookup"',
    fullDocumentBeforeChange: '"whenAvailable"',
    resumeAfter: "db.c.watch().getResumeToken()",
    startAfter: "db.c.watch().getResumeToken()",
    startAtOperationTime: "db.runCommand({ ping: 1 }).operationTime",
    expireAfterSeconds: "60",
    filter: "{ name: 1 }",
    freeStorage: "1",
    hint: "{ _id: 1 }",
    indexOptionDefaults: "{ storageEngine: { wiredTiger: {} } }",
    let: "{ x: 1 }",
    limit: "1",
    maxAwaitTimeMS: "5",
    pipeline: "[]",
    projection: "{ _id: 1 }",
    returnDocument: '"after"',
    scale: "1024",
    size: "4096",
    skip: "1",
    sort: "{ _id: 1 }",
    storageEngine: "{ wiredTiger: {} }",
    timeseries: '{ timeField: "t" }',
    validationAction: '"warn"',
    validationLevel: '"moderate"',
    validator: "{ a: 1 }",
    viewOn: '"c"',
  };
  const bounds: Readonly<Record<string, string>> = { createCollection: "3", min: "{ _id: 0 }", max: "{ _id: 9 }" };

  test("every method that a note says takes an option takes it", async () => {
    const faults: string[] = [];
    for (const option of there.filter(({ kind }) => kind === "option")) {
      const { name, note } = option;
      for (const [, method = ""] of /^of `/.test(note) ? note.matchAll(/`([\w.]+)`/g) : []) {
        const isBound = name === "min" || name === "max";
        const value = isBound ? (bounds[method] ?? bounds[name]) : (values[name] ?? "true");
        const hint = isBound && method !== "createCollection" ? "hint: { _id: 1 }, " : "";
        const call = calls[method]?.(`{ ${hint}${name}: ${value} }`) ?? `no call of ${method}`;
        const before =
          "const clusteredIndex = { key: { _id: 1 }, unique: true }; db.c.insertOne({ _id: 1 }); " +
          'db.createCollection("capped", { capped: true, size: 4096 }); db.capped.insertOne({ _id: 1 });';
        const { error } = await run({ example: `${before}\n${call}` } as Entry);
        if (!belonging(option, entries).some((one) => one.name.endsWith(`${method.replace("Mongo.", "")}()`)))
          faults.push(`${method} of ${name} has no entry`);
        if (error !== null) faults.push(`${method} ${name}: ${error.text}\n${call}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test("COMPAT.md names every option that the driver's methods have and the shell's may", () => {
    // What only the driver has: COMPAT.md tells of it below.
    const driver = new Set([
      "forceServerObjectId",
      "full",
      "journal",
      "out",
      "pkFactory",
      "retryWrites",
      "timeout",
      "timeoutMode",
      "wtimeoutMS",
    ]);
    const indexOptions: readonly string[] = METHODS.createIndex.statement;
    const had = (Object.values(METHODS) as readonly Readonly<Record<string, unknown>>[]).flatMap((row) =>
      [row["fields"], row["statement"], row["own"]].flatMap((names) => (names ?? []) as readonly string[]),
    );
    const rows = new Set(entries.filter(({ kind }) => kind === "option").map(({ key }) => key));
    const wanted = new Set(had.filter((name) => !driver.has(name) && !indexOptions.includes(name)));
    expect([...wanted].filter((name) => !rows.has(name))).toEqual([]);
  });
});
