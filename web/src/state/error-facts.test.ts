/** The facts of a refused write, read from the parts of the server's reply that the shell's error keeps. */
import { describe, expect, test } from "vitest";
import { scriptedHost, type Json } from "../../test/scripted.ts";
import type { ScriptError } from "../protocol/run.ts";
import { tryRewrite } from "../shell/rewrite.ts";
import { Shell } from "../shell/shell.ts";
import { errorFacts, type ErrorFacts } from "./error-facts.ts";

/** The facts of a script's error when each command is answered so. */
function factsOf(source: string, reply: Json): ErrorFacts | null {
  const { error } = new Shell(
    scriptedHost({ insert: reply, update: reply, find: reply, createIndexes: reply }),
    tryRewrite,
  ).evaluate(source);
  return error === null ? null : errorFacts(error);
}

const int = (value: number): Json => ({ $numberInt: String(value) });
const duplicate = (index: number): Json => ({
  index: int(index),
  code: int(11000),
  errmsg: 'E11000 duplicate key error collection: shop.users index: email_1 dup key: { email: "a" }',
  keyPattern: { email: int(1) },
  keyValue: { email: "a" },
});
const invalid = (details: Json): Json => ({
  n: int(0),
  ok: int(1),
  writeErrors: [
    {
      index: int(0),
      code: int(121),
      errmsg: "Document failed validation",
      errInfo: { failingDocumentId: int(1), details },
    },
  ],
});

describe("a duplicate key", () => {
  test("of one document", () =>
    expect(
      factsOf("db.users.insertOne({ _id: 2, email: 'a' })", { n: int(0), ok: int(1), writeErrors: [duplicate(0)] }),
    ).toEqual({
      kind: "duplicate",
      namespace: "test.users",
      document: { _id: expect.anything() as unknown, email: "a" },
      leftOut: false,
      place: null,
      others: 0,
      index: "email_1",
      values: [["email", "a"]],
      building: false,
    }));

  test("in a list", () =>
    expect(
      factsOf("db.users.insertMany([{ _id: 1 }, { _id: 2, email: 'a' }, { _id: 3, email: 'a' }], { ordered: false })", {
        n: int(1),
        ok: int(1),
        writeErrors: [duplicate(1), duplicate(2)],
      }),
    ).toMatchObject({ kind: "duplicate", place: 1, others: 1, document: { email: "a" } }));

  test("of an update", () =>
    expect(
      factsOf("db.users.updateOne({ _id: 1 }, { $set: { email: 'a' } })", {
        n: int(0),
        ok: int(1),
        writeErrors: [duplicate(0)],
      }),
    ).toMatchObject({ document: { u: { $set: { email: "a" } } } }));

  test("of an index that was being made, which names no document", () =>
    expect(
      factsOf("db.users.createIndex({ email: 1 }, { unique: true })", {
        ok: int(0),
        code: int(11000),
        codeName: "DuplicateKey",
        errmsg:
          "Index build failed: 1: Collection shop.users ( 2 ) :: caused by :: E11000 duplicate key error " +
          'collection: shop.users index: email_1 dup key: { email: "a" }',
        keyPattern: { email: int(1) },
        keyValue: { email: "a" },
      }),
    ).toMatchObject({ kind: "duplicate", building: true, namespace: "shop.users", document: null }));

  test("a document that is too long is left out, and said to be", () =>
    expect(
      factsOf("db.users.insertOne({ email: 'a', text: 'x'.repeat(200000) })", {
        n: int(0),
        ok: int(1),
        writeErrors: [duplicate(0)],
      }),
    ).toMatchObject({ kind: "duplicate", document: null, leftOut: true }));
});

describe("an invalid document", () => {
  const faults = (details: Json): unknown => {
    const facts = factsOf("db.c.insertOne({ _id: 1 })", invalid(details));
    return facts?.kind === "invalid" ? facts.faults : facts;
  };
  test("under a schema, however deep", () =>
    expect(
      faults({
        operatorName: "$jsonSchema",
        schemaRulesNotSatisfied: [
          {
            operatorName: "properties",
            propertiesNotSatisfied: [
              {
                propertyName: "name",
                details: [
                  {
                    operatorName: "bsonType",
                    specifiedAs: { bsonType: ["string", "null"] },
                    reason: "type did not match",
                    consideredValue: int(5),
                    consideredType: "int",
                  },
                ],
              },
              {
                propertyName: "tags",
                details: [
                  {
                    operatorName: "items",
                    itemIndex: int(1),
                    details: [{ operatorName: "minLength", specifiedAs: { minLength: int(2) }, consideredValue: "x" }],
                  },
                ],
              },
              {
                propertyName: "address",
                details: [
                  { operatorName: "required", specifiedAs: { required: ["city"] }, missingProperties: ["city"] },
                ],
              },
            ],
          },
          {
            operatorName: "additionalProperties",
            specifiedAs: { additionalProperties: false },
            additionalProperties: ["foo"],
          },
          {
            operatorName: "anyOf",
            schemasNotSatisfied: [{ index: int(0), details: [{ operatorName: "required", missingProperties: ["a"] }] }],
          },
        ],
      }),
    ).toEqual([
      { kind: "type", path: "name", wanted: ["string", "null"], found: "int" },
      { kind: "rule", path: "tags.1", rule: "minLength", wanted: expect.anything() as unknown, found: "x" },
      { kind: "missing", path: "address.city" },
      { kind: "extra", path: "foo" },
      { kind: "rule", path: "", rule: "anyOf", wanted: {} },
    ]));

  test("under a filter", () =>
    expect(
      faults({
        operatorName: "$and",
        clausesNotSatisfied: [
          {
            index: int(0),
            details: {
              operatorName: "$gt",
              specifiedAs: { price: { $gt: "0" } },
              reason: "comparison failed",
              consideredValue: "-1",
            },
          },
          {
            index: int(1),
            details: {
              operatorName: "$exists",
              specifiedAs: { email: { $exists: true } },
              reason: "path does not exist",
            },
          },
          {
            index: int(2),
            details: {
              operatorName: "$expr",
              specifiedAs: { $expr: { $lt: ["$a", "$b"] } },
              reason: "expression did not match",
              expressionResult: false,
            },
          },
        ],
      }),
    ).toEqual([
      { kind: "rule", path: "price", rule: "$gt", wanted: "0", found: "-1" },
      { kind: "missing", path: "email" },
      { kind: "rule", path: "", rule: "$expr", wanted: { $lt: ["$a", "$b"] } },
    ]));
});

test("any other error has none", () => {
  expect(factsOf("db.c.find({ $x: 1 }).toArray()", { ok: int(0), code: int(2), errmsg: "no" })).toBeNull();
  expect(factsOf("missing.call()", { ok: int(1) })).toBeNull();
  const plain: ScriptError = {
    name: "Error",
    message: "x",
    text: "x",
    code: null,
    codeName: null,
    line: null,
    column: null,
  };
  expect(errorFacts(plain)).toBeNull();
  for (const detail of ["", "{", "[]", "null", "5"]) expect(errorFacts({ ...plain, detail }), detail).toBeNull();
});
