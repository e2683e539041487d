/** Claims of a file are told where they differ from what was found, whatever their form is. */
import { expect, test } from "vitest";
import { courseMessagesOf } from "../../messages/course/words.ts";
import { wordClaim } from "./claim-words.ts";

const c = courseMessagesOf("en");
const say = (told: unknown, beside: unknown): readonly string[] => wordClaim(told, beside, c, String);
const cost = { documentsExamined: 6, keysExamined: 6, pagesRead: 2, pagesWritten: 0, commands: 2 };
const task = { id: "pages", passes: true, cost, asked: cost, source: "db.orders.find()" };
const products = {
  name: "products",
  documents: 324,
  bytes: 82026,
  fields: [
    { name: "_id", types: ["string"] },
    { name: "stock", types: ["int", "long"] },
  ],
  indexes: [
    { name: "_id_", keys: '{"_id":1}', unique: true },
    { name: "words_1", keys: '{"words":1}', unique: false },
  ],
  validator: null,
};

test("a task's figures are told where they differ", () => {
  const edited = { ...task, cost: { ...cost, documentsExamined: 1 }, asked: { ...cost, pagesRead: 1 } };
  expect(say(task, edited)).toEqual(["passes", "documents examined 6", "pages read by the last statement 2"]);
  expect(say(edited, task)).toEqual(["passes", "documents examined 1", "pages read by the last statement 1"]);
  expect(say({ ...task, source: "1" }, task)).toEqual(["passes", "last script: 1"]);
  expect(say(task, null)).toEqual(["passes"]);
  expect(say(task, { ...task, passes: false, cost: null, asked: null, source: "" })).toEqual([
    "passes",
    "last script: db.orders.find()",
  ]);
  expect(say({ ...task, passes: false, cost: null, asked: null, source: "" }, task)).toEqual(["does not pass"]);
});

test("a collection's parts are told where they differ, and of lists what the other has not", () => {
  const { fields, indexes } = products;
  const found = { ...products, bytes: 78414, fields: fields.slice(0, 1), indexes: indexes.slice(1), validator: "{}" };
  expect(say(found, products)).toEqual([
    "324 documents, 78414 bytes",
    "Fields nothing",
    "Indexes nothing",
    "Validator {}",
  ]);
  expect(say(products, found)).toEqual([
    "324 documents, 82026 bytes",
    "Fields stock int | long",
    'Indexes {"_id":1} (unique)',
    "Validator none",
  ]);
  expect(say(products, null)).toEqual(["324 documents, 82026 bytes"]);
});

test("a claim of another form is told as it is", () => {
  expect(say(null, task)).toEqual(["nothing"]);
  expect(say({ name: "products", fields: 5, indexes: [null], validator: {} }, products)).toEqual([
    "null documents, null bytes",
    "Fields nothing",
    "Indexes null",
    "Validator {}",
  ]);
  expect(say({ passes: "yes", cost: { documentsExamined: [1] } }, task)).toEqual([
    "does not pass",
    "documents examined [1]",
  ]);
});
