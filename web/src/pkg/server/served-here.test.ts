/** A server's own engine in the thread of the sockets, without sockets. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Long, type Document } from "bson";
import { beforeAll, describe, expect, it } from "vitest";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { loadEngine } from "../../engine/load.ts";
import { Engine } from "../engine.ts";
import { ServedHere } from "./served-here.ts";
import { serverFault } from "./server.ts";

const wasm = fileURLToPath(new URL("../../../wasm/quire_bg.wasm", import.meta.url));
beforeAll(async () => {
  expect(existsSync(wasm), "cargo xtask build").toBe(true);
  await loadEngine(() => readFileSync(wasm));
});

const begin = (served: ServedHere, command: Document): ReturnType<ServedHere["start"]> =>
  served.start(encode({ ...command, $db: "garden" }));
const ask = async (served: ServedHere, command: Document): Promise<Document> =>
  decode(await begin(served, command).reply);

/** A `getMore` that waits for minutes. */
async function waiting(served: ServedHere): Promise<ReturnType<ServedHere["start"]>> {
  await ask(served, { create: "log", capped: true, size: 4096 });
  await ask(served, { insert: "log", documents: [{ _id: 1 }] });
  const { cursor } = (await ask(served, { find: "log", tailable: true, awaitData: true })) as {
    cursor: { id: bigint | number };
  };
  return begin(served, { getMore: Long.fromString(String(cursor.id)), collection: "log", maxTimeMS: 600_000 });
}

describe("an engine in the thread of the sockets", () => {
  it("ends what waits for data when it is closed, so that no clock keeps the program alive", async () => {
    const served = await ServedHere.open({});
    const { reply } = await waiting(served);
    const refused = expect(reply).rejects.toThrow("closed");
    await served.close();
    await refused;
  });

  it("answers what waits for data when it is stopped, or when something is written", async () => {
    const served = await ServedHere.open({});
    const stopped = await waiting(served);
    stopped.stop();
    expect(decode(await stopped.reply)).toMatchObject({ ok: 0, code: 11601 });
    const { reply } = await waiting(served);
    await ask(served, { insert: "log", documents: [{ _id: 2 }] });
    expect((decode(await reply)["cursor"] as Document)["nextBatch"]).toHaveLength(1);
    await served.close();
  });
});

describe("options of a server", () => {
  it("are refused where they contradict one another", async () => {
    const engine = await Engine.create({ topology: "standalone" });
    expect(serverFault({ thread: "this", data: "a" })).toContain("thread");
    expect(serverFault({ thread: "own", engine })).toContain("caller's thread");
    expect(serverFault({ replicaSet: "a", engine })).toContain("standalone");
    expect(serverFault({ replicaSet: "a", topology: "standalone" })).toContain("standalone");
    expect(serverFault({ replicaSet: "" })).toContain("empty");
    expect(serverFault({ replicaSet: "a", thread: "this" })).toBeNull();
    engine.close();
  });
});
