/** The results and errors of writes that storage did not confirm, over a fake host. */
import { describe, expect, it } from "vitest";
import { parse } from "./ejson.ts";
import { tryRewrite } from "./rewrite.ts";
import { Shell } from "./shell.ts";

const REFUSED =
  '"writeConcernError":{"code":{"$numberInt":"64"},"codeName":"WriteConcernFailed","errmsg":"storage has not ' +
  'confirmed it"}';
/** The fields beside `ok` that the fake host's reply to each command has. */
const REPLIES: Readonly<Record<string, string>> = {
  insert: '"n":1',
  update: '"n":1,"nModified":1',
  delete: '"n":1',
  findAndModify: '"value":null',
  aggregate: '"cursor":{"firstBatch":[],"id":0,"ns":"test.teas"}',
  bulkWrite:
    '"nInserted":1,"nUpserted":0,"nMatched":0,"nModified":0,"nDeleted":0,"cursor":{"firstBatch":[],"id":0,' +
    '"ns":"admin.$cmd.bulkWrite"}',
};

function evaluate(script: string): { name: string; text: string } {
  const command = (text: string): string =>
    `{${REPLIES[Object.keys(parse(text) as object)[0] as string] ?? '"more":1'},"ok":1,${REFUSED}}`;
  const { error, value } = new Shell({ command, print: () => undefined }, tryRewrite).evaluate(script, {
    batchSize: 20,
  });
  return { name: error?.name ?? "", text: value.kind === "text" ? value.text : (error?.text ?? "") };
}

describe("a write that storage did not confirm", () => {
  const thrown: Readonly<Record<string, string>> = {
    "db.teas.insertOne({})": "MongoWriteConcernError",
    "db.teas.insertMany([{}, {}])": "MongoBulkWriteError",
    "db.teas.bulkWrite([{ insertOne: { document: {} } }, { deleteOne: { filter: {} } }])": "MongoBulkWriteError",
    "const bulk = db.teas.initializeOrderedBulkOp(); bulk.insert({}); bulk.execute()": "MongoBulkWriteError",
    "db.getMongo().bulkWrite([{ namespace: 'test.teas', name: 'insertOne', document: {} }])":
      "MongoClientBulkWriteError",
    "db.teas.updateOne({}, { $set: { a: 1 } })": "MongoWriteConcernError",
    "db.teas.updateMany({}, { $set: { a: 1 } })": "MongoWriteConcernError",
    "db.teas.replaceOne({}, { a: 1 })": "MongoWriteConcernError",
    "db.teas.deleteOne({})": "MongoWriteConcernError",
    "db.teas.deleteMany({})": "MongoWriteConcernError",
    "db.teas.insert({})": "MongoBulkWriteError",
    "db.teas.insert([{}, {}])": "MongoBulkWriteError",
    "db.teas.update({}, { a: 1 })": "MongoWriteConcernError",
    "db.teas.remove({})": "MongoWriteConcernError",
    "db.teas.save({ _id: 1 })": "MongoWriteConcernError",
    "db.teas.findOneAndUpdate({}, { $set: { a: 1 } })": "MongoWriteConcernError",
    "db.teas.findOneAndDelete({})": "MongoWriteConcernError",
    "db.teas.findAndModify({ query: {}, remove: true })": "MongoWriteConcernError",
    "db.teas.createIndex({ a: 1 })": "MongoWriteConcernError",
    "db.teas.dropIndex('a_1')": "MongoWriteConcernError",
    "db.teas.drop()": "MongoWriteConcernError",
    "db.teas.renameCollection('herbs')": "MongoWriteConcernError",
    "db.teas.aggregate([{ $out: 'herbs' }]).toArray()": "MongoWriteConcernError",
    "db.createCollection('teas')": "MongoWriteConcernError",
    "db.dropDatabase()": "MongoWriteConcernError",
    "db.runCommand({ collMod: 'teas' })": "MongoWriteConcernError",
  };
  for (const [script, name] of Object.entries(thrown)) {
    it(`is an error of ${script}`, () => {
      const told = evaluate(script);
      expect(told.name).toBe(name);
      if (name !== "MongoClientBulkWriteError") expect(told.text).toContain("storage has not confirmed it");
    });
  }
});
