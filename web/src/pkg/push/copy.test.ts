/**
 * Copies between two engines, of which the far one also loses replies, alters documents, refuses and calls itself a
 * sharded cluster. MongoDB's own driver between them is tried in `tests/toolchains/push.test.mjs`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Binary, BSONRegExp, DBRef, Decimal128, Double, Int32, Long, ObjectId, Timestamp, type Document } from "bson";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { nameOf } from "../../codec/members.ts";
import { loadEngine } from "../../engine/load.ts";
import { ask, cursorOf, type Commander } from "../../state/data/ask.ts";
import { withDocuments } from "../../state/data/bytes.ts";
import { Lost } from "../data/driver-place.ts";
import { documentOf, element } from "../data/lossless.ts";
import { Engine } from "../engine.ts";
import { copied, planned, standsInTheWay, told, type CopyOptions } from "./copy.ts";
import { documentsOf } from "./copying.ts";
import { deploymentAt, indexesOf } from "./places.ts";
import { Progress } from "./progress.ts";
import { readWish } from "./shard-key.ts";
import { StateFile, statePath } from "./state-file.ts";

const folder = mkdtempSync(join(tmpdir(), "quire-copy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const never = new AbortController().signal;

type Run = (command: Uint8Array) => Promise<Uint8Array>;
interface Place extends Commander {
  ask(database: string, command: Document): Promise<Document>;
}

/** A deployment; `between` has the commands before the engine has them. */
async function deployment(between?: (command: Document, bytes: Uint8Array, run: Run) => Promise<Uint8Array>) {
  const engine = await Engine.create();
  const run: Run = async (bytes) => engine.command(bytes);
  const commander: Commander = {
    commandBytes: between === undefined ? run : (bytes) => between(decode(bytes, { numbers: "typed" }), bytes, run),
  };
  const plain: Commander = { commandBytes: run };
  return { ...commander, ask: (database: string, command: Document) => ask(plain, database, command) } satisfies Place;
}

interface Done {
  readonly lines: string[];
  readonly problems: number;
}

async function copy(from: Commander, to: Commander, more: Partial<CopyOptions> = {}): Promise<Done> {
  const lines: string[] = [];
  const screen = { write: (text: string) => void lines.push(text.trimEnd()), columns: undefined, now: () => 0 };
  const options: CopyOptions = {
    from: { place: from, name: "here" },
    to: { place: to, name: "there" },
    here: "from",
    database: null,
    drop: false,
    wishes: [],
    far: await deploymentAt(to),
    state: new StateFile(null, "", new Date(0)),
    followed: false,
    progress: new Progress(screen),
    signal: never,
    ...more,
  };
  const plan = await planned(options);
  const obstacle = standsInTheWay(plan, "there", options.drop);
  if (obstacle !== null) throw new Error(obstacle);
  lines.push(...plan.notes);
  const { problems } = await copied(plan, options);
  return { lines, problems };
}

async function bytesAt(place: Commander, database: string, name: string): Promise<string[]> {
  const found: string[] = [];
  const collection = { database, name, isCapped: false, type: "collection" };
  for await (const batch of documentsOf(place, collection, null, never))
    found.push(...batch.map((document) => Buffer.from(document).toString("hex")));
  return found;
}

const int = (name: string, value: number): Uint8Array => element(0x10, name, Uint8Array.of(value, 0, 0, 0));
let garden: Place;

