/** Connections over an engine in this thread, without sockets: what a client sends, and what it gets. */
import { createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Binary, Long, type Document } from "bson";
import { beforeAll, describe, expect, it } from "vitest";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { loadEngine } from "../../engine/load.ts";
import { frame, FrameReader, Opcode } from "../../wire/frames.ts";
import { Flag, flagsOf, readMsg } from "../../wire/msg.ts";
import { Engine } from "../engine.ts";
import { Connection, type Service } from "./connection.ts";
import { Front } from "./front.ts";
import { EngineHere } from "./here.ts";
import { Operations } from "./operations.ts";
import { User } from "./scram.ts";
import { addressOf, serverFault } from "./server.ts";
import { readServeOptions } from "./serve.ts";

const wasm = fileURLToPath(new URL("../../../wasm/quire_bg.wasm", import.meta.url));
beforeAll(async () => {
  expect(existsSync(wasm), "cargo xtask build").toBe(true);
  await loadEngine(() => readFileSync(wasm));
});

async function service(user: User | null = null): Promise<Service> {
  return {
    front: await Front.of(),
    runner: new EngineHere(await Engine.create()),
    operations: new Operations(),
    user,
    compressors: [],
    setName: null,
    clients: [],
    lastReply: null,
  };
}

interface Answer {
  readonly more: boolean;
  readonly respondsTo: number;
  readonly request: number;
  readonly document: Document;
}

class Client {
  readonly connection: Connection;
  readonly #reader = new FrameReader();
  readonly #answers: Answer[] = [];
  #heard: (() => void) | null = null;
  #last = 0;
  ended = false;
  /** Resolves when all that was sent is done. */
  done: Promise<unknown> = Promise.resolve();

  constructor(of: Service, id = 1) {
    this.connection = new Connection(
      id,
      {
        local: "127.0.0.1:1234",
        remote: `127.0.0.1:${5000 + id}`,
        send: (bytes) => {
          this.#reader.push(bytes);
          for (let next = this.#reader.next(); next !== null; next = this.#reader.next())
            this.#answers.push({
              more: (flagsOf(next) & Flag.MoreToCome) !== 0,
              respondsTo: next.respondsTo,
              request: next.request,
              document: decode(readMsg(next).command),
            });
          this.#heard?.();
          return null;
        },
        end: () => {
          this.ended = true;
          this.connection.closed();
        },
      },
      of,
    );
  }

  /** Sends a command; gives its number. */
  send(command: Document, flags = 0): number {
    this.#last += 1;
    const head = new Uint8Array(5);
    new DataView(head.buffer).setUint32(0, flags, true);
    const received = this.connection.receive(
      frame(
        this.#last,
        0,
        Opcode.Msg,
        head,
        encode({ ...command, $db: (command["$db"] as string | undefined) ?? "admin" }),
      ),
    );
    this.done = Promise.all([this.done, received]);
    return this.#last;
  }

  /** The next answer. */
  async next(): Promise<Answer> {
    while (this.#answers.length === 0) await new Promise<void>((resolve) => (this.#heard = resolve));
    return this.#answers.shift() as Answer;
  }

  /** The answer to a command. */
  async ask(command: Document): Promise<Document> {
    this.send(command);
    return (await this.next()).document;
  }
}

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

/** The client's side of SCRAM-SHA-256. */
function proofOf(password: string, first: string, answer: string): { message: string; signature: string } {
  const [, nonce = "", salt = "", rounds = "0"] = /^r=(.*),s=(.*),i=(\d+)$/.exec(answer) ?? [];
  const salted = pbkdf2Sync(password, Buffer.from(salt, "base64"), Number(rounds), 32, "sha256");
  const hmac = (key: Uint8Array, text: string): Buffer => createHmac("sha256", key).update(text).digest();
  const clientKey = hmac(salted, "Client Key");
  const bare = `c=biws,r=${nonce}`;
  const whole = `${first},${answer},${bare}`;
  const signature = hmac(createHash("sha256").update(clientKey).digest(), whole);
  const proof = clientKey.map((byte, at) => byte ^ (signature[at] as number));
  return {
    message: `${bare},p=${Buffer.from(proof).toString("base64")}`,
    signature: `v=${hmac(hmac(salted, "Server Key"), whole).toString("base64")}`,
  };
}

