/**
 * What a command wrote is told from the engine's account where its reply does not say it.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Document } from "bson";
import { beforeAll, describe, expect, test } from "vitest";
import { encode } from "../src/codec/encode.ts";
import { loadEngine } from "../src/engine/load.ts";
import { accountSince, Engine } from "../src/pkg/engine.ts";
import { isUntold, writtenBy } from "../src/worker/written.ts";

const wasm = fileURLToPath(new URL("../wasm/quire_bg.wasm", import.meta.url));

describe.skipIf(!existsSync(wasm))("what commands wrote", () => {
  let told: (command: Document) => string;

  beforeAll(async () => {
    await loadEngine(() => readFileSync(wasm));
    const engine = await Engine.create();
    told = (document) => {
      const command = encode({ ...document, $db: "shop" });
      const before = engine.account();
      const reply = engine.command(command);
      const account = isUntold(command) ? accountSince(before, engine.account()) : undefined;
      return writtenBy(command, reply, account)
        .map(({ kind, namespace, count }) => `${kind} ${namespace} ${count}`)
        .join();
    };
    told({ insert: "teas", documents: [{ _id: 1, name: "Sencha" }] });
    told({ createIndexes: "teas", indexes: [{ key: { name: 1 }, name: "name_1" }] });
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
    // What other commands changed before, and is not stored yet, is none of its doing.
    told({ insert: "teas", documents: [{ _id: 2, name: "Bancha" }] });
    expect(told(check)).toBe("");
  });

  test("views are told as collections are", () => {
    const create = (name: string): Document => ({ create: name, viewOn: "teas", pipeline: [] });
    expect([told(create("one")), told(create("two")), told(create("two"))]).toEqual([
      "created shop.one 1",
      "created shop.two 1",
      "",
    ]);
    expect(told({ collMod: "two", viewOn: "teas", pipeline: [{ $match: { _id: 1 } }] })).toBe("changed shop.two 1");
  });

  test("an index that was dropped is told, and none where there was none", () => {
    const drop = { dropIndexes: "teas", index: "*" };
    expect([told(drop), told(drop)]).toEqual(["unindexed shop.teas 1", ""]);
  });
});