beforeAll(async () => {
  await loadEngine(() => readFile(new URL("../../../wasm/quire_bg.wasm", import.meta.url)));
  garden = await deployment();
  const documents = [
    { _id: new Int32(1), a: new Double(1), b: Long.fromNumber(1), c: Decimal128.fromString("1.10") },
    { _id: "text", at: new Date(5), time: new Timestamp({ t: 1, i: 2 }), words: new BSONRegExp("a", "ix") },
    { _id: new ObjectId(), link: new DBRef("teas", new ObjectId(), "shop", { more: 1 }) },
    { _id: { z: 1, a: 2 }, bytes: new Binary(new Uint8Array([1]), 128), list: [[new Double(2)], {}] },
    { _id: null },
    { _id: new Date(7) },
  ].map((document) => encode(document));
  documents.push(documentOf([int("_id", 3), int("2", 2), int("1", 1), int("a", 1), int("a", 2)]));
  documents.push(documentOf([int("_id", 4), element(0x02, "s", Uint8Array.of(2, 0, 0, 0, 0xff, 0))]));
  await garden.commandBytes(withDocuments({ insert: "teas", $db: "garden" }, "documents", documents));
  await garden.ask("garden", { create: "log", capped: true, size: 8192, max: 20 });
  await garden.ask("garden", { insert: "log", documents: Array.from({ length: 30 }, (_, n) => ({ _id: 100 - n })) });
  await garden.ask("garden", { create: "names", collation: { locale: "en", strength: 2 } });
  await garden.ask("garden", { insert: "names", documents: [{ _id: "b" }, { _id: "A" }] });
  await garden.ask("garden", {
    create: "clustered",
    clusteredIndex: { key: { _id: 1 }, unique: true },
    expireAfterSeconds: 100,
  });
  await garden.ask("garden", { insert: "clustered", documents: [{ _id: new Date() }, { _id: "a" }] });
  await garden.ask("garden", { create: "checked" });
  await garden.ask("garden", { insert: "checked", documents: [{ _id: 1, price: "free" }] });
  await garden.ask("garden", {
    collMod: "checked",
    validator: { $jsonSchema: { properties: { price: { bsonType: "int" } } } },
    validationAction: "error",
  });
  await garden.ask("garden", { create: "cheap", viewOn: "teas", pipeline: [{ $match: { a: { $lt: 5 } } }] });
  await garden.ask("garden", {
    createIndexes: "teas",
    indexes: [
      { key: { at: 1 }, name: "at", expireAfterSeconds: 1 },
      { key: { a: 1, b: -1 }, name: "ab", sparse: true },
      { key: { "$**": 1 }, name: "all", wildcardProjection: { a: 0 } },
      { key: { c: 1 }, name: "c", unique: true, partialFilterExpression: { c: { $gt: 0 } }, hidden: true },
    ],
  });
  await garden.ask("admin", { setParameter: 1, ttlMonitorEnabled: false });
});

const listed = async (place: Commander, name: string): Promise<Document[]> => {
  const { documents } = cursorOf(await ask(place, name, { listCollections: 1 }));
  return documents.map(({ name: each, type, options }) => ({ name: each, type, options }) as Document);
};

