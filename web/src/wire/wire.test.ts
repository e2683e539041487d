/** Messages read and written, whole, in pieces and spoilt. */
import { deflateSync, inflateSync } from "node:zlib";
import type { Document } from "bson";
import { describe, expect, it, onTestFinished } from "vitest";
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { compress, decompress, noop, type Compressor } from "./compressed.ts";
import { crc32c } from "./crc32c.ts";
import { WireError } from "./error.ts";
import { frame, frameOf, FrameReader, MAX_MESSAGE_BYTES, Opcode, viewOf } from "./frames.ts";
import { Flag, readMsg, writeMsg } from "./msg.ts";
import { readQuery, writeReply } from "./query.ts";
import { isTlsHello } from "./tls.ts";

const PLAIN = { moreToCome: false, checksum: false };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const int32 = (...values: readonly number[]): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const sequence = (name: string, documents: readonly Document[], more = 0): Uint8Array => {
  const content = joined(bytes(`${name}\0`), ...documents.map((each) => encode(each)));
  return joined(Uint8Array.of(1), int32(4 + content.length + more), content);
};
const body = (document: Document): Uint8Array => joined(Uint8Array.of(0), encode(document));
const msg = (flags: number, ...sections: readonly Uint8Array[]): Uint8Array =>
  frame(7, 0, Opcode.Msg, int32(flags), ...sections);
const read = (whole: Uint8Array): Document => decode(readMsg(frameOf(whole)).command);
/** The error of a message that is refused, as a code, and whether it ends the connection. */
function refusalOf(work: () => unknown): readonly [code: number, fatal: boolean] {
  try {
    work();
  } catch (error) {
    if (error instanceof WireError) return [error.code, error.fatal];
    throw error;
  }
  throw new Error("it was taken");
}
const zlib: Compressor = {
  name: "zlib",
  id: 2,
  compress: (given) => deflateSync(given),
  decompress: (given, length) => inflateSync(given, { maxOutputLength: Math.max(length, 1) }),
};

describe("frames", () => {
  const messages = [{ ping: 1 }, { find: "teas", text: "x".repeat(5000) }, {}].map((each, index) =>
    writeMsg(index, 0, encode(each), PLAIN),
  );
  const stream = joined(...messages);

  it.each([1, 3, 15, 16, 17, 4000, stream.length])("come whole out of pieces of %i bytes", (size) => {
    const reader = new FrameReader();
    const found: Uint8Array[] = [];
    for (let at = 0; at < stream.length; at += size) {
      reader.push(stream.subarray(at, at + size));
      for (let next = reader.next(); next !== null; next = reader.next()) found.push(next.bytes);
    }
    expect(found.map((each) => [...each])).toEqual(messages.map((each) => [...each]));
    expect(reader.pending).toBe(0);
  });

  it("copy a byte of a long message a few times at most, in whatever pieces it comes", () => {
    const whole = writeMsg(1, 0, encode({ bytes: new Uint8Array(1 << 20) }), PLAIN);
    let copied = 0;
    const { set } = Uint8Array.prototype;
    Uint8Array.prototype.set = function (from: ArrayLike<number>, at?: number): void {
      copied += from.length;
      set.call(this, from, at);
    };
    try {
      const reader = new FrameReader();
      for (let at = 0; at < whole.length; at += 1000) reader.push(whole.subarray(at, at + 1000));
      expect(reader.next()?.bytes.length).toBe(whole.length);
    } finally {
      Uint8Array.prototype.set = set;
    }
    expect(copied).toBeLessThan(3 * whole.length);
  });

  it("take no room for bytes that did not come", () => {
    const reader = new FrameReader();
    reader.push(int32(MAX_MESSAGE_BYTES, 1));
    reader.push(int32(0));
    expect(reader.next()).toBeNull();
    expect(reader.pending).toBe(12);
  });

  it.each([0, -1, 15, MAX_MESSAGE_BYTES + 1, 0x7fffffff])("of %i bytes end the connection", (length) => {
    const reader = new FrameReader();
    reader.push(int32(length));
    expect(refusalOf(() => reader.next())).toEqual([17, true]);
  });
});

