/**
 * Garbage in the store `meta`, beside the header: another open tab reads the state that is stored, whatever the records of
 * changed pages say, and no error of the browser's comes out.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, stored } from "./room.mjs";

const garbage = {
  "a number that is none": new Uint8Array(8).fill(255),
  "the number 0": new Uint8Array(8),
  "numbers that descend": Uint8Array.from([9, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]),
  "half a number": Uint8Array.of(1, 2, 3),
  "a text": "changed",
  "an object": { pages: [1] },
  nothing: null,
};

for (const [name, record] of Object.entries(garbage))
  test(`${name} in the place of the changed pages`, async () => {
    const { open, disk } = await begin();
    const [writer, reader] = [await open(), await open()];
    await stored(writer, { insert: "herbs", documents: [{ _id: 1, text: "x".repeat(40_000) }] });
    assert.equal((await reader.command({ count: "herbs" })).n, 1);
    for (let round = 2; round < 5; round += 1) {
      await stored(writer, { insert: "herbs", documents: [{ _id: round, text: "y".repeat(40_000) }] });
      const meta = disk.databases.get("quire:shop").stores.get("meta");
      const newest = Math.max(...meta.keys());
      if (record === null) meta.delete(newest);
      else meta.set(newest, record);
      const { cursor } = await reader.command({ find: "herbs", sort: { _id: 1 } });
      assert.deepEqual(
        cursor.firstBatch.map(({ _id, text }) => [_id, text.length]),
        Array.from({ length: round }, (_, index) => [index + 1, 40_000]),
      );
      const { valid, errors } = await reader.command({ validate: "herbs", full: true });
      assert.deepEqual([valid, errors], [true, []]);
    }
    // The reader writes on from there.
    await stored(reader, { insert: "herbs", documents: [{ _id: 9 }] });
    assert.equal((await writer.command({ count: "herbs" })).n, 5);
  });
