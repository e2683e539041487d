/**
 * The model that is read of a database, against an engine: what refers to what, how often, and what is no reference.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Int32, ObjectId, type Document } from "bson";
import { beforeEach, describe, expect, test } from "vitest";
import { listCollections } from "../src/client/catalog.ts";
import { decode } from "../src/codec/decode.ts";
import { encode } from "../src/codec/encode.ts";
import { loadEngine } from "../src/engine/load.ts";
import { Engine } from "../src/pkg/engine.ts";
import { loadSample, samples } from "../src/state/data/samples.ts";
import type { FoundReference, Model } from "../src/state/model-view/model.ts";
import { readModel, type Progress } from "../src/state/model-view/reading.ts";

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
    const stop = new AbortController();
    const stopped = await read("wide", {
      signal: stop.signal,
      progress: ({ step, done }) => step === "count" && done === 1000 && stop.abort(),
    });
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
    expect(await read("nowhere")).toEqual({ database: "nowhere", collections: [], references: [] });
  });
});
