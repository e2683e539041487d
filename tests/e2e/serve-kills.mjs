/**
 * Kills servers of a data file (`quiredb serve --data`) at random moments while four clients write over sockets, and
 * has the next server open the file: nothing that was acknowledged with its journal may be lost, and no document be
 * there by half. `node tests/e2e/serve-kills.mjs [--seed N] [--kills N | --minutes N]`.
 *
 * Each client writes into a collection of its own, one command after another: an insert of one or of several documents,
 * an update of an older one, a transaction over two collections, and now and then a delete. What it knows to be
 * acknowledged must be there after the kill; of the one command that was under way, all or nothing.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CLIENTS, padding, randomOf } from "./data-file-steps.mjs";

const { serialize, deserialize, Long, UUID } = createRequire(new URL("../../web/package.json", import.meta.url))(
  "bson",
);
const cli = fileURLToPath(new URL("../../pkg/dist/cli.js", import.meta.url));
const J = { w: "majority", j: true };
const HEADER_BYTES = 21;
const OP_MSG = 2013;

/** A socket that asks one thing after another. */
class Client {
  #socket;
  #bytes = Buffer.alloc(0);
  #heard = null;
  #ended = false;

  static async to(port) {
    const client = new Client();
    client.#socket = connect(port, "127.0.0.1");
    client.#socket.on("data", (bytes) => {
      client.#bytes = Buffer.concat([client.#bytes, bytes]);
      client.#heard?.();
    });
    client.#socket.on("error", () => undefined);
    client.#socket.on("close", () => {
      client.#ended = true;
      client.#heard?.();
    });
    await once(client.#socket, "connect");
    return client;
  }

  /** The reply; null where the server ended first. */
  async ask(command, database = "shop") {
    const body = serialize({ ...command, $db: database });
    const head = Buffer.alloc(HEADER_BYTES);
    head.writeInt32LE(HEADER_BYTES + body.length, 0);
    head.writeInt32LE(1, 4);
    head.writeInt32LE(OP_MSG, 12);
    this.#socket.write(Buffer.concat([head, body]));
    for (;;) {
      const length = this.#bytes.length < 4 ? Infinity : this.#bytes.readInt32LE(0);
      if (this.#bytes.length >= length) {
        const reply = deserialize(this.#bytes.subarray(HEADER_BYTES, length));
        this.#bytes = this.#bytes.subarray(length);
        const refused = reply.writeErrors?.[0] ?? reply.writeConcernError;
        assert.ok(reply.ok === 1 && refused === undefined, JSON.stringify(reply));
        return reply;
      }
      if (this.#ended) return null;
      await new Promise((resolve) => (this.#heard = resolve));
    }
  }

  end() {
    this.#socket.destroy();
  }
}

/** A server of the file; gives its process and its port. */
async function served(path) {
  const child = spawn(process.execPath, [cli, "serve", "--port", "0", "--data", path], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [said, complaint] = ["", ""];
  child.stderr.on("data", (text) => (complaint += text));
  const port = await new Promise((resolve, reject) => {
    child.stdout.on("data", (text) => {
      said += text;
      const [, found] = /:(\d+)\/[\s\S]*Ctrl\+C/.exec(said) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
    child.on("exit", (code) => reject(new Error(`the server ended by itself (${code}): ${complaint}`)));
  });
  child.removeAllListeners("exit");
  return { child, port, complaint: () => complaint };
}

/** What a client may find of its documents: by number, how often each was updated. */
class Ledger {
  /** What was acknowledged. */
  known = new Map();
  /** The same after the command that is under way. */
  next = null;
  last = 0;

  /** A command that makes the documents these. */
  begin(change) {
    this.next = new Map(this.known);
    change(this.next);
  }
  acknowledged() {
    this.known = this.next;
    this.next = null;
  }
  /** Checks what the next server has. */
  meet(found, where) {
    const told = (map) => JSON.stringify([...map].sort(([a], [b]) => a - b));
    const is = told(found);
    assert.ok(
      [this.known, this.next].some((map) => map !== null && told(map) === is),
      `${where}: ${is}`,
    );
    this.known = found;
    this.next = null;
  }
}

/** Writes until the server is gone. */
async function write(client, number, ledger, random, told) {
  const name = `c${number}`;
  const session = { lsid: { id: new UUID() } };
  for (let transaction = 1; ; transaction += 1) {
    const step = ledger.last + 1;
    const kind = random(6);
    const ids = kind === 0 ? Array.from({ length: 2 + random(8) }, (_, at) => step + at) : [step];
    const one = (_id) => ({ _id, n: 0, pad: padding(_id) });
    const older = [...ledger.known.keys()][random(Math.max(1, ledger.known.size))];
    let reply;
    if (kind === 1 && older !== undefined) {
      ledger.begin((map) => map.set(older, map.get(older) + 1));
      const change = { q: { _id: older }, u: { $inc: { n: 1 } } };
      reply = await client.ask({ update: name, updates: [change], writeConcern: J });
    } else if (kind === 2 && ledger.known.size > 40) {
      const gone = [...ledger.known.keys()].sort((a, b) => a - b).slice(0, 20);
      ledger.begin((map) => gone.forEach((id) => map.delete(id)));
      const deletes = [{ q: { _id: { $in: gone } }, limit: 0 }];
      // In one transaction, so that it is all or nothing.
      const within = { ...session, txnNumber: Long.fromNumber(transaction), autocommit: false };
      reply = await client.ask({ delete: name, deletes, ...within, startTransaction: true });
      reply &&= await client.ask({ commitTransaction: 1, ...within, writeConcern: J }, "admin");
    } else {
      ledger.last = ids.at(-1);
      ledger.begin((map) => ids.forEach((id) => map.set(id, 0)));
      const within = { ...session, txnNumber: Long.fromNumber(transaction), autocommit: false };
      if (ids.length === 1) reply = await client.ask({ insert: name, documents: [one(step)], writeConcern: J });
      else {
        reply = await client.ask({ insert: name, documents: ids.map(one), ...within, startTransaction: true });
        reply &&= await client.ask({ commitTransaction: 1, ...within, writeConcern: J }, "admin");
      }
    }
    if (reply === null) return;
    ledger.acknowledged();
    told();
  }
}

/** Reads what a client's collection has, and that it is sound. */
async function read(client, number) {
  const name = `c${number}`;
  const found = new Map();
  let { cursor } = await client.ask({ find: name, batchSize: 1000 });
  for (;;) {
    for (const { _id, n, pad } of cursor.firstBatch ?? cursor.nextBatch) {
      assert.equal(pad, padding(_id), `${name}: ${_id} has other bytes`);
      found.set(_id, n);
    }
    if (cursor.id === 0 || Number(cursor.id) === 0) break;
    ({ cursor } = await client.ask({ getMore: Long.fromValue(cursor.id), collection: name }));
  }
  if (found.size > 0) {
    const { valid, errors } = await client.ask({ validate: name, full: true });
    assert.ok(valid, `${name}: ${JSON.stringify(errors)}`);
  }
  return found;
}

/** Kills so many servers, or for so long; gives how many, and how many commands were acknowledged. */
export async function campaign({ seed, kills = Infinity, until = Infinity }) {
  const random = randomOf(seed);
  const folder = mkdtempSync(join(tmpdir(), "quire-serve-kills-"));
  const path = join(folder, "shop.quire");
  const ledgers = Array.from({ length: CLIENTS }, () => new Ledger());
  let [killed, acknowledged] = [0, 0];
  let server = null;
  try {
    for (;;) {
      server = await served(path);
      const clients = await Promise.all(ledgers.map(() => Client.to(server.port)));
      for (const [number, ledger] of ledgers.entries())
        ledger.meet(await read(clients[number], number), `seed ${seed}, kill ${killed}, client ${number}`);
      if (killed >= kills || Date.now() >= until) break;
      if (killed === 0)
        for (const number of ledgers.keys()) {
          const indexes = ["n", "pad"].map((field) => ({ key: { [field]: "hashed" }, name: field }));
          await clients[0].ask({ createIndexes: `c${number}`, indexes, writeConcern: J });
        }
      const gone = once(server.child, "exit");
      let left = random(8) === 0 ? 1 : 1 + random(160);
      const told = () => {
        acknowledged += 1;
        left -= 1;
        if (left === 0) void pause(random(5)).then(() => server.child.kill("SIGKILL"));
      };
      await Promise.all(clients.map((client, number) => write(client, number, ledgers[number], random, told)));
      const [, signal] = await gone;
      assert.equal(signal, "SIGKILL", `the server ended by itself: ${server.complaint()}`);
      for (const client of clients) client.end();
      killed += 1;
    }
    return { killed, acknowledged };
  } finally {
    server?.child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { seed: { type: "string" }, kills: { type: "string" }, minutes: { type: "string" } },
  });
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`seed ${seed}`);
  const began = performance.now();
  const { killed, acknowledged } = await campaign({
    seed,
    kills: values.kills === undefined && values.minutes === undefined ? 200 : Number(values.kills ?? Infinity),
    until: values.minutes === undefined ? Infinity : Date.now() + Number(values.minutes) * 60_000,
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${killed} kills, ${acknowledged} commands acknowledged, nothing lost, in ${seconds} s`);
}
