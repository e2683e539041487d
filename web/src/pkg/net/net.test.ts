/** Sockets that end in an engine, and what stands in the place of Node's modules. */
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inspect as nodeInspect } from "node:util";
import type { Document } from "bson";
import { beforeAll, describe, expect, it } from "vitest";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { loadEngine } from "../../engine/load.ts";
import { FrameReader } from "../../wire/frames.ts";
import { readMsg, writeMsg } from "../../wire/msg.ts";
import { Engine } from "../engine.ts";
import { connect, isIP, listen } from "../net.ts";
import * as standIns from "./node.ts";
import { process as pageProcess } from "./process.ts";
import type { Socket } from "./socket.ts";

const wasm = fileURLToPath(new URL("../../../wasm/quire_bg.wasm", import.meta.url));
beforeAll(async () => {
  expect(existsSync(wasm), "cargo xtask build").toBe(true);
  await loadEngine(() => readFileSync(wasm));
});

async function opened(host: string): Promise<Socket> {
  const socket = connect({ host, port: 27017 }) as Socket;
  await once(socket, "connect");
  return socket;
}
async function ask(socket: Socket, command: Document): Promise<Document> {
  const reader = new FrameReader();
  socket.write(writeMsg(1, 0, encode({ ...command, $db: "shop" }), { moreToCome: false, checksum: false }));
  for (;;) {
    const [bytes] = (await once(socket, "data")) as [Uint8Array];
    reader.push(new Uint8Array(bytes));
    const frame = reader.next();
    if (frame !== null) return decode(readMsg(frame).command);
  }
}
const closed = async (socket: Socket): Promise<void> => {
  socket.destroy();
  await once(socket, "close");
};

describe("a socket", () => {
  it("ends in the deployment of its host, which all sockets there share until the last is closed", async () => {
    const [one, two] = await Promise.all([opened("Herbs"), opened("herbs")]);
    await ask(one, { insert: "a", documents: [{ _id: 1 }] });
    expect(await ask(two, { count: "a" })).toMatchObject({ ok: 1, n: 1 });
    expect(await ask(two, { hello: 1 })).toMatchObject({ hosts: ["herbs:27017"], me: "herbs:27017" });
    expect((await ask(one, { whatsmyuri: 1 }))["you"]).not.toBe((await ask(two, { whatsmyuri: 1 }))["you"]);
    const other = await opened("spices");
    expect(await ask(other, { count: "a" })).toMatchObject({ n: 0 });
    await closed(one);
    expect(await ask(two, { count: "a" })).toMatchObject({ n: 1 });
    await Promise.all([closed(two), closed(other)]);
    const again = await opened("herbs");
    expect(await ask(again, { count: "a" })).toMatchObject({ n: 0 });
    await closed(again);
  });

  it("ends in an engine that was given for its host, which stays its giver's", async () => {
    const engine = await Engine.create();
    const end = listen("own", engine);
    expect(() => listen("OWN", engine)).toThrow("there is a deployment at OWN already");
    const socket = await opened("own");
    await ask(socket, { insert: "a", documents: [{}, {}] });
    await closed(socket);
    expect(engine.run({ count: "a", $db: "shop" })).toMatchObject({ n: 2 });
    end();
    engine.close();
  });

  it("greets as the engine does that was given", async () => {
    const engine = await Engine.create({ topology: "standalone" });
    const end = listen("alone", engine);
    const socket = await opened("alone");
    expect(await ask(socket, { hello: 1 })).not.toHaveProperty("setName");
    await closed(socket);
    end();
    engine.close();
  });

  it("is closed by bytes that are no message, alone", async () => {
    const [one, two] = await Promise.all([opened("herbs"), opened("herbs")]);
    one.write(new Uint8Array(16).fill(0x7f));
    await once(one, "close");
    expect(await ask(two, { ping: 1 })).toMatchObject({ ok: 1 });
    await closed(two);
  });

  it("is no socket of a machine's files", async () => {
    const socket = connect({ path: "/tmp/mongodb.sock" }) as Socket;
    const [error] = (await once(socket, "error")) as [Error];
    expect(error.message).toContain("/tmp/mongodb.sock");
  });

  it("goes on where a reader was slow, with all that was sent", async () => {
    const socket = await opened("slow");
    const text = "x".repeat(300_000);
    await ask(socket, { insert: "a", documents: [{ text }] });
    socket.pause();
    const find = encode({ find: "a", $db: "shop" });
    for (let request = 1; request <= 8; request += 1)
      socket.write(writeMsg(request, 0, find, { moreToCome: false, checksum: false }));
    const reader = new FrameReader();
    let answers = 0;
    for await (const bytes of socket) {
      reader.push(new Uint8Array(bytes as Uint8Array));
      for (let frame = reader.next(); frame !== null; frame = reader.next()) answers += 1;
      if (answers === 8) break;
    }
    expect(answers).toBe(8);
  });

  it("tells addresses from names", () => {
    expect(["127.0.0.1", "::1", "shop", "a.b.c.d"].map(isIP)).toEqual([4, 6, 0, 0]);
  });
});

describe("what stands in the place of Node's", () => {
  it("words values as Node does, of one line", () => {
    class Tea {
      name = "mint";
    }
    const circle: Document = { a: [1, "b", null] };
    for (const value of [{ a: { b: [] }, "c-d": 1n }, [1, [2]], new Tea(), /a/g])
      expect(standIns.inspect(value)).toBe(nodeInspect(value));
    expect(standIns.inspect(new Map([["a", new Set(["x"])]]))).toBe("Map { 'a' => Set { 'x' } }");
    circle["self"] = circle;
    expect(standIns.inspect(circle)).toBe("{ a: [ 1, 'b', null ], self: [Circular] }");
    expect(standIns.inspect({ [standIns.inspect.custom]: () => "said" })).toBe("said");
    expect(standIns.format("a", { b: 1 })).toBe("a { b: 1 }");
  });

  it("does what a page can, and says what it cannot", async () => {
    expect(standIns.randomBytes(16)).toHaveLength(16);
    expect(await standIns.promisify(standIns.randomBytes as never)(4)).toHaveLength(4);
    expect(standIns.domainToASCII("bücher.example")).toBe("xn--bcher-kva.example");
    expect(() => standIns.createHash()).toThrow("crypto.createHash is Node's");
    await expect(standIns.promises.resolveSrv()).rejects.toThrow("a mongodb+srv address: its DNS is Node's");
    const [seconds, nanos] = pageProcess.hrtime(pageProcess.hrtime());
    expect([seconds, nanos < 1e9]).toEqual([0, true]);
  });
});
