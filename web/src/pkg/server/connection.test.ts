/** Connections over an engine in this thread, without sockets: what a client sends, and what it gets. */
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { fileURLToPath } from "node:url";
import { Binary, Long, type Document } from "bson";
import { beforeAll, describe, expect, it } from "vitest";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { loadEngine } from "../../engine/load.ts";
import { frame, FrameReader, Opcode } from "../../wire/frames.ts";
import { Flag, readMsg } from "../../wire/msg.ts";
import { Engine } from "../engine.ts";
import { Connection } from "./connection.ts";
import { ownUser } from "./users.ts";
import { Client, service, type Answer } from "../../../test/wire-client.ts";
import { addressOf, createServer, serverFault, startServer } from "./server.ts";
import { readServeOptions } from "./serve.ts";

const wasm = fileURLToPath(new URL("../../../wasm/quire_bg.wasm", import.meta.url));
beforeAll(async () => {
  expect(existsSync(wasm), "cargo xtask build").toBe(true);
  await loadEngine(() => readFileSync(wasm));
});

describe("a connection", () => {
  it("answers a hello at once, or later with an answer behind another", async () => {
    const client = new Client(await service());
    const first = await client.ask({ hello: 1, client: { application: { name: "trial" } } });
    expect(first).toMatchObject({
      me: "127.0.0.1:1234",
      primary: "127.0.0.1:1234",
      hosts: ["127.0.0.1:1234"],
      connectionId: 1,
      ok: 1,
    });
    expect(first["saslSupportedMechs"]).toBeUndefined();
    const { processId } = first["topologyVersion"] as Document;
    const topologyVersion = { processId, counter: Long.fromNumber(0) };
    expect(await client.ask({ hello: 1, topologyVersion })).toMatchObject({ code: 31368 });
    client.send({ hello: 1 }, Flag.ExhaustAllowed);
    expect((await client.next()).document).toMatchObject({ code: 51756 });
    const sent = client.send({ hello: 1, topologyVersion, maxAwaitTimeMS: 5 }, Flag.ExhaustAllowed);
    const answers = [await client.next(), await client.next(), await client.next()];
    expect(answers.map(({ more }) => more)).toEqual([true, true, true]);
    expect(answers.map(({ respondsTo }) => respondsTo)).toEqual([sent, answers[0]?.request, answers[1]?.request]);
    client.connection.closed();
  });

  it("streams what a cursor has left where the client takes it", async () => {
    const client = new Client(await service());
    await client.ask({ insert: "many", $db: "a", documents: Array.from({ length: 10 }, (_, _id) => ({ _id })) });
    const { cursor } = await client.ask({ find: "many", $db: "a", batchSize: 3 });
    client.send(
      { getMore: (cursor as Document)["id"], collection: "many", $db: "a", batchSize: 3 },
      Flag.ExhaustAllowed,
    );
    const batches: Answer[] = [];
    do batches.push(await client.next());
    while (batches.at(-1)?.more === true);
    const ids = batches.map(({ document }) => (document["cursor"]["nextBatch"] as Document[]).map(({ _id }) => _id));
    expect(ids.flat()).toEqual([3, 4, 5, 6, 7, 8, 9]);
  });

  it("does what wants no answer, also for a client that is gone", async () => {
    const of = await service();
    const [client, other] = [new Client(of), new Client(of, 2)];
    client.send({ insert: "c", $db: "a", documents: [{ _id: 1 }] }, Flag.MoreToCome);
    client.send({ insert: "c", $db: "a", documents: [{ _id: 2 }] }, Flag.MoreToCome);
    client.connection.closed();
    await client.done;
    expect(await other.ask({ count: "c", $db: "a" })).toMatchObject({ n: 2 });
  });

  it("has others go on while it waits for data, and ends the wait when it is killed or gone", async () => {
    const of = await service();
    const [client, other] = [new Client(of), new Client(of, 2)];
    const opened = await client.ask({ aggregate: "c", $db: "a", pipeline: [{ $changeStream: {} }], cursor: {} });
    const more = { getMore: (opened["cursor"] as Document)["id"], collection: "c", $db: "a", maxTimeMS: 600_000 };
    client.send(more);
    expect(await other.ask({ insert: "c", $db: "a", documents: [{ _id: 1 }] })).toMatchObject({ n: 1 });
    expect((await client.next()).document["cursor"]["nextBatch"]).toMatchObject([{ operationType: "insert" }]);
    client.send(more);
    const { inprog } = await other.ask({ currentOp: 1, op: "getmore" });
    expect(inprog).toMatchObject([{ connectionId: 1, client: "127.0.0.1:5001", ns: "a.c", active: true }]);
    expect(await other.ask({ killOp: 1, op: (inprog as Document[])[0]?.["opid"] })).toMatchObject({ ok: 1 });
    expect((await client.next()).document).toMatchObject({ code: 11601, codeName: "Interrupted" });
    client.send({ ...more });
    client.connection.closed();
    const after = await other.ask({ aggregate: 1, pipeline: [{ $currentOp: {} }, { $count: "n" }], cursor: {} });
    expect(after["cursor"]["firstBatch"]).toEqual([{ n: 1 }]);
  });

  it("tells each client who it is", async () => {
    const of = await service();
    const [client, other] = [new Client(of), new Client(of, 2)];
    expect((await client.ask({ whatsmyuri: 1 }))["you"]).toBe("127.0.0.1:5001");
    expect((await other.ask({ whatsmyuri: 1 }))["you"]).toBe("127.0.0.1:5002");
    expect((await other.ask({ hello: 1 }))["connectionId"]).toBe(2);
  });

  it("tells of the server by the address that the client came to", async () => {
    const client = new Client(await service());
    expect((await client.ask({ replSetGetConfig: 1 }))["config"]).toMatchObject({
      _id: "quire",
      members: [{ _id: 0, host: "127.0.0.1:1234", votes: 1 }],
    });
    expect((await client.ask({ replSetGetStatus: 1 }))["members"]).toMatchObject([
      { _id: 0, name: "127.0.0.1:1234", stateStr: "PRIMARY" },
    ]);
    expect(await client.ask({ getCmdLineOpts: 1 })).toMatchObject({
      argv: ["quiredb", "serve"],
      parsed: { net: { port: 1234 } },
      ok: 1,
    });
    expect(await client.ask({ getCmdLineOpts: 1, $db: "a" })).toMatchObject({ code: 13 });
  });

  it("closes the cursor that a client leaves in the middle of its stream", async () => {
    const of = await service();
    const [client, other] = [new Client(of), new Client(of, 2)];
    await client.ask({ insert: "many", $db: "a", documents: Array.from({ length: 10 }, (_, _id) => ({ _id })) });
    const { cursor } = await client.ask({ find: "many", $db: "a", batchSize: 3 });
    const open = async (): Promise<number> =>
      (await other.ask({ serverStatus: 1 }))["metrics"]["cursor"]["open"]["total"] as number;
    expect(Number(await open())).toBe(1);
    client.send(
      { getMore: (cursor as Document)["id"], collection: "many", $db: "a", batchSize: 1 },
      Flag.ExhaustAllowed,
    );
    await client.next();
    client.connection.closed();
    await client.done;
    expect(Number(await open())).toBe(0);
  });

  it("answers messages one after another, however many come meanwhile", async () => {
    const client = new Client(await service());
    const [first, ...others] = [client.send({ hello: 1 }), client.send({ ping: 1 }), client.send({ ping: 1 })];
    const opened = await client.next();
    const { processId } = opened.document["topologyVersion"] as Document;
    await client.next();
    await client.next();
    // The hello waits, and so do those behind it.
    const waits = client.send({
      hello: 1,
      topologyVersion: { processId, counter: Long.fromNumber(0) },
      maxAwaitTimeMS: 5,
    });
    const behind = Array.from({ length: 5 }, () => client.send({ ping: 1 }));
    const order: number[] = [];
    for (let count = 0; count < 6; count += 1) order.push((await client.next()).respondsTo);
    expect([opened.respondsTo, others.length, order]).toEqual([first, 2, [waits, ...behind]]);
  });

  it("makes one answer for a client that never reads, and takes no more from it", async () => {
    const of = await service();
    const other = new Client(of, 2);
    await other.ask({ insert: "c", $db: "a", documents: [{ _id: 1 }] });
    let sent = 0;
    let drain = (): void => undefined;
    const deaf = new Connection(
      1,
      {
        local: "127.0.0.1:1234",
        remote: "127.0.0.1:5001",
        send: () => {
          sent += 1;
          return new Promise((resolve) => (drain = resolve));
        },
        end: () => undefined,
      },
      of,
    );
    const body = encode({ find: "c", filter: { s: { $ne: "x".repeat(100_000) } }, $db: "a" });
    const message = frame(1, 0, Opcode.Msg, new Uint8Array(5), body);
    const received = Array.from({ length: 12 }, () => deaf.receive(message));
    expect(deaf.isFull).toBe(true);
    expect(await other.ask({ count: "c", $db: "a" })).toMatchObject({ n: 1 });
    expect(sent).toBe(1);
    const { inprog } = await other.ask({ currentOp: 1 });
    expect((inprog as Document[]).map(({ connectionId }) => connectionId as number)).toEqual([2]);
    deaf.closed();
    drain();
    await Promise.all(received);
    expect(sent).toBe(1);
  });

  it("greets a client whose older message wraps its first command", async () => {
    const answers: Uint8Array[] = [];
    const send = (bytes: Uint8Array): null => (answers.push(bytes), null);
    const peer = { local: "127.0.0.1:1234", remote: "127.0.0.1:5001", send, end: () => undefined };
    const connection = new Connection(1, peer, await service());
    const head = Buffer.concat([new Uint8Array(4), Buffer.from("admin.$cmd\0"), new Uint8Array(8)]);
    for (const $query of [{ isMaster: 1 }, { ping: 1 }, 5])
      await connection.receive(
        frame(1, 0, Opcode.Query, head, encode({ $query, $readPreference: { mode: "nearest" } })),
      );
    expect(answers.map((bytes) => decode(bytes.subarray(36)))).toMatchObject([
      { ismaster: true, me: "127.0.0.1:1234", ok: 1 },
      { ok: 0, code: 352 },
      { ok: 0, code: 352 },
    ]);
  });

  it("joins what runs with collections, and writes it to one", async () => {
    const client = new Client(await service());
    await client.ask({ insert: "owners", documents: [{ _id: 1, op: "command", name: "anna" }] });
    const piped = async (...stages: Document[]): Promise<Document[]> => {
      const reply = await client.ask({ aggregate: 1, pipeline: [{ $currentOp: {} }, ...stages], cursor: {} });
      expect(reply, JSON.stringify(reply)).toMatchObject({ ok: 1 });
      return (reply["cursor"] as Document)["firstBatch"] as Document[];
    };
    const look = { $lookup: { from: "owners", localField: "op", foreignField: "op", as: "owners" } };
    expect(await piped(look)).toMatchObject([{ op: "command", owners: [{ name: "anna" }] }]);
    expect(await piped({ $facet: { a: [look] } })).toMatchObject([{ a: [{ owners: [{ name: "anna" }] }] }]);
    expect(await piped({ $unionWith: "owners" })).toMatchObject([{ op: "command" }, { name: "anna" }]);
    expect(
      await piped({ $project: { _id: "$opid", op: 1 } }, { $merge: { into: { db: "shop", coll: "ran" } } }),
    ).toEqual([]);
    expect(await client.ask({ count: "ran", $db: "shop" })).toMatchObject({ n: 1 });
  });

  it("answers what is of another type than it has to be", async () => {
    const client = new Client(await service(ownUser("anna", "secret")));
    const odd = { toString: 1, valueOf: 1 };
    const start = { saslStart: 1, mechanism: "SCRAM-SHA-256", payload: new Binary(Buffer.from("n,,n=anna,r=b")) };
    expect(await client.ask({ saslStart: 1 })).toMatchObject({ code: 40414 });
    expect(await client.ask({ ...start, mechanism: odd })).toMatchObject({ code: 14 });
    expect(await client.ask({ ...start, payload: odd })).toMatchObject({ code: 18 });
    expect(await client.ask({ ...start, payload: new Binary(Buffer.from("n,,m=x,n=anna,r=b")) })).toMatchObject({
      code: 18,
    });
    expect(await client.ask({ ...start, options: null })).toMatchObject({ done: false });
    expect(await client.ask({ saslContinue: 1, conversationId: odd, payload: "" })).toMatchObject({ code: 17 });
    for (const attempt of [null, { ...start, db: odd }, { ...start, mechanism: odd }]) {
      const greeting = await client.ask({ hello: 1, speculativeAuthenticate: attempt });
      expect([greeting["ok"], greeting["speculativeAuthenticate"]]).toEqual([1, undefined]);
    }
    expect(await new Client(await service()).ask({ currentOp: 1, $all: odd })).toMatchObject({ ok: 1 });
    expect(client.ended).toBe(false);
  });

  it("refuses what a server refuses", async () => {
    const client = new Client(await service());
    expect(await client.ask({ killOp: 1, $db: "a", op: 1 })).toMatchObject({ code: 13 });
    expect(await client.ask({ killOp: 1 })).toMatchObject({ ok: 0 });
    expect(await client.ask({ currentOp: 1, $nothing: 1 })).toMatchObject({ ok: 0 });
    expect(await client.ask({ aggregate: 1, pipeline: [{ $currentOp: { a: 1 } }], cursor: {} })).toMatchObject({
      code: 40415,
    });
    expect(await client.ask({ constructor: 1 })).toMatchObject({ code: 59 });
    let deep: Document = {};
    for (let level = 0; level < 150; level += 1) deep = { a: deep };
    expect(await client.ask({ insert: "c", $db: "a", documents: [deep] })).toMatchObject({ n: 1 });
    expect(await client.ask({ insert: "c", $db: "a", documents: [{ a: { a: { a: { a: deep } } } }] })).toBeDefined();
    expect(client.ended).toBe(false);
    await client.done;
    await client.connection.receive(frame(1, 0, 2006, new Uint8Array(8)));
    expect(client.ended).toBe(true);
  });
});

