/** Documents go in and out as the bytes they are. */
import { Int32, Long, ObjectId } from "bson";
import { expect, test } from "vitest";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { batchDocuments, ByteReader, nextDocument, withDocuments } from "./bytes.ts";

const documents = Array.from({ length: 12 }, (_, n) => ({
  _id: n,
  text: "x".repeat(n * 3),
  id: new ObjectId("4c4b1476238d3b4dd5000001"),
}));

function streamOf(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

test("a command with documents is what encoding it whole gives", () => {
  const raw = documents.map((document) => encode(document));
  expect(withDocuments({ insert: "a", ordered: false, $db: "test" }, "documents", raw)).toEqual(
    encode({ insert: "a", ordered: false, $db: "test", documents }),
  );
  expect(withDocuments({ insert: "a" }, "documents", [])).toEqual(encode({ insert: "a", documents: [] }));
});

test("a batch's documents come out of the reply", () => {
  const reply = encode({
    cursor: { firstBatch: documents, id: Long.fromNumber(5), ns: "test.a" },
    ok: 1,
    extra: new Date(),
    bytes: [true, null],
  });
  expect(batchDocuments(reply).map((document) => decode(document)["_id"])).toEqual(documents.map(({ _id }) => _id));
  expect(batchDocuments(encode({ ok: 0, errmsg: "no" }))).toEqual([]);
});

test.each([1, 7, 10_000])("documents come out of a stream in pieces of %i", async (size) => {
  const reader = new ByteReader(streamOf(joined(documents.map((document) => encode(document))), size));
  for (const { _id } of documents)
    expect(decode((await nextDocument(reader)) ?? new Uint8Array(), { numbers: "typed" })["_id"]).toEqual(
      new Int32(_id),
    );
  expect(await nextDocument(reader)).toBeNull();
});

test("what is cut off or no document is refused at its offset", async () => {
  const bytes = encode({ a: 1 });
  await expect(nextDocument(new ByteReader(streamOf(bytes.subarray(0, bytes.length - 1), 100)))).rejects.toThrow(
    "at byte 0",
  );
  const reader = new ByteReader(streamOf(joined([bytes, new Uint8Array([1, 0, 0, 0])]), 100));
  await nextDocument(reader);
  await expect(nextDocument(reader)).rejects.toThrow(`at byte ${bytes.length}`);
});
