/**
 * An archive of one engine's data, read into another engine, gives the same documents, options, indexes and views; and
 * so does a folder of mongodump's files.
 */
import { readFile } from "node:fs/promises";
import { Int32, type Document } from "bson";
import { describe, expect, test } from "vitest";
import { encode } from "../../codec/encode.ts";
import { loadEngine } from "../../engine/load.ts";
import { Engine } from "../../pkg/engine.ts";
import { ArchiveFault } from "./archive/archive-reader.ts";
import { ask, cursorOf, type Commander } from "./ask.ts";
import { gather, isPlain, type ImportPart } from "./dump-files.ts";
import { dump } from "./dumping.ts";
import { rowsAs } from "./importing.ts";
import { restore, type RestoreJob, type RestoreProgress } from "./restoring.ts";

const never = new AbortController().signal;
const wasm = readFile(new URL("../../../wasm/quire_bg.wasm", import.meta.url));

async function engine(): Promise<Commander & { ask(database: string, command: Document): Promise<Document> }> {
  await loadEngine(() => wasm);
  const made = await Engine.create();
  const commander: Commander = { commandBytes: async (bytes) => made.command(bytes) };
  return { ...commander, ask: (database, command) => ask(commander, database, command) };
}

async function shop() {
  const one = await engine();
  await one.ask("shop", { create: "log", capped: true, size: 4096, max: 10 });
  await one.ask("shop", { create: "cheap", viewOn: "herbs", pipeline: [{ $match: { price: { $lt: 3 } } }] });
  await one.ask("shop", {
    insert: "herbs",
    documents: Array.from({ length: 2500 }, (_, n) => ({ _id: n, name: `herb ${n}`, price: n % 7 })),
  });
  await one.ask("shop", {
    createIndexes: "herbs",
    indexes: [
      { key: { name: 1 }, name: "name_1", unique: true },
      { key: { price: -1 }, name: "by price", partialFilterExpression: { price: { $gt: 3 } } },
    ],
  });
  await one.ask("other-shop", { insert: "beds.old", documents: [{ _id: "a" }] });
  return one;
}

