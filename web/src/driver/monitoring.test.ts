/** The events of a client's commands. */
import type { Document } from "bson";
import { expect, test } from "vitest";
import { recorded } from "../../test/recorded.ts";
import type { MongoClient } from "./client.ts";

/** Every event of a client, by its name and the command's. */
function heard(client: MongoClient): [string, Document][] {
  const events: [string, Document][] = [];
  for (const name of ["commandStarted", "commandSucceeded", "commandFailed"] as const)
    client.on(name, (event: object) => events.push([name, event]));
  return events;
}

test("a command is told of when it starts and when it ends", async () => {
  const { client } = recorded({ monitorCommands: true }, { drop: { ok: 0, code: 26, errmsg: "ns not found" } });
  const events = heard(client);
  await client.db("d").collection("c").insertOne({ _id: 1 });
  await expect(client.db("d").command({ drop: "c" })).rejects.toThrow("ns not found");
  expect(
    events.map(([name, { commandName, databaseName, requestId }]) => [name, commandName, databaseName, requestId]),
  ).toEqual([
    ["commandStarted", "insert", "d", 1],
    ["commandSucceeded", "insert", "d", 1],
    ["commandStarted", "drop", "d", 2],
    ["commandFailed", "drop", "d", 2],
  ]);
  expect(events[0]?.[1]).toMatchObject({
    address: "quire://shop",
    command: { insert: "c", documents: [{ _id: 1 }], $db: "d" },
  });
  expect(events[1]?.[1]).toMatchObject({ reply: { ok: 1, n: 1 } });
  expect(events[1]?.[1]["duration"]).toBeGreaterThanOrEqual(0);
  expect(String(events[3]?.[1]["failure"])).toBe("MongoServerError: ns not found");
});

test("a command that cannot be written as BSON is told of as failed", async () => {
  const { client } = recorded({ monitorCommands: true });
  const events = heard(client);
  const circle: Document = {};
  circle["self"] = circle;
  await expect(client.db("d").collection("c").insertOne(circle)).rejects.toThrow();
  expect(events.map(([name]) => name)).toEqual(["commandStarted", "commandFailed"]);
});

test("without the option nothing is told", async () => {
  const { client } = recorded();
  const events = heard(client);
  await client.db("d").command({ ping: 1 });
  expect(events).toEqual([]);
});

test("listeners come once, go, and are refused by the name of an event that there is not", async () => {
  const { client } = recorded({ monitorCommands: true });
  const names: string[] = [];
  const keep = (): number => names.push("kept");
  client.once("commandStarted", () => names.push("once")).on("commandStarted", keep);
  expect(client.listenerCount("commandStarted")).toBe(2);
  await client.db("d").command({ ping: 1 });
  await client.db("d").command({ ping: 1 });
  expect(names).toEqual(["once", "kept", "kept"]);
  client.off("commandStarted", keep);
  expect(client.listenerCount("commandStarted")).toBe(0);
  await client.db("d").command({ ping: 1 });
  expect(names.length).toBe(3);
  client.on("commandFailed", keep).removeAllListeners();
  expect(client.listenerCount("commandFailed")).toBe(0);
  expect(() => client.on("serverOpening" as never, keep)).toThrow('there is no event "serverOpening" here');
  expect(() => client.on("commandStarted", undefined as never)).toThrow("a listener is a function");
});

test("a listener that throws ends neither the command nor another listener", async () => {
  const { client } = recorded({ monitorCommands: true });
  const thrown: unknown[] = [];
  const catcher = (error: unknown): number => thrown.push(error);
  const others = process.rawListeners("uncaughtException");
  process.removeAllListeners("uncaughtException").on("uncaughtException", catcher);
  try {
    let isTold = false;
    client.on("commandStarted", () => {
      throw new Error("of a listener");
    });
    client.on("commandStarted", () => {
      isTold = true;
    });
    expect(await client.db("d").command({ ping: 1 })).toMatchObject({ ok: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    expect([isTold, thrown.map(String)]).toEqual([true, ["Error: of a listener"]]);
  } finally {
    process.off("uncaughtException", catcher);
    for (const other of others) process.on("uncaughtException", other as NodeJS.UncaughtExceptionListener);
  }
});

test("a client tells when it was opened and when it was closed, without monitoring", async () => {
  const { client } = recorded();
  const told: unknown[] = [];
  client.on("open", (opened) => told.push(opened)).on("close", () => told.push("close"));
  await client.close();
  expect(told).toEqual([]);
  await client.connect();
  await client.connect();
  expect(told).toEqual([client]);
  await client.close();
  await client.connect();
  expect(told).toEqual([client, "close", client]);
});
