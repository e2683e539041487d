/** Which commands an engine in memory answers at once, and which it holds back. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Document } from "bson";
import { expect, it } from "vitest";
import { loadEngine } from "../engine/load.ts";
import { openInMemory } from "./in-memory.ts";

const wasm = fileURLToPath(new URL("../../wasm/quire_bg.wasm", import.meta.url));

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
