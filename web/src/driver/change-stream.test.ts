/** `watch()` of the driver over replies that are given here: order, tokens, resuming, events. */
import { Long, type Document } from "bson";
import { describe, expect, it } from "vitest";
import { recorded } from "../../test/recorded.ts";
import type { MongoClient } from "./client.ts";

const token = (name: string): Document => ({ _data: name });
const event = (name: string): Document => ({ _id: token(name), operationType: "insert" });
const batch = (field: string, events: Document[], last: string, id = 7): Document => ({
  cursor: { [field]: events, postBatchResumeToken: token(last), id: Long.fromNumber(id), ns: "test.c" },
  ok: 1,
});
const failed = (code: number): Document => ({ ok: 0, code, codeName: "No", errmsg: "no" });

/** A client that is answered by these replies, and the commands that it sent. */
function answered(...replies: Document[]): { client: MongoClient; sent: Document[] } {
  const next = (): Document => replies.shift() ?? batch("nextBatch", [], "end", 0);
  const { client, commands } = recorded({}, { aggregate: next, getMore: next });
  return { client, sent: commands };
}

describe("a change stream", () => {
  it("gives events in their order, with the token to go on behind each", async () => {
    const { client, sent } = answered(
      batch("firstBatch", [event("a"), event("b")], "b"),
      batch("nextBatch", [], "c"),
      batch("nextBatch", [event("d")], "d"),
    );
    const stream = client
      .db()
      .collection("c")
      .watch([{ $match: {} }], { fullDocument: "updateLookup", batchSize: 5 });
    expect(await stream.next()).toEqual(event("a"));
    expect(stream.resumeToken).toEqual(token("a"));
    expect(await stream.tryNext()).toEqual(event("b"));
    expect(stream.resumeToken).toEqual(token("b"));
    expect(await stream.tryNext()).toBeNull();
    expect(stream.resumeToken).toEqual(token("c"));
    expect(await stream.hasNext()).toBe(true);
    expect(await stream.next()).toEqual(event("d"));
    expect(sent[0]).toMatchObject({
      aggregate: "c",
      pipeline: [{ $changeStream: { fullDocument: "updateLookup" } }, { $match: {} }],
    });
    await stream.close();
    expect(stream.closed).toBe(true);
    expect("killCursors" in (sent.at(-1) as Document)).toBe(true);
    await expect(stream.next()).rejects.toThrow("ChangeStream is closed");
  });

  it("goes on behind the last event where an error lets it", async () => {
    const { client, sent } = answered(
      batch("firstBatch", [event("a")], "a"),
      failed(43),
      batch("firstBatch", [event("b")], "b"),
      failed(286),
    );
    const stream = client.watch([], { startAfter: token("before") });
    const seen: unknown[] = [];
    await expect(
      (async () => {
        for await (const change of stream) seen.push(change);
      })(),
    ).rejects.toMatchObject({ code: 286 });
    expect(seen).toEqual([event("a"), event("b")]);
    const stages = sent
      .filter((command) => "aggregate" in command)
      .map((command) => (command["pipeline"] as Document[])[0]);
    expect(stages).toEqual([
      { $changeStream: { allChangesForCluster: true, startAfter: token("before") } },
      { $changeStream: { allChangesForCluster: true, resumeAfter: token("a") } },
    ]);
    expect(stream.closed).toBe(true);
  });

  it("tells its listeners, and ends with the cursor", async () => {
    const { client } = answered(batch("firstBatch", [event("a")], "a"), batch("nextBatch", [event("b")], "b", 0));
    const stream = client.db("d").watch();
    const told: unknown[] = [];
    await new Promise<void>((resolve) => {
      stream.on("change", (change) => told.push(change));
      stream.on("resumeTokenChanged", (changed) => told.push(changed));
      stream.on("end", () => told.push("end"));
      stream.on("close", resolve);
    });
    expect(told).toEqual([token("a"), event("a"), token("b"), event("b"), "end"]);
    await expect(stream.next()).rejects.toThrow("as an iterator after being used as an EventEmitter");
  });
});
