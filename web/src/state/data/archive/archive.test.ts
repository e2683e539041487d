/**
 * Archives byte for byte as mongodump lays them out, and the errors of those that are cut or damaged.
 */
import { Int32, Long, type Document } from "bson";
import { describe, expect, test } from "vitest";
import { decode } from "../../../codec/decode.ts";
import { encode } from "../../../codec/encode.ts";
import { ArchiveFault, ArchiveReader, isArchive } from "./archive-reader.ts";
import { ArchivedBlock, archivePrelude } from "./archive-writer.ts";
import { Crc64 } from "./crc64.ts";
import { readMetadata, writeMetadata } from "./metadata.ts";

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};
const terminator = new Uint8Array([255, 255, 255, 255]);
/**
 * A BSON document by hand, so that the test does not lean on the codec: names and string, boolean, int32 and int64
 * values.
 */
const bson = (...fields: readonly (readonly [string, string | boolean | number | bigint])[]): Uint8Array => {
  const utf8 = new TextEncoder();
  const parts = fields.map(([name, value]) => {
    const key = [...utf8.encode(name), 0];
    if (typeof value === "string") {
      const text = [...utf8.encode(value), 0];
      return [2, ...key, text.length & 255, text.length >> 8, 0, 0, ...text];
    }
    if (typeof value === "boolean") return [8, ...key, value ? 1 : 0];
    if (typeof value === "number")
      return [16, ...key, value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];
    return [
      18,
      ...key,
      ...Array.from({ length: 8 }, (_, at) => Number((BigInt.asUintN(64, value) >> BigInt(8 * at)) & 255n)),
    ];
  });
  const inner = parts.flat();
  const length = inner.length + 5;
  return new Uint8Array([length & 255, length >> 8, 0, 0, ...inner, 0]);
};

const one = bson(["_id", 1]);
const two = bson(["_id", 2], ["name", "rue"]);
const sumOf = (...documents: readonly Uint8Array[]): bigint => {
  const sum = new Crc64();
  for (const document of documents) sum.update(document);
  return sum.value;
};
const header = (collection: string, isEnd: boolean, sum: bigint): Uint8Array =>
  bson(["db", "shop"], ["collection", collection], ["EOF", isEnd], ["CRC", sum]);
const magic = new Uint8Array([0x6d, 0xe2, 0x99, 0x81]);
const start = [
  magic,
  bson(["concurrent_collections", 4], ["version", "0.1"], ["server_version", "8.0.4"], ["tool_version", "100.10.0"]),
  bson(
    ["db", "shop"],
    ["collection", "herbs"],
    [
      "metadata",
      '{"options":{"capped":true,"size":{"$numberInt":"4096"}},"indexes":[{"v":{"$numberInt":"2"},' +
        '"key":{"_id":{"$numberInt":"1"}},"name":"_id_"}],"uuid":"00","collectionName":"herbs",' +
        '"type":"collection"}',
    ],
    ["size", 0],
    ["type", "collection"],
  ),
  bson(["db", "shop"], ["collection", "beds"], ["metadata", ""], ["size", 0], ["type", ""]),
  terminator,
];
/** Two collections whose documents come in turns, as two threads of mongodump write them. */
const interleaved = [
  ...start,
  header("herbs", false, 0n),
  one,
  terminator,
  header("beds", false, 0n),
  terminator,
  header("beds", true, 0n),
  terminator,
  header("herbs", false, 0n),
  two,
  terminator,
  header("herbs", true, sumOf(one, two)),
  terminator,
];

async function read(bytes: Uint8Array, cut = 7) {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += cut) pieces.push(bytes.slice(at, at + cut));
  const reader = new ArchiveReader(new Blob(pieces as Uint8Array<ArrayBuffer>[]).stream());
  const prelude = await reader.prelude();
  const items: [string, Document | null][] = [];
  for await (const { namespace, document } of reader.items())
    items.push([namespace, document === null ? null : decode(document, { numbers: "driver" })]);
  return { prelude, items };
}

const faultOf = (bytes: Uint8Array): Promise<unknown> =>
  read(bytes).then(
    () => null,
    (error: unknown) => (error instanceof ArchiveFault ? `${error.kind} ${error.namespace}`.trim() : error),
  );

test("the checksum is that of the standard's own example", () => {
  const sum = new Crc64();
  sum.update(new TextEncoder().encode("12345"));
  sum.update(new TextEncoder().encode("6789"));
  expect(BigInt.asUintN(64, sum.value)).toBe(0x995dc9bbdf1939fan);
  expect(new Crc64().value).toBe(0n);
});