const file = (name: string, parts: readonly (Uint8Array | string | Blob)[]): { file: File; path: string } => ({
  file: new File(parts as BlobPart[], name.replace(/^.*\//, "")),
  path: name,
});
const job = (parts: readonly ImportPart[], more: Partial<RestoreJob> = {}): RestoreJob => ({
  targets: parts.map((part) => ({ part, database: part.database, collection: part.collection })),
  drop: false,
  stopAtFirst: false,
  signal: never,
  progress: () => undefined,
  ...more,
});
const indexesOf = async (of: Commander, database: string, collection: string): Promise<readonly Document[]> =>
  cursorOf(await ask(of, database, { listIndexes: collection })).documents;

describe("an archive", () => {
  test.each([false, true])("comes back whole, gzip: %s", async (gzip) => {
    const one = await shop();
    const told: number[] = [];
    const blob = await dump(one, {
      database: null,
      gzip,
      signal: never,
      progress: ({ documents }) => told.push(documents),
    });
    expect(told.at(-1)).toBe(2501);
    const { parts, leftOut, faults } = await gather([file("all.archive", [blob as Blob])], "test");
    expect([leftOut, faults]).toEqual([[], []]);
    expect(parts.map(({ label }) => label).sort()).toEqual([
      "other-shop.beds.old",
      "shop.cheap",
      "shop.herbs",
      "shop.log",
    ]);
    const other = await engine();
    const progress: RestoreProgress[] = [];
    const outcomes = await restore(other, job(parts, { progress: (now) => progress.push(now) }));
    expect(outcomes.map(({ complete, failed, problems }) => ({ complete, failed, problems }))).toEqual(
      parts.map(() => ({ complete: true, failed: 0, problems: [] })),
    );
    expect(progress.at(-1)).toMatchObject({ inserted: 2501, done: 4, bytesRead: (blob as Blob).size });
    for (const [database, collection] of [
      ["shop", "herbs"],
      ["shop", "log"],
      ["other-shop", "beds.old"],
    ] as const) {
      expect(await indexesOf(other, database, collection), collection).toEqual(
        await indexesOf(one, database, collection),
      );
      const all = async (of: Commander) =>
        cursorOf(await ask(of, database, { find: collection, batchSize: 5000 })).documents;
      expect(await all(other), collection).toEqual(await all(one));
    }
    const options = async (of: typeof one, name: string) =>
      cursorOf(await of.ask("shop", { listCollections: 1, filter: { name } })).documents[0]?.["options"];
    expect(await options(other, "log")).toEqual(await options(one, "log"));
    expect((await other.ask("shop", { count: "cheap" }))["n"]).toEqual(
      (await one.ask("shop", { count: "cheap" }))["n"],
    );
  });

  test("one database, some collections, other names, and again into what is there", async () => {
    const one = await shop();
    const blob = (await dump(one, { database: "shop", gzip: true, signal: never, progress: () => undefined })) as Blob;
    const { parts } = await gather([file("shop.archive.gz", [blob])], "test");
    const herbs = parts.filter(({ collection }) => collection === "herbs");
    const other = await engine();
    const into = (more: Partial<RestoreJob> = {}) =>
      restore(other, { ...job(herbs, more), targets: herbs.map((part) => ({ part, database: "a", collection: "b" })) });
    expect((await into())[0]).toMatchObject({ inserted: 2500, indexes: 2 });
    expect((await other.ask("admin", { listDatabases: 1, nameOnly: true }))["databases"]).toEqual(
      expect.not.arrayContaining([{ name: "shop" }]),
    );
    expect((await into())[0]).toMatchObject({ inserted: 0, failed: 2500, complete: true });
    expect((await into({ stopAtFirst: true }))[0]).toMatchObject({ inserted: 0, failed: 1, complete: false });
    expect((await into({ drop: true }))[0]).toMatchObject({ inserted: 2500, failed: 0, complete: true });
  });

  test("a cut one gives what came before, and says so", async () => {
    const one = await shop();
    const blob = (await dump(one, { database: "shop", gzip: false, signal: never, progress: () => undefined })) as Blob;
    const { parts } = await gather([file("cut", [blob.slice(0, 60_000)])], "test");
    const other = await engine();
    const outcomes = await restore(other, job(parts));
    const herbs = outcomes.find(({ target }) => target.collection === "herbs");
    expect(herbs?.complete).toBe(false);
    expect(herbs?.problems).toEqual([expect.any(ArchiveFault)]);
    expect(herbs?.inserted).toBeGreaterThan(100);
    expect((await other.ask("shop", { count: "herbs" }))["n"]).toEqual(new Int32(herbs?.inserted ?? 0));
    const packed = (await dump(one, {
      database: "shop",
      gzip: true,
      signal: never,
      progress: () => undefined,
    })) as Blob;
    const cut = await restore(
      await engine(),
      job((await gather([file("cut.gz", [packed.slice(0, packed.size - 400)])], "test")).parts),
    );
    expect(cut.flatMap(({ problems }) => problems)).toEqual(expect.arrayContaining([expect.any(ArchiveFault)]));
    expect(
      (await gather([file("x.archive", [new Uint8Array([0x6d, 0xe2, 0x99, 0x81, 9])])], "test")).faults,
    ).toMatchObject([{ label: "x.archive", error: { kind: "ends" } }]);
  });
});

describe("files of mongodump", () => {
  const metadata =
    '{"options":{},"indexes":[{"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_"},' +
    '{"v":{"$numberInt":"2"},"key":{"n":{"$numberInt":"-1"}},"name":"n_-1"},{"v":{"$numberInt":"2"},' +
    '"key":{"t":"2dsphere_bucket"},"name":"t_bucket"}],"uuid":"00","collectionName":"a/b","type":"collection"}';
  const packed = async (text: string): Promise<Uint8Array> =>
    new Uint8Array(
      await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
    );

  test("a folder: documents with what lies beside them, views, and what is the server's own left out", async () => {
    const files = [
      file("dump/shop/a%2Fb.bson", [encode({ _id: 1, n: 5 }), encode({ _id: 2, n: 6 })]),
      file("dump/shop/a%2Fb.metadata.json.gz", [await packed(metadata)]),
      file("dump/shop/seen.metadata.json", [
        '{"options":{"viewOn":"a/b","pipeline":[]},"indexes":[],"collectionName":"seen","type":"view"}',
      ]),
      file("dump/shop/prelude.json", ['{"ServerVersion":"8.0.4"}']),
      file("dump/admin/system.version.bson", [encode({ _id: 1 })]),
      file("dump/admin/system.version.metadata.json", [metadata.replace("a/b", "system.version")]),
      file("beds.json", ['[{"_id":1}]']),
    ];
    const { parts, leftOut, faults } = await gather(files, "test");
    expect(faults).toEqual([]);
    expect(leftOut).toEqual(["dump/shop/prelude.json", "dump/admin/system.version.bson"]);
    expect(parts.map(({ database, collection, source }) => [database, collection, source.kind])).toEqual([
      ["shop", "a/b", "file"],
      ["test", "beds", "file"],
      ["shop", "seen", "nothing"],
    ]);
    const other = await engine();
    const outcomes = await restore(other, job(parts));
    expect(outcomes.map(({ inserted, indexes, complete }) => [inserted, indexes, complete])).toEqual([
      [2, 1, true],
      [1, 0, true],
      [0, 0, true],
    ]);
    // An index that is refused is told, and keeps nothing else from being made.
    expect(outcomes[0]?.problems).toHaveLength(1);
    expect(String(outcomes[0]?.problems[0])).toMatch(/t_bucket: /);
    expect((await other.ask("shop", { count: "seen" }))["n"]).toEqual(new Int32(2));
  });

  test("metadata that cannot be read is a fault; a file alone is plain, an archive or metadata is not", async () => {
    expect((await gather([file("shop/a.metadata.json", ["{"])], "test")).faults).toHaveLength(1);
    const plain = async (one: { file: File }) => isPlain(one.file);
    expect(
      await Promise.all(
        [
          file("a.json", ["[]"]),
          file("a.bson", [encode({})]),
          file("a.metadata.json", [metadata]),
          file("a", [new Uint8Array([0x6d, 0xe2, 0x99, 0x81])]),
        ].map(plain),
      ),
    ).toEqual([true, true, false, false]);
  });
});

test("rows of a table follow their columns' types", () => {
  const rows = [
    ["1", "x"],
    ["", ""],
    ["y", "z"],
  ];
  expect(
    rowsAs(rows, [
      { name: "n", type: "int32" },
      { name: "t", type: "string" },
    ]),
  ).toEqual([{ n: new Int32(1), t: "x" }, {}, expect.any(Error)]);
  expect(
    rowsAs(rows, [
      { name: "n", type: "string" },
      { name: "t", type: "skip" },
    ]),
  ).toEqual([{ n: "1" }, {}, { n: "y" }]);
});
