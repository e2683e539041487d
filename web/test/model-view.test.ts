/**
 * The model that is read of a database, against an engine: what refers to what, how often, and what is no reference.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Document,
} from "bson";
import { beforeEach, describe, expect, test } from "vitest";
import { listCollections } from "../src/client/catalog.ts";
import { decode } from "../src/codec/decode.ts";
import { encode } from "../src/codec/encode.ts";
import { loadEngine } from "../src/engine/load.ts";
import { Engine } from "../src/pkg/engine.ts";
import { createShell } from "../src/pkg/shell.ts";
import { loadSample, samples } from "../src/state/data/samples.ts";
import type { FoundReference, Model, ModelCollection } from "../src/state/model-view/model.ts";
import { readModel, type Progress } from "../src/state/model-view/reading.ts";
import { apply, check, isDescribed, schemaFor, scriptFor } from "../src/state/model-view/validators.ts";

const wasm = fileURLToPath(new URL("../wasm/quire_bg.wasm", import.meta.url));

describe.skipIf(!existsSync(wasm))("models of databases", () => {
  let engine: Engine;
  const page = { commandBytes: (bytes: Uint8Array) => Promise.resolve(engine.command(bytes)) };
  const command = (database: string, document: Document): Document => {
    const reply = decode(engine.command(encode({ ...document, $db: database })));
    expect(reply["ok"], JSON.stringify(reply)).toBe(1);
    return reply;
  };
  const catalog = { command: (database: string, document: Document) => Promise.resolve(command(database, document)) };

  beforeEach(async () => {
    await loadEngine(() => readFileSync(wasm));
    engine = await Engine.create({});
  });

  async function read(
    database: string,
    { kept = new Set<string>(), signal = new AbortController().signal, progress = (_: Progress) => {} } = {},
  ): Promise<Model> {
    let model: Model | null = null;
    const listed = await listCollections(catalog, database);
    await readModel(page, database, listed, kept, { signal, progress, came: (now) => (model = now) });
    if (model === null) throw new Error("nothing came");
    return model;
  }
  const line = ({ from, path, to, key, isLikely }: FoundReference): string =>
    `${from}.${path} -> ${to}.${key}${isLikely ? "" : " ?"}`;
  const lines = ({ references }: Model): readonly string[] => references.map(line).sort();

  test("the sample data: keys that count from one are believed by their names only", async () => {
    for (const sample of samples) await loadSample(page, sample, 100, new AbortController().signal, () => {});
    const found = await Promise.all(samples.map(({ database }) => read(database)));
    expect(found.map((model) => lines(model).filter((text) => !text.endsWith("?")))).toEqual([
      ["orders.customer -> customers._id", "orders.lines[].product -> products._id"],
      ["posts.author -> authors._id"],
      ["readings.station -> stations._id"],
    ]);
    const [garden] = found;
    // Counted a second time, by hand.
    const orders = command("garden_shop", { find: "orders", batchSize: 1000 })["cursor"].firstBatch as Document[];
    const per = (values: readonly number[]): readonly number[] => {
      const counts = new Map(Array.from({ length: 20 }, (_, n) => [n + 1, 0]));
      for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
      return [...counts.values()].sort((one, other) => one - other);
    };
    const products = per(
      orders.flatMap(({ lines }) => [...new Set((lines as Document[]).map(({ product }) => product))]),
    );
    expect(garden?.references.find(({ to, isLikely }) => to === "products" && isLikely)?.cardinality).toMatchObject({
      kind: "few-to-many",
      children: {
        least: products[0],
        median: ((products[9] ?? 0) + (products[10] ?? 0)) / 2,
        most: products[19],
      },
      targets: 20,
      dangling: 0,
    });
    expect(garden?.collections.map(({ name, count, isWhole }) => [name, count, isWhole])).toEqual([
      ["customers", 10, true],
      ["orders", 70, true],
      ["products", 20, true],
    ]);
  });

  test("ids, arrays of them, DBRefs, UUIDs, unique fields, trees, and values that dangle", async () => {
    const id = Array.from({ length: 6 }, () => new ObjectId());
    const insert = (name: string, documents: readonly Document[]): void =>
      void command("shop", { insert: name, documents });
    insert("users", [
      { _id: id[0], slug: "ada" },
      { _id: id[1], slug: "bo" },
      { _id: id[2], slug: "cy" },
    ]);
    command("shop", { createIndexes: "users", indexes: [{ key: { slug: 1 }, name: "slug_1", unique: true }] });
    // The same keys in another collection: details of one user each.
    insert("user_details", [{ _id: id[0] }, { _id: id[1] }]);
    insert("groups", [
      { _id: "a", members: [id[0], id[1], id[0]], owner: "ada" },
      { _id: "b", members: [id[0], id[5]], owner: "bo" },
      { _id: "c", members: [], owner: "nobody" },
      { _id: "d", members: null },
    ]);
    insert("notes", [
      { _id: 1, by: { $ref: "users", $id: id[1] }, nested: { deep: [{ who: [id[2]] }, { who: [id[2], id[0]] }] } },
      { _id: 2, parent: 1, by: { $ref: "users", $id: id[4] } },
      { _id: 3, parent: 1 },
    ]);
    command("shop", { create: "seen", viewOn: "groups", pipeline: [] });
    command("shop", { create: "log", capped: true, size: 4096 });
    const model = await read("shop");
    expect(lines(model)).toEqual([
      "groups.members[] -> users._id",
      "groups.owner -> users.slug",
      "notes.by -> users._id",
      "notes.nested.deep[].who[] -> users._id",
      "notes.parent -> notes._id",
      "user_details._id -> users._id",
    ]);
    const of = (path: string, from: string) =>
      model.references.find((one) => one.path === path && one.from === from)?.cardinality;
    expect(of("members[]", "groups")).toEqual({
      kind: "few-to-many",
      // Twice in one group counts once; one user is in no group.
      children: { least: 0, median: 1, most: 2 },
      parents: { least: 0, median: 1, most: 2 },
      targets: 3,
      alone: 1,
      values: 3,
      uses: 4,
      dangling: 1,
      danglingUses: 1,
    });
    expect(of("by", "notes")).toMatchObject({ kind: "one-to-one", values: 2, dangling: 1, alone: 2 });
    expect(of("nested.deep[].who[]", "notes")).toMatchObject({ values: 2, dangling: 0 });
    expect(of("owner", "groups")).toMatchObject({ values: 3, dangling: 1, targets: 3, alone: 1 });
    expect(of("parent", "notes")).toMatchObject({ kind: "one-to-few", children: { least: 0, median: 0, most: 2 } });
    expect(of("_id", "user_details")).toMatchObject({ kind: "one-to-one", targets: 3, alone: 1 });
    expect(model.collections.map(({ name, kind, source, count }) => [name, kind, source, count])).toEqual([
      ["groups", "collection", null, 4],
      ["log", "capped", null, 0],
      ["notes", "collection", null, 3],
      ["seen", "view", "groups", 4],
      ["user_details", "collection", null, 2],
      ["users", "collection", null, 3],
    ]);
  });

  test("names that are data, one number, and texts among numbers make no references", async () => {
    const documents = Array.from({ length: 500 }, (_, n) => ({
      _id: n,
      byDay: { [`day${n}`]: n },
      parts: [n % 3, "x"],
      ...Object.fromEntries(Array.from({ length: 40 }, (_, k) => [`count${k}`, n % 9])),
    }));
    command("odd", { insert: "wide", documents });
    command("odd", { insert: "x", documents: [{ _id: "x" }, { _id: 1 }] });
    const model = await read("odd");
    expect(model.references.filter(({ isLikely }) => isLikely)).toEqual([]);
    expect(model.references.some(({ path }) => path.startsWith("byDay"))).toBe(false);
    // Weak matches are not listed without end.
    expect([model.references.length <= 60, model.references.length + model.untold >= 40]).toEqual([true, true]);
  });

  test("all documents are counted, not only those of the sample, and reading can be stopped", async () => {
    const documents = Array.from({ length: 2500 }, (_, n) => ({
      _id: new Int32(n),
      ...(n === 2499 ? { odd: "x" } : {}),
    }));
    command("wide", { insert: "many", documents });
    command("wide", { insert: "few", documents: [{ _id: 1 }] });
    const told: string[] = [];
    const model = await read("wide", {
      progress: ({ step, collection, done }) => void told.push(`${step} ${collection} ${done}`),
    });
    const many = model.collections.find(({ name }) => name === "many");
    expect([many?.documents, many?.count, many?.isWhole]).toEqual([2500, 2500, true]);
    expect(many?.fields.map(({ path, present }) => [path, present])).toEqual([
      ["_id", 2500],
      ["odd", 1],
    ]);
    expect(told.filter((line) => line.startsWith("count"))).toEqual([
      "count many 0",
      "count many 1000",
      "count many 2000",
      "count many 2500",
    ]);
    const asked: string[] = [];
    const commandBytes = page.commandBytes;
    page.commandBytes = (bytes) => {
      asked.push(Object.keys(decode(bytes))[0] ?? "");
      return commandBytes(bytes);
    };
    const stop = new AbortController();
    const stopped = await read("wide", {
      signal: stop.signal,
      progress: ({ step, done }) => step === "count" && done === 1000 && stop.abort(),
    });
    page.commandBytes = commandBytes;
    // The cursor is closed.
    expect(asked.at(-1)).toBe("killCursors");
    expect(stopped.collections.find(({ name }) => name === "many")).toMatchObject({
      documents: 1000,
      count: 2500,
      isWhole: false,
    });
  });

  test("a collection that is dropped meanwhile is empty, and none at all is a model too", async () => {
    command("gone", { insert: "here", documents: [{ _id: 1 }] });
    const listed = await listCollections(catalog, "gone");
    command("gone", { drop: "here" });
    let model: Model | null = null;
    await readModel(page, "gone", listed, new Set(), {
      signal: new AbortController().signal,
      progress: () => {},
      came: (now) => (model = now),
    });
    expect(model).toMatchObject({ collections: [{ name: "here", count: 0, failure: null }], references: [] });
    expect(await read("nowhere")).toEqual({
      database: "nowhere",
      collections: [],
      references: [],
      isSearched: true,
      untold: 0,
    });
  });

  test("validators accept every document they were made from, and refuse others", async () => {
    const values: Document = {
      double: new Double(1.5),
      int: new Int32(1),
      long: Long.fromString("5000000000"),
      decimal: Decimal128.fromString("0.5"),
      text: "x",
      yes: true,
      nothing: null,
      when: new Date(0),
      id: new ObjectId(),
      bytes: new Binary(new Uint8Array([1]), 0),
      pattern: new BSONRegExp("a", "i"),
      code: new Code("f"),
      stamp: new Timestamp({ t: 1, i: 1 }),
      least: new MinKey(),
      most: new MaxKey(),
      symbol: new BSONSymbol("s"),
      ref: new DBRef("all", new ObjectId()),
      nested: { inner: [{ deep: new Int32(1), optional: "x" }, { deep: new Int32(2) }], more: [[new Int32(1)], []] },
      empty: [],
      none: {},
      __proto__x: 1,
      "odd name": 1,
      "dotted.name": 1,
    };
    command("rules", {
      insert: "all",
      documents: [
        { _id: 1, ...values },
        { _id: "two", nested: { inner: [] } },
      ],
    });
    command("rules", {
      insert: "many",
      documents: Array.from({ length: 1500 }, (_, n) => ({ _id: n, ...(n === 700 ? {} : { often: "x" }), always: n })),
    });
    command("rules", { create: "nothing" });
    const model = await read("rules");
    const [all, many, nothing] = model.collections;
    if (all === undefined || many === undefined || nothing === undefined) throw new Error("collections");
    expect([all, many, nothing].map(isDescribed)).toEqual([true, true, false]);
    expect(schemaFor(many, { anyNumber: false })).toEqual({
      title: "many",
      bsonType: "object",
      required: ["_id", "always"],
      properties: { _id: { bsonType: "int" }, often: { bsonType: "string" }, always: { bsonType: "int" } },
    });
    // A part says nothing of the others.
    expect(schemaFor({ ...many, isWhole: false }, { anyNumber: true })).not.toHaveProperty("required");
    expect(schemaFor(all, { anyNumber: true })["properties"]).toMatchObject({
      _id: { bsonType: ["number", "string"] },
      nested: {
        bsonType: "object",
        required: ["inner"],
        properties: {
          inner: { items: { bsonType: "object", required: ["deep"], properties: { deep: { bsonType: "number" } } } },
        },
      },
    });
    const described: readonly ModelCollection[] = [all, many];
    for (const anyNumber of [true, false])
      for (const collection of described) {
        expect(await check(page, "rules", collection, { anyNumber })).toMatchObject({ failing: 0 });
        expect(await apply(page, "rules", collection, { anyNumber })).toMatchObject({ failing: 0 });
        // Every document is written once more under the validator.
        const name = collection.name;
        command("rules", { update: name, updates: [{ q: {}, u: { $set: { again: anyNumber } }, multi: true }] });
        const refused = (document: Document): boolean =>
          decode(engine.command(encode({ insert: name, documents: [document], $db: "rules" })))["writeErrors"] !==
          undefined;
        if (collection === many) {
          expect(refused({ _id: 9001 })).toBe(true);
          expect(refused({ _id: 9002, always: "text" })).toBe(true);
          expect(refused({ _id: 9003, always: new Double(1.5) })).toBe(!anyNumber);
          expect(refused({ _id: anyNumber ? 9004 : 9005, always: 1, further: true })).toBe(false);
        } else {
          expect(refused({ _id: 3, nested: { inner: [{ optional: "no deep" }] } })).toBe(true);
          expect(refused({ _id: 4, nested: { inner: "no array" } })).toBe(true);
        }
        command("rules", { collMod: name, validator: {} });
        command("rules", { delete: name, deletes: [{ q: { _id: { $gt: 9000 } }, limit: 0 }] });
      }
    // Documents that came since are counted against it, and it is not applied.
    command("rules", { insert: "many", documents: [{ _id: "late" }, { _id: "later", always: 1 }] });
    expect(await apply(page, "rules", many, { anyNumber: true })).toEqual({
      documents: 1502,
      failing: 2,
      example: "late",
    });
    const listed = await listCollections(catalog, "rules");
    expect(listed.find(({ name }) => name === "many")?.options["validator"] ?? {}).toEqual({});
  });

  test("the script of validators runs in the shell", async () => {
    command("odd-names", { insert: "a-b", documents: [{ _id: 1, "x y": "t", "it's": [{ q: 1 }] }] });
    const model = await read("odd-names");
    const script = scriptFor(
      "odd-names",
      model.collections,
      { anyNumber: true },
      {
        head: "Rules",
        about: () => "what\nbreaks lines",
      },
    );
    const shell = createShell(engine, { database: "test" });
    const { error } = shell.evaluate(script);
    expect(error, script).toBeUndefined();
    const [{ options } = { options: {} as Document }] = await listCollections(catalog, "odd-names");
    expect(options["validator"]).toEqual({
      $jsonSchema: schemaFor(model.collections[0] as ModelCollection, { anyNumber: true }),
    });
  });
});
