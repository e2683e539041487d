/** The data sets are the same every time, of the size they say, and with the indexes they name. */
import { expect, test } from "vitest";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { loadSample, sampleDocuments, samples } from "./samples.ts";

test.each(samples)("$id is the same every time and has no repeated _id", ({ collections }) => {
  for (const collection of collections) {
    const once = [...sampleDocuments(collection, 1000)];
    expect([...sampleDocuments(collection, 1000)]).toEqual(once);
    expect(new Set(once.map(({ _id }) => _id)).size).toBe(once.length);
    expect(once.length).toBe(Math.round(collection.share * 1000));
  }
});

test.each(samples)("$id says a hundred and has a hundred, after its indexes", async (sample) => {
  const commands: string[] = [];
  let documents = 0;
  const commander = {
    async commandBytes(bytes: Uint8Array) {
      const command = decode(bytes);
      expect(command["$db"]).toBe(sample.database);
      commands.push(Object.keys(command)[0] ?? "");
      documents += ((command["documents"] ?? []) as unknown[]).length;
      return encode({ ok: 1, n: 1 });
    },
  };
  const told: number[] = [];
  expect(await loadSample(commander, sample, 100, new AbortController().signal, (count) => told.push(count))).toBe(
    true,
  );
  expect(documents).toBe(100);
  expect(told.at(-1)).toBe(100);
  expect(commands[0]).toBe("dropDatabase");
  expect(commands.filter((name) => name === "createIndexes")).toHaveLength(
    sample.collections.filter(({ indexes }) => indexes.length > 0).length,
  );
});

test("stopping ends after a batch", async () => {
  const stop = new AbortController();
  const commander = { commandBytes: async () => encode({ ok: 1 }) };
  expect(
    await loadSample(commander, samples[2] ?? never(), 100_000, stop.signal, (count) => count > 3000 && stop.abort()),
  ).toBe(false);
});

function never(): never {
  throw new Error("there is such a sample");
}