describe("a server with a user", () => {
  const binary = (text: string): Binary => new Binary(Buffer.from(text));
  const text = (payload: unknown): string => Buffer.from((payload as Binary).buffer).toString();
  const first = "n=an=2Cna,r=abc";
  let of: Service;
  beforeAll(async () => {
    of = await service(new User("an,na", "secret"));
  });
  const start = { mechanism: "SCRAM-SHA-256", payload: binary(`n,,${first}`), options: { skipEmptyExchange: true } };
  const goOn = (client: Client, answer: unknown, password: string): Promise<Document> =>
    client.ask({ saslContinue: 1, conversationId: 1, payload: binary(proofOf(password, first, text(answer)).message) });

  it("lets who knows the password in, and proves that it knows it too", async () => {
    const client = new Client(of);
    expect(await client.ask({ find: "c", $db: "a" })).toMatchObject({ code: 13, codeName: "Unauthorized" });
    expect(await client.ask({ ping: 1 })).toMatchObject({ ok: 1 });
    const { payload, done } = await client.ask({ saslStart: 1, ...start });
    expect(done).toBe(false);
    const proven = await goOn(client, payload, "secret");
    expect(proven).toMatchObject({ done: true, ok: 1 });
    expect(text(proven["payload"])).toBe(proofOf("secret", first, text(payload)).signature);
    expect(await client.ask({ find: "c", $db: "a" })).toMatchObject({ ok: 1 });
    const { authInfo } = await client.ask({ connectionStatus: 1 });
    expect(authInfo).toMatchObject({ authenticatedUsers: [{ user: "an,na", db: "admin" }] });
    expect(await new Client(of).ask({ find: "c", $db: "a" })).toMatchObject({ code: 13 });
    await client.ask({ logout: 1 });
    expect(await client.ask({ find: "c", $db: "a" })).toMatchObject({ code: 13 });
  });

  it("lets nobody else in", async () => {
    const client = new Client(of);
    const { payload } = await client.ask({ saslStart: 1, ...start });
    expect(await goOn(client, payload, "wrong")).toMatchObject({ code: 18 });
    expect(await goOn(client, payload, "secret")).toMatchObject({ code: 17 });
    expect(await client.ask({ saslStart: 1, ...start, $db: "a" })).toMatchObject({ code: 18 });
    expect(await client.ask({ saslStart: 1, ...start, payload: binary("n,,n=eve,r=1") })).toMatchObject({ code: 18 });
    expect(await client.ask({ saslStart: 1, ...start, payload: binary("") })).toMatchObject({ code: 18 });
    expect(await client.ask({ saslStart: 1, ...start, mechanism: "PLAIN" })).toMatchObject({ code: 334 });
    expect(await client.ask({ find: "c", $db: "a" })).toMatchObject({ code: 13 });
    expect(await new Client(await service()).ask({ saslStart: 1, ...start })).toMatchObject({ code: 18 });
  });

  it("begins with the first hello", async () => {
    const client = new Client(of);
    const greeting = await client.ask({
      hello: 1,
      saslSupportedMechs: "admin.an,na",
      speculativeAuthenticate: { saslStart: 1, ...start, db: "admin" },
    });
    expect(greeting["saslSupportedMechs"]).toEqual(["SCRAM-SHA-256"]);
    const begun = greeting["speculativeAuthenticate"] as Document;
    expect(begun).toMatchObject({ conversationId: 1, done: false });
    expect(await goOn(client, begun["payload"], "secret")).toMatchObject({ done: true });
    const unknown = await client.ask({
      hello: 1,
      saslSupportedMechs: "admin.eve",
      speculativeAuthenticate: { saslStart: 1, ...start, payload: binary("n,,n=eve,r=1"), db: "admin" },
    });
    expect([unknown["ok"], unknown["saslSupportedMechs"], unknown["speculativeAuthenticate"]]).toEqual([
      1,
      undefined,
      undefined,
    ]);
  });
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
  expect(readServeOptions(["--nothing"])).toContain("--nothing");
  expect(readServeOptions(["--host", "0.0.0.0"])).toContain("password");
});
