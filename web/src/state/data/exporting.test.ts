/** An exported file can be read again, in every format, and stopping leaves nothing. */
import { Double, Int32, Long } from "bson";
import { describe, expect, test } from "vitest";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { collectionSource, documentsSource, elementsSource, exportFile, type ExportFormat } from "./exporting.ts";

const documents = [
  { _id: new Int32(1), at: { bed: new Int32(3), on: new Date(Date.UTC(2024, 4, 1)) }, tags: ["a", new Double(2)] },
  { _id: new Int32(2), text: 'a "b",\nc', none: null, wide: Long.fromNumber(5_000_000_000) },
];

async function text(format: ExportFormat, canonical = false): Promise<string> {
  const blob = await exportFile(documentsSource(documents), {
    format,
    canonical,
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  return (await blob?.text()) ?? "";
}

describe("formats", () => {
  test("JSON, relaxed and canonical", async () => {
    expect(JSON.parse(await text("json"))[0]).toEqual({
      _id: 1,
      at: { bed: 3, on: { $date: "2024-05-01T00:00:00Z" } },
      tags: ["a", 2.0],
    });
    expect(JSON.parse(await text("json", true))[1].wide).toEqual({ $numberLong: "5000000000" });
    expect(
      (await text("ndjson"))
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)._id),
    ).toEqual([1, 2]);
  });

  test("a table has every path, and quotes what needs it", async () => {
    expect(await text("csv")).toBe(
      '_id,at.bed,at.on,tags,text,none,wide\n1,3,2024-05-01T00:00:00.000Z,"[""a"",2.0]",,,\n2,,,,"a ""b"",\n' +
        'c",,5000000000\n',
    );
  });

  test("an array's elements need not be documents", async () => {
    const elements = [new Int32(1), "a", null, [new Int32(2)], { at: { bed: new Int32(3) } }, undefined];
    const written = async (format: ExportFormat): Promise<string | undefined> =>
      (
        await exportFile(elementsSource(elements), {
          format,
          canonical: false,
          elements: true,
          signal: new AbortController().signal,
          progress: () => undefined,
        })
      )?.text();
    expect(JSON.parse((await written("json")) ?? "")).toEqual([1, "a", null, [2], { at: { bed: 3 } }, null]);
    expect(await written("ndjson")).toBe('1\n"a"\nnull\n[2]\n{"at":{"bed":3}}\nnull\n');
    expect(await written("csv")).toBe("value,at.bed\n1,\na,\n,\n[2],\n,3\n,\n");
  });

  test("BSON is the documents one after another", async () => {
    const blob = await exportFile(documentsSource(documents), {
      format: "bson",
      canonical: false,
      signal: new AbortController().signal,
      progress: () => undefined,
    });
    const bytes = new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0));
    expect(bytes.length).toBe(documents.reduce((total, document) => total + encode(document).length, 0));
    expect(decode(bytes.subarray(0, encode(documents[0] ?? {}).length), { numbers: "typed" })).toEqual(documents[0]);
  });

  test("nothing is an empty array, an empty table, an empty file", async () => {
    const none = async (format: ExportFormat) =>
      (
        await exportFile(documentsSource([]), {
          format,
          canonical: false,
          signal: new AbortController().signal,
          progress: () => undefined,
        })
      )?.text();
    expect(await Promise.all((["json", "ndjson", "csv", "bson"] as const).map(none))).toEqual(["[\n]\n", "", "\n", ""]);
  });
});

test("a collection is read to the end of its cursor, and the cursor is let go when stopped", async () => {
  const sent: string[] = [];
  const commander = {
    async commandBytes(bytes: Uint8Array) {
      const command = decode(bytes);
      sent.push(Object.keys(command)[0] ?? "");
      return encode({
        cursor:
          "find" in command
            ? { firstBatch: [{ _id: 1 }], id: 7n, ns: "test.a" }
            : { nextBatch: [{ _id: 2 }], id: 0n, ns: "test.a" },
        ok: 1,
      });
    },
  };
  const told: number[] = [];
  const options = {
    format: "ndjson",
    canonical: false,
    signal: new AbortController().signal,
    progress: (count: number) => told.push(count),
  } as const;
  expect(await (await exportFile(collectionSource(commander, "test", "a"), options))?.text()).toBe(
    '{"_id":1}\n{"_id":2}\n',
  );
  expect(told).toEqual([1, 2]);
  const stop = new AbortController();
  expect(
    await exportFile(collectionSource(commander, "test", "a"), {
      ...options,
      signal: stop.signal,
      progress: () => stop.abort(),
    }),
  ).toBeNull();
  expect(sent).toEqual(["find", "getMore", "find", "killCursors"]);
});