describe("OP_MSG", () => {
  it("is written and read, with its flags", () => {
    const whole = msg(Flag.MoreToCome | Flag.ExhaustAllowed, body({ ping: 1, $db: "a" }));
    expect(readMsg(frameOf(whole))).toMatchObject({ moreToCome: true, exhaustAllowed: true, checksum: false });
    expect(read(whole)).toEqual({ ping: 1, $db: "a" });
    const more = writeMsg(1, 2, encode({ ok: 1 }), { moreToCome: true, checksum: false });
    expect(viewOf(more).getUint32(16, true)).toBe(Flag.MoreToCome);
  });

  it("has its sequences as arrays at the end of the command", () => {
    const documents = Array.from({ length: 1234 }, (_, _id) => ({ _id }));
    const whole = msg(0, sequence("documents", documents), body({ insert: "c", $db: "a" }), sequence("none", []));
    expect(read(whole)).toEqual({ insert: "c", $db: "a", documents, none: [] });
  });

  it("is checked by its checksum, and answered with one", () => {
    expect(crc32c(bytes("123456789"))).toBe(0xe3069283);
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    const whole = writeMsg(1, 0, encode({ ping: 1 }), { moreToCome: false, checksum: true });
    expect(readMsg(frameOf(whole))).toMatchObject({ checksum: true });
    expect(read(whole)).toEqual({ ping: 1 });
    whole[30] = 7;
    expect(refusalOf(() => read(whole))).toEqual([346, true]);
  });

  it("is refused as a server refuses it", () => {
    const ping = body({ ping: 1 });
    const told: readonly [Uint8Array, number, boolean][] = [
      [msg(1 << 3, ping), 227, true],
      [msg(0, ping, ping), 40430, false],
      [msg(0, ping, sequence("a", []), sequence("a", [])), 40431, false],
      [msg(0, ping, Uint8Array.of(2)), 40432, false],
      [msg(0, ping, sequence("ping", [])), 40433, false],
      [msg(0), 40587, false],
      [msg(0, sequence("a", [{}])), 40587, false],
      [msg(0, ping.subarray(0, 4)), 22, false],
      [msg(0, ping, sequence("a", [], 1)), 22, false],
      [msg(Flag.ChecksumPresent), 17, true],
      [frame(1, 0, Opcode.Msg), 17, true],
    ];
    for (const [whole, code, fatal] of told) expect(refusalOf(() => read(whole))).toEqual([code, fatal]);
  });
});

describe("OP_QUERY", () => {
  const query = (namespace: string, document: Uint8Array): Uint8Array =>
    frame(1, 0, Opcode.Query, int32(0), bytes(`${namespace}\0`), int32(0, -1), document);

  it("is read as a command, and answered", () => {
    const { database, command } = readQuery(frameOf(query("admin.$cmd", encode({ isMaster: 1 }))));
    expect([database, decode(command)]).toEqual(["admin", { isMaster: 1 }]);
    const reply = writeReply(2, 1, encode({ ok: 1 }), false);
    expect([viewOf(reply).getInt32(8, true), decode(reply.subarray(36))]).toEqual([1, { ok: 1 }]);
  });

  it("is refused where it reads a collection, or ends too early", () => {
    expect(refusalOf(() => readQuery(frameOf(query("a.b", encode({})))))).toEqual([5739101, false]);
    expect(refusalOf(() => readQuery(frameOf(query("a.$cmd", int32(99)))))).toEqual([17, true]);
    expect(refusalOf(() => readQuery(frameOf(frame(1, 0, Opcode.Query))))).toEqual([17, true]);
  });
});

