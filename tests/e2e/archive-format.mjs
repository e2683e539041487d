/**
 * An archive as mongorestore takes it apart, written from the format and sharing nothing with the page's reader or
 * writer: magic number, prelude, then blocks, each of a header and documents up to four bytes of ones.
 *
 * Invariants: everything mongorestore refuses is refused here: a block of a collection that the prelude does not name
 * or that has ended, documents after the end, a checksum that differs, a collection of the prelude that never ends,
 * bytes that are left over. The metadata is held to canonical Extended JSON, which is how it is read there.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { EJSON, deserialize } = require("bson");

const options = { promoteValues: false };
const ones = 0xffffffff;

/** CRC-64 of ECMA-182, reflected and inverted: bit by bit, so that it has no table to be wrong. */
function checksum(parts) {
  let sum = 0xffffffffffffffffn;
  for (const part of parts) {
    for (const byte of part) {
      sum ^= BigInt(byte);
      for (let bit = 0; bit < 8; bit++) sum = (sum >> 1n) ^ ((sum & 1n) * 0xc96c5795d7870f42n);
    }
  }
  return BigInt.asIntN(64, sum ^ 0xffffffffffffffffn);
}

/**
 * @returns {{ header: object, collections: Map<string, { metadata: object, type: string, documents: Uint8Array[] }> }}
 */
export function readArchive(bytes) {
  let at = 0;
  const word = () => bytes.readUInt32LE(at);
  const document = () => {
    const size = bytes.readInt32LE(at);
    assert.ok(size >= 5 && at + size <= bytes.length, `a document of ${size} bytes at ${at}`);
    assert.equal(bytes[at + size - 1], 0, `the document at ${at} ends with a zero`);
    const one = bytes.subarray(at, at + size);
    at += size;
    return one;
  };
  /** A block: its header, and its documents up to the terminator. */
  const block = () => {
    const header = deserialize(document(), options);
    const bodies = [];
    while (word() !== ones) bodies.push(document());
    at += 4;
    return { header, bodies };
  };

  assert.equal(word(), 0x8199e26d, "the magic number");
  at += 4;
  const prelude = block();
  assert.deepEqual(Object.keys(prelude.header), [
    "concurrent_collections",
    "version",
    "server_version",
    "tool_version",
  ]);
  assert.equal(prelude.header.concurrent_collections._bsontype, "Int32");
  assert.equal(prelude.header.version, "0.1");
  assert.match(prelude.header.server_version, /^8\.\d+\.\d+$/);
  const collections = new Map();
  for (const body of prelude.bodies) {
    const { db, collection, metadata, size, type } = deserialize(body, options);
    assert.ok(["Int32", "Long"].includes(size._bsontype));
    // Canonical text says every number's type, so a plain number is a fault.
    JSON.parse(metadata, (_key, value) => (assert.notEqual(typeof value, "number", metadata), value));
    const described = EJSON.parse(metadata, { relaxed: false });
    assert.equal(described.collectionName, collection);
    assert.match(described.uuid ?? "00".repeat(16), /^[\da-f]{32}$/);
    for (const index of described.indexes)
      assert.ok(typeof index.name === "string" && Object.keys(index.key).length > 0);
    collections.set(`${db}.${collection}`, { metadata: described, type, documents: [], state: "unopened" });
  }
  while (at < bytes.length) {
    const { header, bodies } = block();
    assert.deepEqual(Object.keys(header), ["db", "collection", "EOF", "CRC"]);
    assert.equal(header.CRC._bsontype, "Long");
    const name = `${header.db}.${header.collection}`;
    const collection = collections.get(name);
    assert.ok(collection !== undefined, `${name} is not in the prelude`);
    assert.notEqual(collection.state, "ended", `${name} has ended`);
    collection.state = header.EOF ? "ended" : "open";
    if (header.EOF) {
      assert.equal(bodies.length, 0, `documents after the end of ${name}`);
      assert.equal(header.CRC.toBigInt(), checksum(collection.documents), `the checksum of ${name}`);
    }
    collection.documents.push(...bodies);
  }
  for (const [name, { state }] of collections) assert.equal(state, "ended", `${name} never ends`);
  return { header: prelude.header, collections };
}
