/** A collection becomes a script that makes it again, and links stay links. */
import { Int32, ObjectId, type Document } from "bson";
import { describe, expect, test } from "vitest";
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { decodeShared } from "../share/decode.ts";
import type { Commander } from "./data/ask.ts";
import { dataScript, linkTo, mostSharedDocuments, TooMany } from "./share.ts";

const herbs = [{ _id: new ObjectId("66a000000000000000000001"), name: "sage", n: new Int32(3), seen: new Date(0) }];

const commander = (documents: readonly Document[]): Commander => ({
  async commandBytes(bytes) {
    const command = decode(bytes, { numbers: "typed" });
    const firstBatch =
      command["find"] === undefined
        ? [
            { v: 2, key: { _id: 1 }, name: "_id_" },
            { v: 2, key: { name: 1 }, name: "name_1", unique: true },
          ]
        : documents;
    return encode({ cursor: { id: 0, ns: "test.herbs", firstBatch }, ok: 1 });
  },
});

describe("data in a link", () => {
  test("is a script which inserts it, with its types, and makes its indexes", async () => {
    const script = await dataScript(commander(herbs), "test", ["herbs"], "Herbs");
    expect(script).toMatch(/^\/\/ Herbs\nuse test\ndb\.herbs\.insertMany\(\[/);
    expect(script).toContain("ObjectId('66a000000000000000000001')");
    expect(script).toContain("ISODate('1970-01-01T00:00:00.000Z')");
    expect(script).toMatch(/db\.herbs\.createIndex\(\{ name: 1 \}, \{ name: ["']name_1["'], unique: true \}\)/);
    expect(script).not.toContain("drop");
  });

  test("is refused when there is too much of it", async () => {
    const many = Array.from({ length: mostSharedDocuments + 1 }, (_, n) => ({ _id: n }));
    await expect(dataScript(commander(many), "test", ["herbs"], "")).rejects.toThrow(TooMany);
  });

  test("is read back from the link", async () => {
    const scripts = [{ name: "a", source: "db.a.find()" }];
    const link = await linkTo("https://example.org/play/?x=1#old", scripts);
    expect(link).toMatch(/^https:\/\/example\.org\/play\/\?x=1#q1\./);
    expect(await decodeShared(new URL(link).hash)).toEqual({ scripts });
  });
});