describe("reading", () => {
  test("collections in turns, one of them empty", async () => {
    const { prelude, items } = await read(joined(interleaved));
    expect(prelude).toMatchObject({ serverVersion: "8.0.4", toolVersion: "100.10.0" });
    expect(
      prelude.collections.map(({ database, collection, metadata }) => [
        database,
        collection,
        metadata.options,
        metadata.indexes.length,
      ]),
    ).toEqual([
      ["shop", "herbs", { capped: true, size: new Int32(4096) }, 1],
      ["shop", "beds", {}, 0],
    ]);
    expect(items).toEqual([
      ["shop.herbs", { _id: 1 }],
      ["shop.beds", null],
      ["shop.herbs", { _id: 2, name: "rue" }],
      ["shop.herbs", null],
    ]);
  });

  test("an archive is known by its first bytes", () => {
    expect([joined(interleaved), magic, magic.slice(0, 3), one].map(isArchive)).toEqual([true, true, false, false]);
  });

  test("each way of being damaged has its name", async () => {
    const whole = joined(interleaved);
    expect(await faultOf(one)).toBe("magic");
    expect(await faultOf(new Uint8Array(0))).toBe("magic");
    const flipped = whole.slice();
    flipped[whole.length - header("herbs", true, 0n).length - 4 - 4 - 3] = 1;
    expect(await faultOf(flipped)).toBe("checksum shop.herbs");
    expect(await faultOf(joined([...start, header("herbs", false, 0n), one, terminator]))).toBe("open shop.herbs");
    expect(await faultOf(joined([...interleaved, header("herbs", false, 0n), one, terminator]))).toBe(
      "order shop.herbs",
    );
    expect(await faultOf(joined([...start, header("herbs", true, 0n), one, terminator]))).toBe("order shop.herbs");
    expect(await faultOf(joined([...start, terminator]))).toBe("header");
    expect(await faultOf(joined([...start, one, terminator]))).toBe("header");
    expect(await faultOf(joined([...start, header("herbs", false, 0n), new Uint8Array([1, 0, 0, 0])]))).toBe("bytes");
    expect(await faultOf(joined([magic, terminator]))).toBe("header");
  });

  test("cut anywhere, it is never taken for whole", async () => {
    const whole = joined(interleaved);
    // Between two blocks the bytes are those of a shorter archive, whose unended collection gives it away.
    for (let end = 0; end < whole.length; end += 1)
      expect(await faultOf(whole.slice(0, end)), String(end)).toMatch(
        /^(magic|ends|open shop\.herbs|open shop\.beds)$/,
      );
  });
});

describe("writing", () => {
  const metadata = writeMetadata(
    "herbs",
    "collection",
    { capped: true, size: new Int32(4096) },
    [{ v: new Int32(2), key: { _id: new Int32(1) }, name: "_id_" }],
    "00ff",
  );

  test("byte for byte what the format says", () => {
    const block = new ArchivedBlock("shop", "herbs");
    const written = joined([
      ...archivePrelude("8.0.0", [
        { database: "shop", collection: "herbs", metadata, type: "collection", sizeBytes: 44 },
      ]),
      block.begin(),
      ...block.documents([one, two]),
      ...block.end(),
    ]);
    const expected = joined([
      magic,
      bson(["concurrent_collections", 1], ["version", "0.1"], ["server_version", "8.0.0"], ["tool_version", "quire"]),
      bson(["db", "shop"], ["collection", "herbs"], ["metadata", metadata], ["size", 44], ["type", "collection"]),
      terminator,
      header("herbs", false, 0n),
      one,
      two,
      terminator,
      header("herbs", true, sumOf(one, two)),
      terminator,
    ]);
    expect(hex(written)).toBe(hex(expected));
    expect(hex(written.slice(0, 4))).toBe("6de29981");
  });

  test("metadata is canonical Extended JSON, and reads back", () => {
    expect(metadata).toBe(
      '{"options":{"capped":true,"size":{"$numberInt":"4096"}},"indexes":[{"v":{"$numberInt":"2"},' +
        '"key":{"_id":{"$numberInt":"1"}},"name":"_id_"}],"uuid":"00ff","collectionName":"herbs",' +
        '"type":"collection"}',
    );
    expect(readMetadata(metadata)).toMatchObject({
      type: "collection",
      collectionName: "herbs",
      options: { size: new Int32(4096) },
    });
    expect(readMetadata('{"options":{"viewOn":"herbs","pipeline":[]},"indexes":[]}').type).toBe("view");
    expect(() => readMetadata("[]")).toThrow();
  });

  test("sizes beyond 2 GiB are Longs", () => {
    const [, , described] = archivePrelude("8.0.0", [
      { database: "a", collection: "b", metadata: "", type: "", sizeBytes: 3e9 },
    ]);
    expect(decode(described as Uint8Array, { numbers: "typed" })["size"]).toEqual(Long.fromNumber(3e9));
    expect(encode({}).length).toBe(5);
  });
});