describe("a copy", () => {
  test("has all bytes, options, indexes and views; what lets documents expire is behind the comparison", async () => {
    const names: string[] = [];
    const far = await deployment((command, bytes, run) => {
      const [name = ""] = Object.keys(command);
      names.push(name === "createIndexes" ? String(((command["indexes"] as Document[])[0] as Document)["name"]) : name);
      return run(bytes);
    });
    const { problems, lines } = await copy(garden, far);
    const sent = names.splice(0);
    expect([problems, lines]).toEqual([
      0,
      [
        "garden.checked: 1 document, compared",
        "garden.clustered: 2 documents, compared",
        "garden.log: 20 documents, compared",
        "garden.names: 2 documents, compared",
        "garden.teas: 8 documents, 4 indexes, compared",
        "garden.cheap: a view",
      ],
    ]);
    for (const name of ["teas", "names", "clustered", "checked", "log"])
      expect(await bytesAt(far, "garden", name)).toEqual(await bytesAt(garden, "garden", name));
    const order = cursorOf(await far.ask("garden", { find: "log" })).documents.map(({ _id }) => Number(_id));
    expect(order).toEqual(Array.from({ length: 20 }, (_, n) => 90 - n));
    expect(await listed(far, "garden")).toEqual(await listed(garden, "garden"));
    const specifications = async (place: Commander) =>
      (await indexesOf(place, "garden", "teas"))
        .map(({ specification }) => decode(specification))
        .sort((one, other) => String(one["name"]).localeCompare(String(other["name"])));
    expect(await specifications(far)).toEqual(await specifications(garden));
    expect(sent.filter((name) => ["ab", "all", "c", "at"].includes(name))).toEqual(["ab", "all", "c", "at"]);
    expect(sent.lastIndexOf("find")).toBeLessThan(sent.indexOf("ab"));
    expect(sent.indexOf("collMod")).toBeGreaterThan(sent.indexOf("find"));
  });

  test("leaves what is there alone, unless it is to be dropped", async () => {
    const far = await deployment();
    await far.ask("garden", { insert: "teas", documents: [{ _id: "mine" }] });
    await expect(copy(garden, far)).rejects.toThrow("there has garden.teas already: --drop replaces what is there");
    expect(await bytesAt(far, "garden", "teas")).toHaveLength(1);
    expect((await copy(garden, far, { drop: true })).problems).toBe(0);
    expect(await bytesAt(far, "garden", "teas")).toEqual(await bytesAt(garden, "garden", "teas"));
  });

  test("names a database that is not there, and the one that is meant", async () => {
    await expect(copy(garden, await deployment(), { database: "gardn" })).rejects.toThrow(
      "here has no database gardn: is garden meant?",
    );
    await expect(copy(garden, await deployment(), { database: "accounts" })).rejects.toThrow(
      "here has no database accounts: there is garden",
    );
  });

  test("that is refused a collection tells it by name, and copies the others", async () => {
    const far = await deployment(async (command, bytes, run) =>
      command["create"] === "log"
        ? encode({ ok: 0, code: 72, codeName: "InvalidOptions", errmsg: "capped collections are not for this tier" })
        : run(bytes),
    );
    const { problems, lines } = await copy(garden, far);
    expect(problems).toBe(1);
    expect(lines).toContain("garden.log: capped collections are not for this tier");
    expect(lines).toContain("garden.teas: 8 documents, 4 indexes, compared");
  });

  test("that is not the same is an error with the namespace", async () => {
    const others = async (spoil: (far: Place) => Promise<unknown>) => {
      const far: Place = await deployment(async (command, bytes, run) => {
        const reply = await run(bytes);
        if (command["insert"] === "names") await spoil(far);
        return reply;
      });
      return copy(garden, far);
    };
    const fewer = await others((far) =>
      far.ask("garden", { delete: "names", deletes: [{ q: { _id: "b" }, limit: 1 }] }),
    );
    expect(fewer.lines).toContain("garden.names: 2 documents were sent, and 1 is there");
    const altered = await others((far) =>
      far.ask("garden", { update: "names", updates: [{ q: { _id: "b" }, u: { $set: { x: 1 } } }] }),
    );
    expect([altered.problems, altered.lines.find((line) => line.startsWith("garden.names"))]).toEqual([
      1,
      "garden.names: as many documents are there as were read, but they are not the same: somebody else writes there",
    ]);
  });

  test("tells the key that a unique index refuses", async () => {
    const far: Place = await deployment(async (command, bytes, run) => {
      if (command["createIndexes"] === "teas")
        await far.ask("garden", { insert: "teas", documents: [{ c: 7 }, { c: 7 }] });
      return run(bytes);
    });
    const { lines } = await copy(garden, far);
    expect(lines.find((line) => line.startsWith("garden.teas"))).toMatch(
      /^garden\.teas: the index c is refused: E11000 duplicate key error .* dup key: { c: 7 }$/,
    );
  });
});

