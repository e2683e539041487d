/** Each statement that found nothing gets the collection that it may have meant, and no other does. */
import { describe, expect, test } from "vitest";
import type { Written } from "../protocol/run.ts";
import { missedCollections } from "./missed-collections.ts";
import type { CatalogDatabase, Leaf, LeafStatement, LeafValue } from "./model.ts";

const database = (name: string, ...collections: string[]): CatalogDatabase =>
  ({ summary: { name }, collections: collections.map((one) => ({ name: one })) }) as unknown as CatalogDatabase;
const catalog = [database("shop", "users", "orders"), database("garden", "herbs")];

const nothing: LeafValue = { kind: "value", value: null };
const none: LeafValue = { kind: "none" };
const found = (namespace: string): LeafValue =>
  ({ kind: "cursor", documents: [], batch: { documents: [], namespace, cursorId: 0n } }) as unknown as LeafValue;
const statement = (line: number, value: LeafValue, written: readonly Written[] = [], commands = 1): LeafStatement =>
  ({ line, column: 1, endLine: line, endColumn: 99, value, written, commands }) as unknown as LeafStatement;

const missed = (source: string, statements: readonly LeafStatement[], change: Partial<Leaf> = {}): unknown =>
  missedCollections({ source, database: "shop", statements, error: null, failed: null, ...change }, catalog).map(
    ({ statement: of, hint }) => [of, hint.wrong, hint.right],
  );

describe("collections that may have been meant", () => {
  test("are told of every statement", () => {
    const source = "db.usres.findOne()\ndb.users.findOne()\ndb.oders.find()\nprint(1)";
    const values = [
      statement(1, nothing),
      statement(2, nothing),
      statement(3, found("shop.oders")),
      statement(4, none),
    ];
    expect(missed(source, values)).toEqual([
      [0, "usres", "users"],
      [2, "oders", "orders"],
    ]);
  });

  test("of what a statement does not name itself, are those named before it", () => {
    const source = "const c = db.usres.find()\nc.toArray()\ndb.oders.x\n1 - 1";
    const values = [statement(1, none), statement(2, nothing), statement(4, { kind: "value", value: 0 }, [], 0)];
    expect(missed(source, values)).toEqual([[1, "usres", "users"]]);
  });

  test("are those of the database in use", () => {
    expect(missed("use garden\ndb.herb.findOne()", [statement(2, nothing)])).toEqual([[0, "herb", "herbs"]]);
    expect(missed("db.herb.findOne()\nuse garden", [statement(1, nothing)])).toEqual([]);
  });

  test("are none where the run took the collection away", () => {
    const source = "db.user.find()\ndb.user.drop()";
    const took = (one: Written): unknown => missed(source, [statement(1, nothing), statement(2, none, [one])]);
    expect(took({ kind: "dropped", namespace: "shop.user", count: 1 })).toEqual([]);
    expect(took({ kind: "dropped", namespace: "shop", count: 1 })).toEqual([]);
    expect(took({ kind: "renamed", namespace: "shop.users", count: 1, from: "shop.user" })).toEqual([]);
    expect(took({ kind: "dropped", namespace: "shop.users2", count: 1 })).toEqual([[0, "user", "users"]]);
  });

  test("are told of the statement that failed, too", () => {
    const error = { name: "MongoServerError", message: "", text: "", code: 26, codeName: null, line: 2, column: 1 };
    const failed = { line: 2, column: 1, endLine: 2, endColumn: 40, written: [] };
    const source = "db.oders.findOne()\ndb.usres.renameCollection('x')";
    expect(missed(source, [statement(1, nothing)], { error, failed })).toEqual([
      [0, "oders", "orders"],
      [null, "usres", "users"],
    ]);
    expect(missed(source, [], { error: { ...error, code: 9 }, failed })).toEqual([]);
    const dropping = { ...failed, written: [{ kind: "dropped" as const, namespace: "shop.oders", count: 1 }] };
    expect(missed(source, [statement(1, nothing)], { error, failed: dropping })).toEqual([[null, "usres", "users"]]);
  });
});
