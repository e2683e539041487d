/**
 * Files come in whole, however they are cut and packed; a refused document is told with its place, and the rest is
 * taken.
 */
import { Int32, Long } from "bson";
import { describe, expect, test } from "vitest";
import type { Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { collectionNameOf, formatOf, importFile, look, type ImportJob } from "./importing.ts";
import type { ImportProgress } from "./inserter.ts";

/** An engine that takes everything but documents whose `_id` it has seen. */
class Taking {
  readonly documents: Document[] = [];
  readonly batches: number[] = [];
  readonly #ids = new Set<string>();

  async commandBytes(bytes: Uint8Array): Promise<Uint8Array> {
    const command = decode(bytes, { numbers: "typed" });
    const writeErrors: Document[] = [];
    let n = 0;
    for (const [index, document] of (command["documents"] as Document[]).entries()) {
      const seen = document["_id"] !== undefined && this.#ids.has(String(document["_id"]));
      if (seen) writeErrors.push({ index, code: 11000, errmsg: "E11000" });
      else {
        this.documents.push(document);
        this.#ids.add(String(document["_id"]));
        n += 1;
      }
      if (seen && command["ordered"] === true) break;
    }
    this.batches.push(n);
    return encode(writeErrors.length === 0 ? { n, ok: 1 } : { n, ok: 1, writeErrors });
  }
}

async function run(name: string, parts: BlobPart[], more: Partial<ImportJob> = {}) {
  const file = new File(parts, name);
  const seen = await look(file, more.format ?? null);
  const engine = new Taking();
  const progress: ImportProgress[] = [];
  const outcome = await importFile(engine, {
    file,
    format: seen.format,
    database: "test",
    collection: "a",
    columns: seen.columns,
    stopAtFirst: false,
    signal: new AbortController().signal,
    progress: (now) => progress.push(now),
    ...more,
  });
  return { seen, engine, outcome, progress, file };
}

describe("formats", () => {
  const bson = [encode({ _id: 1, long: Long.fromNumber(5) }), encode({ _id: 2 })] as BlobPart[];

  test("are known by name, packed or not, and else by content", () => {
    const text = (content: string) => new TextEncoder().encode(content);
    expect(["a.bson", "a.bson.gz", "a.JSON", "a.ndjson", "a.tsv"].map((name) => formatOf(name, text("")))).toEqual([
      "bson",
      "bson",
      "json",
      "json",
      "csv",
    ]);
    expect([encode({ a: 1 }), text(" [{"), text('{"a"'), text("a,b")].map((head) => formatOf("dump", head))).toEqual([
      "bson",
      "json",
      "json",
      "csv",
    ]);
    expect(["books.json", "a/b c.bson.gz", "system.js.json", ".csv"].map(collectionNameOf)).toEqual([
      "books",
      "b_c",
      "js",
      "imported",
    ]);
  });

  test("an array, a document a line, a table and a dump", async () => {
    expect((await run("a.json", ['[{"_id":1},\n{"_id":2}]'])).engine.documents).toEqual([
      { _id: new Int32(1) },
      { _id: new Int32(2) },
    ]);
    expect((await run("a.ndjson", ['{"_id":1}\n{"_id":2}\n'])).outcome).toEqual({
      inserted: 2,
      failed: 0,
      failures: [],
      complete: true,
    });
    expect((await run("a.bson", bson)).engine.documents[0]).toEqual({ _id: new Int32(1), long: Long.fromNumber(5) });
    expect((await run("a.csv", ['\ufeff_id,name\n1,"a ""quoted"", line\nbreak"\n\n2,b'])).engine.documents).toEqual([
      { _id: new Int32(1), name: 'a "quoted", line\nbreak' },
      { _id: new Int32(2), name: "b" },
    ]);
    expect((await run("a.tsv", ["_id\tn\r\n1\t2\r\n"])).engine.documents).toEqual([
      { _id: new Int32(1), n: new Int32(2) },
    ]);
  });

  test("packed by gzip", async () => {
    const packed = await new Response(
      new Blob(['{"_id":1}\n{"_id":2}']).stream().pipeThrough(new CompressionStream("gzip")),
    ).arrayBuffer();
    const { outcome, progress, file } = await run("a.json.gz", [packed]);
    expect(outcome.inserted).toBe(2);
    expect(progress.at(-1)?.bytesRead).toBe(file.size);
  });
});

describe("failures", () => {
  test("each has its line, and the others are taken", async () => {
    const { outcome, engine } = await run("a.json", ['{"_id":1}\n{"_id":2,}\n{"_id":1}\n{"_id":3}']);
    expect(outcome).toEqual({
      inserted: 2,
      failed: 2,
      failures: expect.arrayContaining([
        expect.objectContaining({ place: 2, message: 'Unexpected "}"' }),
        { place: 3, message: "E11000" },
      ]),
      complete: true,
    });
    expect(engine.documents).toHaveLength(2);
  });

  test("a broken line of JSON loses itself alone, and is kept to be mended", async () => {
    const lines = ['{"_id":1}', '{"_id":2', '{"_id":3}', "oops", '{"_id":5, "a": "x}', '{"_id":6}'];
    const { outcome, engine } = await run("a.ndjson", [lines.slice(0, 3).join("\n"), `\n${lines.slice(3).join("\n")}`]);
    expect(outcome).toMatchObject({ inserted: 3, failed: 3, complete: true });
    expect(outcome.failures.map(({ place, error }) => [place, error?.column, error?.fault, error?.lost])).toEqual([
      [2, 1, "document", lines[1]],
      [4, 1, "unexpected", lines[3]],
      [5, 16, "quote", lines[4]],
    ]);
    expect(engine.documents).toHaveLength(3);
  });

  test("a mistake in an array is told by line and column, and what came before it stays", async () => {
    const { outcome } = await run("a.json", ['[{"_id":1},\n {"_id":[2},\n {"_id":3}]']);
    expect(outcome).toMatchObject({ inserted: 1, failed: 1, complete: false });
    expect(outcome.failures[0]?.error).toMatchObject({ line: 2, column: 11, fault: "bracket", shown: '"},"' });
  });

  test("a file that breaks off keeps what came before", async () => {
    expect((await run("a.json", ['[{"_id":1},\n{"_id":'])).outcome).toMatchObject({
      inserted: 1,
      failed: 1,
      complete: false,
      failures: [{ place: 2 }],
    });
    const cut = encode({ _id: 2 }).slice(0, -2);
    expect((await run("a.bson", [encode({ _id: 1 }), cut] as BlobPart[])).outcome).toMatchObject({
      inserted: 1,
      failed: 1,
      complete: false,
      failures: [{ place: 2 }],
    });
  });

  test("cells that do not fit are refused by line, past cells of several lines", async () => {
    const { outcome } = await run("a.csv", ['n.int32(),text.string()\n1,"two\nlines"\nx,b\n3,c\n4,d,e\n']);
    expect(outcome).toMatchObject({
      inserted: 2,
      failed: 2,
      failures: [{ place: 4, message: 'n: "x" is no int32' }, { place: 6 }],
    });
  });

  test("the first one can be the last", async () => {
    const { outcome, engine } = await run("a.json", ['{"_id":1}\n{"_id":1}\n{"_id":2}'], { stopAtFirst: true });
    expect(outcome).toMatchObject({ inserted: 1, failed: 1, complete: false });
    expect(engine.documents).toHaveLength(1);
  });
});

describe("large files", () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `{"_id":${n},"text":"${"x".repeat(60)}"}\n`);

  test("come in batches, with progress that never goes back", async () => {
    const { outcome, engine, progress, file } = await run("a.json", [lines.join("")]);
    expect(outcome.inserted).toBe(20_000);
    expect(engine.batches.length).toBeGreaterThan(15);
    expect(Math.max(...engine.batches)).toBeLessThanOrEqual(1000);
    expect(progress.at(-1)).toMatchObject({ inserted: 20_000, bytesRead: file.size });
    expect(progress.every((now, at) => at === 0 || now.inserted >= (progress[at - 1]?.inserted ?? 0))).toBe(true);
  });

  test("stop after the batch under way", async () => {
    const stop = new AbortController();
    const { outcome } = await run("a.json", [lines.join("")], {
      signal: stop.signal,
      progress: ({ inserted }) => inserted > 3000 && stop.abort(),
    });
    expect(outcome.complete).toBe(false);
    expect(outcome.inserted).toBeLessThan(8000);
  });
});