describe("OP_COMPRESSED", () => {
  const whole = writeMsg(1, 0, encode({ find: "c", text: "x".repeat(1000) }), PLAIN);
  it("is packed and unpacked", () => {
    for (const compressor of [zlib, noop]) {
      const found = decompress(frameOf(compress(whole, compressor)), [zlib, noop]);
      expect([...found.frame.bytes]).toEqual([...whole]);
      expect(found.compressor.name).toBe(compressor.name);
    }
  });

  it("is refused where it is of another kind, or longer than it says", () => {
    const spoilt = (at: number, value: number): Uint8Array => {
      const packed = compress(whole, zlib);
      viewOf(packed).setInt32(at, value, true);
      return packed;
    };
    const wrong = [spoilt(16, Opcode.Compressed), spoilt(20, 100), spoilt(20, 5000), spoilt(20, -1), spoilt(25, 0)];
    for (const each of [...wrong, frame(1, 0, Opcode.Compressed)])
      expect(refusalOf(() => decompress(frameOf(each), [zlib]))).toEqual([17, true]);
    expect(refusalOf(() => decompress(frameOf(compress(whole, zlib)), [noop]))).toEqual([17, true]);
  });
});

/** A generator of whole numbers from a seed (xorshift). */
function random(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** How many spoilt messages, and which; `QUIRE_FRAMES` and `QUIRE_SEED` for more. */
const FRAMES = Number(process.env["QUIRE_FRAMES"] ?? 100_000);
const SEED = Number(process.env["QUIRE_SEED"] ?? 20_241);

it("tells a TLS handshake from a message whose length begins with the same bytes", () => {
  const hello = Uint8Array.from([0x16, 3, 1, 0, 0xc5, 1, 0, 0, 0xc1, 3, 3, ...new Array<number>(190).fill(0x5a)]);
  expect(isTlsHello(hello)).toBe(true);
  expect(isTlsHello(hello.subarray(0, 9))).toBe(false);
  // 0x010316 bytes, and as many of them as come first.
  const message = frame(0x0100, 0, Opcode.Msg, new Uint8Array(0x010316 - 16));
  expect([...message.subarray(0, 6)]).toEqual([0x16, 3, 1, 0, 0, 1]);
  expect(isTlsHello(message)).toBe(false);
});

it(`ends no program by ${FRAMES} spoilt messages`, { timeout: FRAMES / 10 }, () => {
  const next = random(SEED);
  const packed = compress(writeMsg(1, 0, encode({ ping: 1 }), PLAIN), zlib);
  const whole = [
    msg(0, sequence("documents", [{ _id: 1 }, { a: "b" }]), body({ insert: "c", $db: "a" })),
    writeMsg(1, 0, encode({ find: "c", filter: { a: [{ b: 1 }] } }), { moreToCome: false, checksum: true }),
    frame(1, 0, Opcode.Query, int32(0), bytes("admin.$cmd\0"), int32(0, -1), encode({ isMaster: 1 })),
  ];
  let taken = 0;
  // Most are refused, and nobody reads where.
  const { stackTraceLimit } = Error;
  onTestFinished(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  Error.stackTraceLimit = 0;
  for (let turn = 0; turn < FRAMES; turn += 1) {
    // Unpacking takes longest.
    const spoilt = (next(50) === 0 ? packed : (whole[next(whole.length)] as Uint8Array)).slice();
    for (let times = next(4); times > 0; times -= 1) spoilt[next(spoilt.length)] = next(3) === 0 ? 0xff : next(256);
    const reader = new FrameReader();
    const cut = next(spoilt.length + 1);
    try {
      reader.push(spoilt.subarray(0, cut));
      let found = reader.next();
      if (found === null) reader.push(spoilt.subarray(cut));
      found ??= reader.next();
      if (found === null) continue;
      if (found.opcode === Opcode.Compressed) ({ frame: found } = decompress(found, [zlib, noop]));
      if (found.opcode === Opcode.Query) readQuery(found);
      else readMsg(found);
      taken += 1;
    } catch (error) {
      if (!(error instanceof WireError)) throw new Error(`turn ${turn}`, { cause: error });
    }
  }
  expect(taken).toBeGreaterThan(FRAMES / 10);
});
