/**
 * Files come in whole, however they are cut and packed; a refused document is told with its place, and the rest is
 * taken.
 */
import { Binary, Double, Int32, Long } from "bson";
import { describe, expect, test } from "vitest";
import type { Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { headerFault } from "./csv.ts";
import { documentsSource, exportFile } from "./exporting.ts";
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

describe("no value is lost or altered without a word", () => {
  const bytes = (document: Document): Uint8Array => encode(document);

  test("numbers keep their digits and their types", async () => {
    const { engine } = await run("a.ndjson", ['{"c":9007199254740993}\n{"c":5.0}\n{"c":NaN}\n']);
    expect(engine.documents).toEqual([
      { c: Long.fromString("9007199254740993") },
      { c: new Double(5) },
      { c: new Double(NaN) },
    ]);
  });

  test("Extended JSON of version 1 and what the shells print", async () => {
    const { engine, outcome } = await run("a.json", [
      '{"a":{"$binary":"aGk=","$type":"00"},"d":{"$date":149}}\n',
      "{ a: BinData(0, 'aGk='), 'd': ISODate(\"1970-01-01T00:00:00.149Z\") }\n",
    ]);
    expect(outcome.failed).toBe(0);
    const [first, second] = engine.documents as [Document, Document];
    expect(first).toEqual({ a: Binary.createFromBase64("aGk=", 0), d: new Date(149) });
    expect(bytes(first)).toEqual(bytes(second));
  });

  test("a value that cannot be is told by its line, and the other documents are taken", async () => {
    const lines = [
      '{"_id":1}',
      '{"d":{"$date":{"$numberLong":149}}}',
      '{"d":{"$date":"soon"}}',
      `{"${"a".repeat(3)}\\u0000":1}`,
      '{"_id":5}',
    ];
    const { outcome } = await run("a.ndjson", [lines.join("\n")]);
    expect(outcome).toMatchObject({ inserted: 2, failed: 3, complete: true });
    expect(outcome.failures.map(({ place, error }) => [place, error?.fault, error?.shown, error?.lost])).toEqual([
      [2, "wording", '{"$numberLong":149}', lines[1]],
      [3, "wording", '{"$date":"soon"}', lines[2]],
      [4, "name", '"aaa\\u0000"', lines[3]],
    ]);
    expect((await run("a.json", [`[${lines.join(",\n")}]`])).outcome).toMatchObject({ inserted: 2, failed: 3 });
    expect((await run("a.json", [lines.join("\n")], { stopAtFirst: true })).outcome).toMatchObject({
      inserted: 1,
      failed: 1,
      complete: false,
    });
  });

  test("a row with a wrong quote is refused, and kept to be mended", async () => {
    const { outcome, engine } = await run("a.csv", ['a,b\n1,2\n"HC 73 BOX 95, "D"","data"\n3,4\n']);
    expect(outcome).toMatchObject({ inserted: 2, failed: 1, complete: true });
    expect(outcome.failures[0]).toMatchObject({ place: 3, message: 'extraneous " in field' });
    expect(outcome.failures[0]?.error?.lost).toBe('"HC 73 BOX 95, "D"","data"');
    expect(engine.documents.map(({ a }) => Number(a))).toEqual([1, 3]);
  });

  test.each([
    ["a,a\n1,2\n", "identical"],
    ["a,a.b\n1,2\n", "incompatible"],
    ["a.int32(),b.int31()\n1,2\n", "type"],
    ['a,"b\n1,2\n', "openQuote"],
  ])("no row is read under the header of %j", async (text, fault) => {
    const { seen, outcome, engine } = await run("a.csv", [text]);
    // Which columns are left out is the reader's choice: their names are judged with it.
    const failure = seen.failure ?? headerFault(seen.columns);
    expect(failure).toMatchObject({ fault, line: 1 });
    if (seen.failure === null)
      expect(outcome).toMatchObject({ inserted: 0, failed: 1, complete: false, failures: [{ error: { fault } }] });
    expect(engine.documents).toEqual([]);
  });

  test("columns have types with arguments", async () => {
    const { engine } = await run("a.csv", ["d.date(2006-01-02),b.binary(hex),n.int64()\n2024-05-01,6869,5\n"]);
    expect(engine.documents).toEqual([
      { d: new Date(Date.UTC(2024, 4, 1)), b: Binary.createFromBase64("aGk=", 0), n: Long.fromNumber(5) },
    ]);
  });

  test("a file that is no text is refused, whatever its name", async () => {
    const random = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919 + (at >> 3) * 31) & 255);
    for (const name of ["a", "a.csv", "a.json"]) {
      const { seen, outcome, engine } = await run(name, [random]);
      expect(seen.failure).toMatchObject({ fault: "binary", line: 1 });
      expect(outcome).toMatchObject({ inserted: 0, failed: 1, complete: false });
      expect(engine.documents).toEqual([]);
    }
  });

  test("text in another encoding is refused where that shows, and what stands before it is taken", async () => {
    const { outcome, engine } = await run("a.csv", ["a\nx\ny\n", Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 10), "z\n"]);
    expect(outcome).toMatchObject({ inserted: 2, failed: 1, complete: false });
    expect(outcome.failures[0]).toMatchObject({ place: 4, error: { fault: "encoding" } });
    expect(engine.documents).toEqual([{ a: "x" }, { a: "y" }]);
    // A sign may be cut anywhere.
    const cut = new TextEncoder().encode("a\né\n");
    expect((await run("a.csv", [cut.slice(0, 3), cut.slice(3)])).engine.documents).toEqual([{ a: "é" }]);
  });

  test("what is exported is imported as the same", async () => {
    const documents = [
      { _id: new Int32(1), wide: Long.fromString("9007199254740993"), d: new Double(5), at: new Date(149) },
      { _id: new Int32(2), text: ' "a", \r\nb', not: new Double(NaN), bytes: Binary.createFromBase64("aGk=", 5) },
    ];
    for (const format of ["json", "ndjson", "bson"] as const) {
      for (const canonical of [true, false]) {
        const options = { format, canonical, signal: new AbortController().signal, progress: () => undefined };
        const file = await exportFile(documentsSource(documents), options);
        expect((await run(`a.${format}`, [file as Blob])).engine.documents).toEqual(documents);
      }
    }
    const options = { format: "csv", canonical: false, signal: new AbortController().signal } as const;
    const table = await exportFile(documentsSource(documents), { ...options, progress: () => undefined });
    expect((await run("a.csv", [table as Blob])).engine.documents[1]?.["text"]).toBe(' "a", \r\nb');
  });
});

describe("large files", () => {
  test("have a preview, though it is cut inside a document and a sign", async () => {
    for (const shift of [0, 1, 2]) {
      const text = `[${" ".repeat(shift)}{"a":"é"},{"a":"${"é".repeat(100_000)}"}]`;
      const seen = await look(new File([text], "a.json"), null);
      expect([seen.documents, seen.failure]).toEqual([[{ a: "é" }], null]);
    }
  });

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