describe("many documents", () => {
  let many: Place;
  beforeAll(async () => {
    many = await deployment();
    for (let from = 0; from < 12_000; from += 4000)
      await many.ask("shop", {
        insert: "orders",
        documents: Array.from({ length: 4000 }, (_, n) => ({ _id: from + n, n })),
      });
  });

  test("go in a few batches at a time", async () => {
    let [flying, most] = [0, 0];
    const far = await deployment(async (command, bytes, run) => {
      if (command["insert"] === undefined) return run(bytes);
      flying += 1;
      most = Math.max(most, flying);
      await new Promise((resolve) => setImmediate(resolve));
      const reply = await run(bytes);
      flying -= 1;
      return reply;
    });
    expect((await copy(many, far)).problems).toBe(0);
    expect(most).toBe(4);
  });

  test("are there once where replies are lost", async () => {
    let lost = 0;
    const far = await deployment(async (command, bytes, run) => {
      const reply = await run(bytes);
      if (command["insert"] === undefined || (lost += 1) % 3 !== 0) return reply;
      throw new Lost("the connection broke");
    });
    expect(await copy(many, far)).toEqual({ problems: 0, lines: ["shop.orders: 12,000 documents, compared"] });
  });

  test("go on where they stopped, and only there", async () => {
    const path = statePath(join(folder, "shop.quire"), "push", "mongodb://ada:secret@far/shop?w=1", null);
    let left = 9;
    let inserts = 0;
    const far = await deployment(async (command, bytes, run) => {
      if (command["insert"] !== undefined) {
        inserts += 1;
        if (left === 0) throw new Lost("the far side is gone");
        left -= 1;
      }
      return run(bytes);
    });
    await expect(copy(many, far, { state: new StateFile(path, "", new Date(0)) })).rejects.toThrow("is gone");
    expect(readFileSync(path, "utf8")).not.toMatch(/secret/);
    left = 100;
    inserts = 0;
    const state = new StateFile(path, "", new Date(0));
    expect(state.resumes).toBe(true);
    expect((await copy(many, far, { state })).lines).toEqual(["shop.orders: 12,000 documents, compared"]);
    expect(inserts).toBe(3);
    // Somebody has changed what was sent before.
    state.kept.collections["shop.orders"] = {
      ...(state.kept.collections["shop.orders"] as NonNullable<(typeof state.kept.collections)[string]>),
      digest: "0".repeat(64),
      done: false,
    };
    expect((await copy(many, far, { state })).lines).toEqual([
      "shop.orders: the documents here are no longer those that were sent before",
    ]);
    state.remove();
    expect(existsSync(path)).toBe(false);
  });

  test("are never mixed with a collection that somebody else made meanwhile", async () => {
    const path = join(folder, "other.quire.push");
    const far = await deployment();
    const state = new StateFile(path, "", new Date(0));
    state.kept.collections["shop.orders"] = { uuid: "00", documents: 0, digest: "", last: null, done: false };
    await far.ask("shop", { insert: "orders", documents: [{ _id: 1, n: "other" }] });
    await expect(copy(many, far, { state })).rejects.toThrow("there has shop.orders already");
  });
});

