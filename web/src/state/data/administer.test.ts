/**
 * A form's fields become the command a script would send, and a drop names everything that goes with it.
 */
import { describe, expect, test } from "vitest";
import { Int32, Long } from "bson";
import { encode } from "../../codec/encode.ts";
import { ask, Refusal } from "./ask.ts";
import { createCommand, indexName, indexSpecification, lossOf, type NewIndex } from "./administer.ts";

const plain: NewIndex = {
  fields: [{ path: "year", kind: "ascending" }],
  name: "",
  unique: false,
  sparse: false,
  hidden: false,
  expireAfterSeconds: null,
  partialFilter: "",
  wildcardProjection: "",
};

describe("create", () => {
  test("a plain collection", () => {
    expect(createCommand({ database: "test", name: "books", capped: null })).toEqual({ create: "books" });
  });

  test("a capped one, with and without a limit of documents", () => {
    expect(
      createCommand({ database: "test", name: "log", capped: { sizeBytes: 4096, maximalDocuments: null } }),
    ).toEqual({ create: "log", capped: true, size: Long.fromNumber(4096) });
    expect(
      createCommand({ database: "test", name: "log", capped: { sizeBytes: 4096, maximalDocuments: 5 } }),
    ).toMatchObject({ max: Long.fromNumber(5) });
  });
});

describe("indexes", () => {
  test("are named as drivers name them", () => {
    expect(
      indexName([
        { path: "year", kind: "ascending" },
        { path: "author.name", kind: "descending" },
      ]),
    ).toBe("year_1_author.name_-1");
  });

  test("say only what was asked for", () => {
    expect(indexSpecification(plain)).toEqual({ key: { year: 1 }, name: "year_1" });
    expect(
      indexSpecification({ ...plain, name: "mine", unique: true, sparse: true, hidden: true, expireAfterSeconds: 60 }),
    ).toEqual({ key: { year: 1 }, name: "mine", unique: true, sparse: true, hidden: true, expireAfterSeconds: 60 });
  });

  test("hashed and wildcard ones, of a path and of the whole document", () => {
    expect(
      indexSpecification({
        ...plain,
        fields: [
          { path: "author", kind: "hashed" },
          { path: "year", kind: "descending" },
        ],
      }),
    ).toEqual({ key: { author: "hashed", year: -1 }, name: "author_hashed_year_-1" });
    expect(
      indexSpecification({ ...plain, fields: [{ path: "tags", kind: "wildcard" }], wildcardProjection: '{ "a": 1 }' }),
    ).toEqual({ key: { "tags.$**": 1 }, name: "tags.$**_1" });
    expect(
      indexSpecification({
        ...plain,
        fields: [{ path: "", kind: "wildcard" }],
        wildcardProjection: '{ "a": { "$numberInt": "0" } }',
      }),
    ).toEqual({ key: { "$**": 1 }, name: "$**_1", wildcardProjection: { a: new Int32(0) } });
  });

  test("leave empty rows out", () => {
    expect(indexSpecification({ ...plain, fields: [...plain.fields, { path: "", kind: "ascending" }] })["key"]).toEqual(
      { year: 1 },
    );
  });

  test("read a partial filter as Extended JSON, and refuse what is none", () => {
    expect(
      indexSpecification({ ...plain, partialFilter: '{ "year": { "$gt": { "$numberInt": "5" } } }' })[
        "partialFilterExpression"
      ],
    ).toEqual({ year: { $gt: new Int32(5) } });
    expect(
      indexSpecification({ ...plain, partialFilter: "{ n: { $gt: 9007199254740993 } }" })["partialFilterExpression"],
    ).toEqual({ n: { $gt: Long.fromString("9007199254740993") } });
    expect(() => indexSpecification({ ...plain, partialFilter: "{ year" })).toThrow();
  });
});

describe("loss", () => {
  const summary = (name: string, more: object = {}) => ({
    name,
    type: "collection" as const,
    options: {},
    count: 3,
    sizeBytes: 90,
    storageBytes: 90,
    capped: false,
    indexes: [],
    ...more,
  });
  const index = (name: string) => ({
    name,
    key: {},
    unique: false,
    sparse: false,
    partial: false,
    hidden: false,
    expireAfterSeconds: null,
    sizeBytes: 1,
  });
  const databases = [
    {
      summary: { name: "test", sizeOnDisk: 1, empty: false },
      collections: [
        summary("books", { indexes: [index("_id_"), index("year_1")] }),
        summary("old", { type: "view", count: 0, options: { viewOn: "books", pipeline: [] } }),
        summary("other", { type: "view", options: { viewOn: "else" } }),
      ],
    },
  ];

  test("names documents, indexes and the views that read them", () => {
    expect(lossOf(databases, "test", "books")).toEqual({
      documents: 3,
      sizeBytes: 90,
      indexes: ["year_1"],
      views: ["old"],
      isView: false,
    });
    expect(lossOf(databases, "test", "old")).toMatchObject({ isView: true, views: [] });
  });

  test("knows nothing of what is not there", () => {
    expect(lossOf(databases, "test", "gone")).toBeNull();
    expect(lossOf(databases, "gone", "books")).toBeNull();
  });
});

describe("ask", () => {
  const answering = (reply: object) => ({ commandBytes: async () => encode(reply) });

  test("keeps the types of numbers", async () => {
    expect(await ask(answering({ n: 1, ok: 1 }), "test", { ping: 1 })).toEqual({ n: new Int32(1), ok: new Int32(1) });
  });

  test("throws refusals, also those of single writes", async () => {
    const refused = ask(
      answering({ ok: 0, errmsg: "no such thing", code: 26, codeName: "NamespaceNotFound" }),
      "test",
      { drop: "a" },
    );
    await expect(refused).rejects.toMatchObject({ message: "no such thing", code: 26, codeName: "NamespaceNotFound" });
    await expect(refused).rejects.toBeInstanceOf(Refusal);
    await expect(
      ask(answering({ ok: 1, writeErrors: [{ index: 0, code: 11000, errmsg: "E11000" }] }), "test", {}),
    ).rejects.toMatchObject({ code: 11000, message: "E11000" });
  });
});