it("ends a connection at most by 2000 spoilt messages", async () => {
  const of = await service();
  let state = 77;
  const next = (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  const commands = [
    { hello: 1, client: { application: { name: "x" } }, compression: ["zlib"], saslSupportedMechs: "a.b" },
    { insert: "c", documents: [{ _id: 1, a: [{ b: 1 }, "x"] }], $db: "a" },
    { aggregate: 1, pipeline: [{ $currentOp: { idleConnections: true } }], cursor: {}, $db: "admin" },
    { killOp: 1, op: 1, $db: "admin" },
    { saslStart: 1, mechanism: "SCRAM-SHA-256", payload: new Binary(Buffer.from("n,,n=a,r=b")), $db: "admin" },
    { find: "c", filter: { a: { $elemMatch: { b: 1 } } }, $db: "a" },
  ];
  let ended = 0;
  for (let turn = 0; turn < 2000; turn += 1) {
    const client = new Client(of);
    const bytes = frame(1, 0, Opcode.Msg, new Uint8Array(5), encode(commands[next(commands.length)] as Document));
    for (let times = 1 + next(4); times > 0; times -= 1) bytes[next(bytes.length)] = next(256);
    const done = client.connection.receive(bytes);
    // A hello that waits ends with its connection.
    client.connection.closed();
    await done.catch((error: unknown) => {
      throw new Error(`turn ${turn}`, { cause: error });
    });
    if (client.ended) ended += 1;
  }
  expect(ended).toBeGreaterThan(50);
  expect(await new Client(of).ask({ ping: 1 })).toMatchObject({ ok: 1 });
});

it("serves others beside a client that never reads, and closes all the same", async () => {
  const engine = await Engine.create();
  engine.run({ insert: "c", documents: [{ _id: 1, s: "x".repeat(4 << 20) }], $db: "a" });
  const server = await createServer({ port: 0, engine });
  const message = (command: Document): Uint8Array => frame(1, 0, Opcode.Msg, new Uint8Array(5), encode(command));
  const deaf = connect(server.port, server.host).on("error", () => undefined);
  const closed = once(deaf, "close");
  deaf.pause();
  for (let times = 0; times < 16; times += 1) deaf.write(message({ find: "c", $db: "a" }));
  const other = connect(server.port, server.host);
  other.write(message({ getCmdLineOpts: 1, $db: "admin" }));
  const [bytes] = (await once(other, "data")) as [Uint8Array];
  expect(decode(new Uint8Array(bytes).subarray(21))).toMatchObject({
    argv: ["quiredb", "serve", "--port", String(server.port), "--host", "127.0.0.1"],
    parsed: { net: { bindIp: "127.0.0.1", port: server.port }, replication: { replSet: "quire" } },
  });
  await server.close();
  deaf.resume();
  await closed;
  engine.close();
});

it("goes by the address where it listens, wherever a server names itself", async () => {
  const server = await createServer({ port: 0, thread: "this" });
  const { port } = server;
  const name = `127.0.0.1:${port}`;
  const socket = connect(port, server.host);
  const reader = new FrameReader();
  const ask = async (command: Document): Promise<Document> => {
    socket.write(
      frame(
        1,
        0,
        Opcode.Msg,
        new Uint8Array(5),
        encode({ ...command, $db: (command["$db"] as string | undefined) ?? "shop" }),
      ),
    );
    for (;;) {
      const answer = reader.next();
      if (answer !== null) return decode(readMsg(answer).command);
      const [bytes] = (await once(socket, "data")) as [Uint8Array];
      reader.push(new Uint8Array(bytes));
    }
  };
  const first = async (pipeline: Document[], aggregate: unknown = "teas", $db = "shop"): Promise<Document> => {
    const { cursor } = await ask({ aggregate, pipeline, cursor: {}, $db });
    return (cursor as { firstBatch: Document[] }).firstBatch[0] as Document;
  };
  await ask({ insert: "teas", documents: [1, 2, 3, 4].map((_id) => ({ _id, a: _id, b: 1 })) });
  const indexes = ["a", "b"].map((field) => ({ key: { [field]: 1 }, name: field }));
  await ask({ createIndexes: "teas", indexes });
  for (let times = 0; times < 3; times += 1) await ask({ find: "teas", filter: { a: { $gt: 1 }, b: 1 } });
  expect(await ask({ explain: { find: "teas" } })).toMatchObject({ serverInfo: { host: "127.0.0.1", port } });
  const piped = { aggregate: "teas", pipeline: [{ $group: { _id: 1 } }], cursor: {} };
  expect(await ask({ explain: piped })).toMatchObject({ serverInfo: { host: "127.0.0.1", port } });
  expect(await first([{ $indexStats: {} }])).toMatchObject({ host: name });
  expect(await first([{ $collStats: { count: {} } }])).toMatchObject({ host: name });
  expect(await first([{ $planCacheStats: {} }])).toMatchObject({ host: name });
  // Within another pipeline, which is another way to the same documents.
  const joined = [{ $limit: 1 }, { $lookup: { from: "teas", pipeline: [{ $collStats: { count: {} } }], as: "stats" } }];
  expect(await first(joined)).toMatchObject({ stats: [{ host: name }] });
  expect(await first([{ $currentOp: {} }], 1, "admin")).toMatchObject({ host: name });
  expect(await ask({ serverStatus: 1 })).toMatchObject({ host: name });
  expect(await ask({ hostInfo: 1 })).toMatchObject({ system: { hostname: name } });
  expect(await ask({ dbHash: 1 })).toMatchObject({ host: name });
  expect(await ask({ hello: 1 })).toMatchObject({ me: name, hosts: [name], primary: name });
  expect(await ask({ replSetGetConfig: 1, $db: "admin" })).toMatchObject({ config: { members: [{ host: name }] } });
  expect(await ask({ replSetGetStatus: 1, $db: "admin" })).toMatchObject({ members: [{ name }] });
  socket.destroy();
  await server.close();
});

it("ends a connection that begins with TLS, and tells why once", async () => {
  const told: string[] = [];
  const server = await startServer(
    { port: 0, thread: "this" },
    async () => undefined,
    (text) => told.push(text),
  );
  for (let times = 0; times < 2; times += 1) {
    const secure = connectSecurely({ host: server.host, port: server.port, rejectUnauthorized: false });
    const [error] = (await once(secure, "error").catch((thrown: unknown) => [thrown])) as [Error];
    expect(error).toBeInstanceOf(Error);
    secure.destroy();
  }
  expect(told).toEqual([expect.stringMatching(/tls=true.*leave it out/s)]);
  await server.close();
});

it("listens to other machines only with a password", () => {
  expect(serverFault({ host: "0.0.0.0" })).toContain("0.0.0.0");
  expect(serverFault({ host: "::" })).toContain("needs a user and a password");
  expect(serverFault({ host: "0.0.0.0", user: "a" })).toContain("belong together");
  expect(serverFault({ host: "0.0.0.0", user: "a", password: "b" })).toBeNull();
  for (const host of ["127.0.0.1", "::1", "localhost"]) expect(serverFault({ host })).toBeNull();
  expect([addressOf("::1", 1), addressOf("::ffff:10.0.0.1", 2), addressOf("a", 3)]).toEqual([
    "[::1]:1",
    "10.0.0.1:2",
    "a:3",
  ]);
  expect(serverFault({ port: 65_536 })).toContain("65536");
});

it("reads the words behind serve", () => {
  expect(readServeOptions([])).toEqual({
    port: 27017,
    host: "127.0.0.1",
    user: undefined,
    password: undefined,
    data: undefined,
    imports: [],
  });
  expect(readServeOptions(["--port", "0", "--memory", "--import", "a", "--import", "b"])).toMatchObject({
    port: 0,
    imports: ["a", "b"],
  });
  expect(readServeOptions(["--port", "x"])).toContain("--port");
  expect(readServeOptions(["--port"])).toContain("--port");
  expect(readServeOptions(["--port", "1", "--port", "2"])).toContain("twice");
  expect(readServeOptions(["--memory", "--data", "a"])).toContain("exclude");
  expect(readServeOptions(["--port=0", "--data=a"])).toMatchObject({ port: 0, data: "a" });
  expect(readServeOptions(["--data", ""])).toContain("--data needs a value");
  expect(readServeOptions(["word"])).toContain("word");
  expect(readServeOptions(["--nothing"])).toContain("--nothing");
  expect(readServeOptions(["--host", "0.0.0.0"])).toContain("password");
});
