/**
 * Strings of any bytes, from a dump's file through the real engine and back into a file, and as the clients of the
 * package read them. Nobody can write such a string in JavaScript: they come as bytes.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as bson from "bson";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { decode } from "../src/codec/decode.ts";
import { encode } from "../src/codec/encode.ts";
import { loadEngine } from "../src/engine/load.ts";
import { Engine } from "../src/pkg/engine.ts";
import { MongoClient } from "../src/driver/client.ts";
import { collectionSource, exportFile } from "../src/state/data/exporting.ts";
import { importFile, look } from "../src/state/data/importing.ts";

const wasm = fileURLToPath(new URL("../wasm/quire_bg.wasm", import.meta.url));

/** A document `{ _id, s, n: { a: [s] } }` whose strings are these bytes. */
function document(id: number, ...text: readonly number[]): Uint8Array {
  // A text of as many bytes, none of which is elsewhere in the document, gives its place to them.
  const filling = "~".repeat(text.length);
  const bytes = encode({ _id: id, s: filling, n: { a: [filling] } });
  for (let at = bytes.indexOf(0x7e); at >= 0; at = bytes.indexOf(0x7e, at)) bytes.set(text, at);
  return bytes;
}

const documents = [
  document(1, 0x61, 0xff),
  document(2, 0xf0, 0x9f),
  document(3, 0xc3, 0xa9),
  document(4, 0x80),
  document(5, ...new Array<number>(200).fill(0xfe)),
];
const signal = new AbortController().signal;
const progress = (): void => undefined;

describe.skipIf(!existsSync(wasm))("strings that are no UTF-8", () => {
  let engine: Engine;
  const commander = { commandBytes: (command: Uint8Array) => Promise.resolve(engine.command(command)) };
  const client = (options: Record<string, unknown> = {}): MongoClient =>
    new MongoClient(
      () =>
        Promise.resolve({
          run: (database, command, codec) =>
            decode(engine.command(encode({ ...command, $db: database }, codec)), codec),
          close: () => Promise.resolve(),
        }),
      "quire://shop/d",
      options,
    );

  beforeAll(async () => {
    await loadEngine(() => readFileSync(wasm));
  });

  beforeEach(async () => {
    engine = await Engine.create();
    const file = new File([new Blob(documents as BlobPart[])], "c.bson");
    const { documents: shown, failure } = await look(file, null);
    expect([failure, shown.map(({ s }) => s as unknown)]).toEqual([null, ["a\ufffd", "\ufffd", "é"]]);
    const job = { file, format: "bson", columns: [], stopAtFirst: true, signal, progress } as const;
    const outcome = await importFile(commander, { ...job, database: "d", collection: "c" });
    expect(outcome).toEqual({ inserted: 5, failed: 0, failures: [], complete: true });
    return () => engine.close();
  });

  test("come out of a dump and go into one byte for byte", async () => {
    const options = { canonical: true, signal, progress };
    const source = collectionSource(commander, "d", "c");
    const file = await exportFile(source, { ...options, format: "bson" });
    expect(new Uint8Array((await file?.arrayBuffer()) as ArrayBuffer)).toEqual(
      Uint8Array.from(documents.flatMap((one) => [...one])),
    );
    // Text can hold no such bytes.
    const text = await (await exportFile(source, { ...options, format: "ndjson" }))?.text();
    expect(text?.split("\n")[0]).toContain('"s":"a\ufffd"');
  });

  test("are decoded as js-bson decodes them", () => {
    for (const bytes of documents) {
      const lenient = bson.deserialize(bytes, { validation: { utf8: false } });
      expect(decode(bytes)).toEqual(lenient);
      const strict = (): unknown => decode(bytes, { enableUtf8Validation: true });
      let theirs: Error | null = null;
      try {
        bson.deserialize(bytes);
      } catch (error) {
        theirs = error as Error;
      }
      if (theirs === null) expect(strict()).toEqual(lenient);
      else expect(strict).toThrow(expect.objectContaining({ name: theirs.name, message: theirs.message }));
    }
  });

  test("are refused by a client's reading, unless it asks for U+FFFD", async () => {
    const invalid = { name: "BSONError", message: "Invalid UTF-8 string in BSON document" };
    const of = (given?: Record<string, unknown>) => client(given).db().collection("c");
    await expect(of().findOne({ _id: 1 as never })).rejects.toMatchObject(invalid);
    await expect(of().find().toArray()).rejects.toMatchObject(invalid);
    expect(await of().findOne({ _id: 3 as never })).toEqual({ _id: 3, s: "é", n: { a: ["é"] } });
    expect(await of().findOne({ _id: 1 as never }, { projection: { s: 0, n: 0 } })).toEqual({ _id: 1 });
    const shown = { _id: 1, s: "a\ufffd", n: { a: ["a\ufffd"] } };
    expect(await of().findOne({ _id: 1 as never }, { enableUtf8Validation: false })).toEqual(shown);
    expect(await of({ enableUtf8Validation: false }).findOne({ _id: 1 as never })).toEqual(shown);
    expect(await of({ promoteValues: false, enableUtf8Validation: false }).countDocuments()).toBe(5);
    // What is written is what was asked for, and the bytes of the other fields stay.
    await of().updateOne({ _id: 1 as never }, { $set: { t: 1 } });
    const found = engine.command(encode({ find: "c", filter: { _id: 1 }, $db: "d" }));
    const stored = Buffer.from((documents[0] as Uint8Array).subarray(4, -1));
    expect(Buffer.from(found).includes(stored)).toBe(true);
  });

  test("are quoted by a write error, which is told all the same", async () => {
    engine.command(encode({ createIndexes: "c", indexes: [{ key: { s: 1 }, name: "s_1", unique: true }], $db: "d" }));
    const copy = document(9, 0x61, 0xff);
    const insert = encode({ insert: "c", documents: [{}], $db: "d" });
    // The empty document gives its place to the copy.
    const [before, after] = [insert.indexOf(0x03) + 3, 5];
    const command = Buffer.concat([insert.subarray(0, before), copy, insert.subarray(before + after)]);
    command.writeInt32LE(command.length);
    const list = command.indexOf("documents\0") + "documents\0".length;
    command.writeInt32LE(command.readInt32LE(list) + copy.length - after, list);
    const reply = decode(engine.command(command), { enableUtf8Validation: true });
    expect(reply).toMatchObject({ ok: 1, n: 0, writeErrors: [{ code: 11000, keyValue: { s: "a\ufffd" } }] });
  });

  test("that the caller wants none of end no engine", () => {
    const find = { find: "c", $db: "d" };
    expect(() => engine.run(find, { enableUtf8Validation: true })).toThrow("Invalid UTF-8 string in BSON document");
    const { cursor } = engine.run(find) as { cursor: { firstBatch: { s: string }[] } };
    expect(cursor.firstBatch.map(({ s }) => s)).toEqual(["a\ufffd", "\ufffd", "é", "\ufffd", "\ufffd".repeat(200)]);
  });
});
