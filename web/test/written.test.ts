/**
 * What commands wrote, as the engine gathers it: only while it is asked to, of all commands together, and nothing of
 * what was undone.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Document } from "bson";
import { beforeEach, describe, expect, test } from "vitest";
import { encode } from "../src/codec/encode.ts";
import { rawField } from "../src/codec/members.ts";
import { loadEngine } from "../src/engine/load.ts";
import { Engine, insideOf } from "../src/pkg/engine.ts";
import { readWritten } from "../src/worker/written.ts";

const wasm = fileURLToPath(new URL("../wasm/quire_bg.wasm", import.meta.url));

describe.skipIf(!existsSync(wasm))("what commands wrote", () => {
  let engine: Engine;
  const ran = (document: Document): number =>
    Number(rawField(engine.command(encode({ ...document, $db: "shop" })), "ok"));
  const taken = (gather = true): readonly string[] =>
    readWritten(insideOf(engine).open.takeWritten(gather)).map(
      ({ kind, namespace, count }) => `${kind} ${namespace} ${count}`,
    );
  const told = (document: Document): string => {
    ran(document);
    return taken().join();
  };

  beforeEach(async () => {
    await loadEngine(() => readFileSync(wasm));
    engine = await Engine.create();
    ran({ insert: "teas", documents: [{ _id: 1, name: "Sencha" }] });
    ran({ createIndexes: "teas", indexes: [{ key: { name: 1 }, name: "name_1" }] });
    taken();
  });

  test("is gathered while it is asked for, and once", () => {
    ran({ insert: "teas", documents: [{ _id: 2 }] });
    ran({ insert: "herbs", documents: [{ _id: 2 }] });
    ran({ insert: "teas", documents: [{ _id: 3 }] });
    expect(taken(false)).toEqual(["inserted shop.teas 2", "inserted shop.herbs 1"]);
    ran({ insert: "teas", documents: [{ _id: 4 }] });
    expect(taken()).toEqual([]);
    expect(taken()).toEqual([]);
  });

  test("a changed definition is told, and one that is as it was is not", () => {
    const hide = { collMod: "teas", index: { name: "name_1", hidden: true } };
    const check = { collMod: "teas", validator: { name: { $exists: true } } };
    expect([told(hide), told(hide), told(check), told(check)]).toEqual([
      "changed shop.teas 1",
      "",
      "changed shop.teas 1",
      "",
    ]);
  });

  test("views are told as collections are", () => {
    const create = (name: string): Document => ({ create: name, viewOn: "teas", pipeline: [] });
    expect([told(create("one")), told(create("two")), told(create("two"))]).toEqual([
      "created shop.one 1",
      "created shop.two 1",
      "",
    ]);
    expect(told({ collMod: "two", viewOn: "teas", pipeline: [{ $match: { _id: 1 } }] })).toBe("changed shop.two 1");
    expect(told({ drop: "two" })).toBe("dropped shop.two 1");
  });

  test("an index that was dropped is told, and none where there was none", () => {
    const drop = { dropIndexes: "teas", index: "*" };
    expect([told(drop), told(drop)]).toEqual(["unindexed shop.teas 1", ""]);
  });

  test("a command that failed, and a fork, wrote nothing", () => {
    const unique = { createIndexes: "teas", indexes: [{ key: { kind: 1 }, name: "kind_1", unique: true }] };
    told({ insert: "teas", documents: [{ _id: 2 }] });
    expect([ran(unique), taken().join()]).toEqual([0, ""]);
    const commands = [{ insert: "teas", documents: [{ _id: 9 }] }];
    expect([ran({ quireFork: 1, commands }), taken().join()]).toEqual([1, ""]);
  });

  test("a merge that fails tells what it had written", () => {
    ran({ createIndexes: "into", indexes: [{ key: { n: 1 }, name: "n_1", unique: true }] });
    ran({
      insert: "from",
      documents: [
        { _id: 1, n: 1 },
        { _id: 2, n: 1 },
        { _id: 3, n: 3 },
      ],
    });
    taken();
    const merge = { aggregate: "from", pipeline: [{ $merge: "into" }], cursor: {} };
    expect([ran(merge), taken().join()]).toEqual([0, "inserted shop.into 2"]);
  });
});