describe("--shard-key", () => {
  let shop: Place;
  const sharding: Document[] = [];
  const steps: string[] = [];
  let cluster: Place;
  beforeAll(async () => {
    // The shop of the lesson "Choosing a shard key".
    shop = await deployment();
    const documents = Array.from({ length: 3000 }, (_, at) => ({
      number: at,
      customer: at % 5 === 0 ? "wholesale" : `customer${(at * 7919) % 300}`,
      country: ["DE", "FR", "NL"][at % 3],
      placed: new Date(at * 900_000),
      tags: at === 5 ? ["a"] : "a",
    }));
    await shop.ask("shop", { insert: "orders", documents });
    await shop.ask("shop", { createIndexes: "orders", indexes: [{ key: { customer: 1, number: 1 }, name: "cn" }] });
    cluster = await deployment(async (command, bytes, run) => {
      const name = nameOf(bytes);
      if (name === "insert" || name === "createIndexes") steps.push(name);
      if (name === "hello") return encode({ ok: 1, msg: "isdbgrid" });
      if (name !== "shardCollection" && name !== "enableSharding") return run(bytes);
      sharding.push(command);
      steps.push(name);
      return encode({ ok: 1 });
    });
  });
  const wish = (text: string) => {
    const read = readWish(text);
    if (typeof read === "string") throw new Error(read);
    return read;
  };
  const planOf = async (text: string, to: Commander): Promise<readonly string[]> => {
    const plan = await planned({
      from: { place: shop, name: "here" },
      to: { place: to, name: "there" },
      here: "from",
      database: null,
      drop: false,
      wishes: [wish(text)],
      far: await deploymentAt(to),
      state: new StateFile(null, "", new Date(0)),
      followed: false,
      progress: new Progress({ write: () => undefined, columns: undefined, now: () => 0 }),
      signal: never,
    });
    return told(plan, false);
  };

  test("judges a key as the lesson does", async () => {
    expect((await planOf("shop.orders=customer,number", cluster)).slice(1)).toEqual([
      "shop.orders: shard key { customer: 1, number: 1 }",
    ]);
    const warned = async (key: string) => (await planOf(`shop.orders=${key}`, cluster)).slice(2).join();
    expect(await warned("country")).toMatch(/few values: it has 3 values/);
    expect(await warned("customer")).toMatch(/a frequent value: 20 % of the documents have "wholesale"/);
    expect(await warned("placed")).toMatch(/begins with placed, which only grows/);
    expect(await warned("placed:hashed")).toBe("");
    await expect(planOf("shop.orders=tags", cluster)).rejects.toThrow(
      "a field of it has arrays, in 1 document of those looked at",
    );
    await expect(planOf("shop.order=customer", cluster)).rejects.toThrow("no such collection");
  });

  test("shards the collection before its documents come, by the key that is recommended", async () => {
    sharding.length = 0;
    steps.length = 0;
    const { problems, lines } = await copy(shop, cluster, { wishes: [wish("shop.orders")] });
    expect(problems).toBe(0);
    // By the name that it has here: the cluster would make one of another name.
    expect(steps).toEqual(["createIndexes", "shardCollection", "insert", "insert", "insert", "createIndexes"]);
    expect(lines[0]).toMatch(/^shop\.orders: shard key { customer: 1, number: 1 }, since an index says/);
    expect(sharding).toEqual(
      [
        {
          shardCollection: "shop.orders",
          key: { customer: 1, number: 1 },
          collation: { locale: "simple" },
          $db: "admin",
        },
      ].map((one) => decode(encode(one), { numbers: "typed" })),
    );
  });

  test("says that a replica set has no shards", async () => {
    expect((await planOf("shop.orders", await deployment())).at(-1)).toBe(
      "  the far side is a replica set and no sharded cluster: the collection is not sharded there",
    );
  });

  test.each([
    ["orders=customer", /DATABASE\.COLLECTION/],
    ["shop.orders=", /DATABASE\.COLLECTION/],
    ["shop.orders=customer:-1", /customer is 1 or hashed/],
    ["shop.orders=a:hashed,b:hashed", /one field of a shard key may be hashed/],
    ["shop.orders={customer:1", /no JSON/],
  ])("%s is no key", (text, words) => {
    expect(readWish(text)).toMatch(words);
  });

  test("a unique index has to begin with the key", async () => {
    await shop.ask("shop", { createIndexes: "orders", indexes: [{ key: { number: 1 }, name: "u", unique: true }] });
    await expect(planOf("shop.orders=customer", cluster)).rejects.toThrow(
      "the unique index u does not begin with { customer: 1 }: each shard can only watch over its own documents",
    );
    await shop.ask("shop", { dropIndexes: "orders", index: "u" });
  });
});
