/** Which commands an engine in memory answers at once, and which it holds back. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Document } from "bson";
import { expect, it, vi } from "vitest";
import { loadEngine } from "../engine/load.ts";
import { openInMemory } from "./in-memory.ts";

const wasm = fileURLToPath(new URL("../../wasm/quire_bg.wasm", import.meta.url));

// As in a page's own thread: they come later.
vi.mock("./defaults.ts", async (original) => ({
  ...(await original<object>()),
  languagesWasm: () => Promise.resolve(readFileSync(new URL("../../wasm/languages.wasm", import.meta.url))),
}));

it.skipIf(!existsSync(wasm))("holds back each reply that may wait for a change, and no other", async () => {
  await loadEngine(() => readFileSync(wasm));
  const open = await openInMemory({});
  const ending = new AbortController();
  const run = (command: Document): Document | Promise<Document> =>
    open.run("admin", command, { numbers: "typed" }, ending.signal);
  const { topologyVersion } = run({ hello: 1 }) as Document;
  run({ create: "c", capped: true, size: 4096 });
  run({ insert: "c", documents: [{ _id: 1 }] });
  const { cursor } = run({ find: "c", tailable: true, awaitData: true }) as Document;
  const held = [
    run({ hello: 1, topologyVersion, maxAwaitTimeMS: 3_600_000 }),
    run({ isMaster: 1, topologyVersion, maxAwaitTimeMS: 3_600_000 }),
    run({ getMore: cursor.id, collection: "c", maxTimeMS: 3_600_000 }),
  ];
  for (const reply of held) expect(reply).toBeInstanceOf(Promise);
  expect(run({ ping: 1 })).not.toBeInstanceOf(Promise);
  ending.abort();
  for (const reply of await Promise.all(held)) expect(Number(reply["ok"])).toBe(1);
  await open.close();
});

it.skipIf(!existsSync(wasm))(
  "waits for the languages before the first text index, and later commands with it",
  async () => {
    await loadEngine(() => readFileSync(wasm));
    const open = await openInMemory({});
    const run = (command: Document): Document | Promise<Document> =>
      open.run("shop", command, {}, new AbortController().signal);
    run({ insert: "c", documents: [{ _id: 1, text: "running dogs" }] });
    const indexes = [{ key: { text: "text" }, name: "text" }];
    const [created, found] = [
      run({ createIndexes: "c", indexes }),
      run({ find: "c", filter: { $text: { $search: "dog" } } }),
    ];
    expect(created).toBeInstanceOf(Promise);
    expect(await created).toMatchObject({ ok: 1, numIndexesAfter: 2 });
    expect((await found)["cursor"].firstBatch).toMatchObject([{ _id: 1 }]);
    expect(run({ find: "c", filter: { $text: { $search: "run" } } })).not.toBeInstanceOf(Promise);
    await open.close();
  },
);
