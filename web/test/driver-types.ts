/**
 * Programs over a typed collection that must compile, and mistakes that must not: what the types of filters, updates,
 * models and results promise. `tsc` is the test. The Node driver's own types give the same, but for `untyped`.
 */
import { pipeline } from "node:stream/promises";
import { type Filter, GridFSBucket, MongoClient, ObjectId, type UpdateFilter } from "../src/pkg/index.ts";

interface Order {
  _id: string;
  state: "open" | "paid";
  total: number;
  note?: string;
  tags: string[];
  lines: { product: string; count: number }[];
  at: Date;
  buyer: { name: string; age?: number };
}
interface Tea {
  name: string;
  price: number;
}

const client = new MongoClient("quire://types");
const orders = client.db("shop").collection<Order>("orders");
const teas = client.db("shop").collection<Tea>("teas");
const anything = client.db("shop").collection("anything");
const order: Order = {
  _id: "1",
  state: "open",
  total: 5,
  tags: [],
  lines: [],
  at: new Date(),
  buyer: { name: "Ada" },
};

/** Compiled, never run. */
export async function right(): Promise<unknown[]> {
  const filter: Filter<Order> = { total: { $gt: 5, $lte: 10 }, tags: "tools", "lines.product": "tea" };
  const change: UpdateFilter<Order> = { $inc: { total: 1, "lines.0.count": 1 }, $set: { note: "x", "buyer.age": 3 } };
  const { insertedId } = await teas.insertOne({ name: "mint", price: 5 });
  const { upsertedId } = await orders.updateOne(filter, change, { upsert: true });
  const found = await orders.findOne({ _id: "1", state: { $in: ["open", "paid"] }, note: /x/ });
  const names: (string | undefined)[] = await orders.distinct("note");
  const tags: string[] = await orders.distinct("tags");
  const replaced = await orders.findOneAndUpdate(filter, change, { includeResultMetadata: true });
  const before = await orders.findOneAndDelete(filter);
  const short = orders.find<{ total: number }>({}, { projection: { total: 1 } });
  await orders.find({ note: { $regex: "^x", $options: "i" }, at: { $gte: new Date() }, buyer: { name: "Ada" } }).next();
  await orders.find({ $or: [{ total: 5 }, { tags: { $size: 2 } }], $and: [{ total: { $mod: [2, 0] } }] }).next();
  await orders
    .find({ lines: { $elemMatch: { count: { $gt: 2 } } }, note: { $not: /x/ }, tags: { $all: ["a"] } })
    .next();
  await orders.find({ note: { $exists: false }, total: { $type: "int" } }).next();
  await orders.updateMany({}, [{ $set: { total: { $add: ["$total", 1] } } }]);
  await orders.updateMany({}, { $push: { tags: { $each: ["a"], $slice: 5 }, lines: { product: "tea", count: 1 } } });
  await orders.updateMany({}, { $pull: { tags: { $in: ["a"] }, lines: { product: "tea" } }, $addToSet: { tags: "b" } });
  await orders.updateMany({}, { $unset: { note: "" }, $rename: { note: "remark" }, $pop: { tags: -1 } });
  await orders.updateMany({}, { $currentDate: { at: true }, $max: { total: 5 }, $pullAll: { tags: ["a"] } });
  await orders.replaceOne({ _id: "1" }, { ...order, total: 6 });
  await orders.bulkWrite([
    { insertOne: { document: order } },
    { updateOne: { filter: { _id: "1" }, update: { $inc: { total: 1 } }, upsert: true } },
    { updateMany: { filter: { total: 3 }, update: [{ $unset: "note" }] } },
    { replaceOne: { filter: { _id: "1" }, replacement: order } },
    { deleteMany: { filter: { total: { $lt: 0 } } } },
  ]);
  const id: ObjectId = insertedId;
  const key: string | null = upsertedId;
  const total: number | undefined = found?.total;
  const value: Order | null = replaced.value;
  const teaId: ObjectId | undefined = (await teas.findOne())?._id;
  return [id, key, total, names, tags, value, before?.state, (await short.next())?.total, teaId];
}

/** The streams of cursors and files are taken where Node's are. */
export async function streams(file: NodeJS.ReadableStream): Promise<unknown> {
  const bucket = new GridFSBucket(client.db("files"));
  file.pipe(bucket.openUploadStream("a"));
  await pipeline(file, bucket.openUploadStream("b"));
  await pipeline(orders.find().stream({ transform: (found) => found.state }), process.stdout);
  const totals: number[] = [];
  for await (const found of orders.find().stream()) totals.push(found.total);
  orders
    .find()
    .stream()
    .on("data", (found) => totals.push(found.total));
  await using cursor = orders.find();
  return [bucket.openDownloadStreamByName("a").pipe(process.stdout), await cursor.next(), totals];
}

/** What a collection without a schema takes: any `_id`, too, for which the Node driver wants a schema. */
export async function untyped(): Promise<unknown> {
  await anything.insertMany([{ _id: 1 }, { _id: "two", a: { b: [1] } }, {}]);
  await anything.find({ _id: 1, "a.b": { $gt: 0 }, c: null }).next();
  await anything.updateOne({ _id: "two" }, { $inc: { n: 1 }, $push: { "a.b": 2 }, $set: { c: [] } });
  await anything.bulkWrite([{ deleteOne: { filter: { _id: 1 } } }]);
  return (await anything.findOne())?._id.toHexString();
}

/** Compiled, never run. */
export async function mistakes(): Promise<void> {
  // @ts-expect-error: a text against a number
  orders.find({ total: "5" });
  // @ts-expect-error: a text against a number, in an operator
  orders.find({ total: { $gt: "5" } });
  // @ts-expect-error: a state that there is not
  orders.find({ state: "opne" });
  // @ts-expect-error: one of several values has another type
  orders.find({ total: { $in: [1, "2"] } });
  // @ts-expect-error: `$in` takes an array
  orders.find({ total: { $in: 1 } });
  // @ts-expect-error: an item of another type
  orders.find({ tags: 5 });
  // @ts-expect-error: `$regex` on a number
  orders.find({ total: { $regex: "5" } });
  // @ts-expect-error: `$size` on a number
  orders.find({ total: { $size: 5 } });
  // @ts-expect-error: `$exists` takes a boolean
  orders.find({ note: { $exists: "yes" } });
  // @ts-expect-error: the `_id` is a text
  orders.findOne({ _id: new ObjectId() });
  // @ts-expect-error: a branch with a wrong type
  orders.find({ $or: [{ total: "5" }] });
  // @ts-expect-error: `$or` takes an array
  orders.find({ $or: { total: 5 } });
  // @ts-expect-error: `$inc` on a text
  orders.updateOne({}, { $inc: { note: 1 } });
  // @ts-expect-error: `$inc` by a text
  orders.updateOne({}, { $inc: { total: "1" } });
  // @ts-expect-error: `$set` to another type
  orders.updateOne({}, { $set: { total: "5" } });
  // @ts-expect-error: an item of another type
  orders.updateOne({}, { $push: { tags: 5 } });
  // @ts-expect-error: one of several items has another type
  orders.updateOne({}, { $push: { tags: { $each: [5] } } });
  // @ts-expect-error: `$push` on a number
  orders.updateOne({}, { $push: { total: 5 } });
  // @ts-expect-error: an item of another type
  orders.updateOne({}, { $addToSet: { tags: 5 } });
  // @ts-expect-error: `$pop` takes 1 or -1
  orders.updateOne({}, { $pop: { tags: 2 } });
  // @ts-expect-error: `$mul` on a date
  orders.updateOne({}, { $mul: { at: 2 } });
  // @ts-expect-error: `$currentDate` on a number
  orders.updateOne({}, { $currentDate: { total: true } });
  // @ts-expect-error: `$rename` takes a name
  orders.updateOne({}, { $rename: { note: 5 } });
  // @ts-expect-error: a field that the schema lacks
  teas.insertOne({ name: "mint", price: 5, colour: "green" });
  // @ts-expect-error: a field is missing
  teas.insertOne({ name: "mint" });
  // @ts-expect-error: the schema asks for an `_id`
  orders.insertOne({ ...order, _id: undefined });
  // @ts-expect-error: a document with a wrong type
  teas.insertMany([{ name: "sage", price: "5" }]);
  // @ts-expect-error: a replacement with a wrong type
  teas.replaceOne({}, { name: "mint", price: "5" });
  // @ts-expect-error: no such operation
  orders.bulkWrite([{ insert: { document: order } }]);
  // @ts-expect-error: an insert without its document
  orders.bulkWrite([{ insertOne: {} }]);
  // @ts-expect-error: a filter with a wrong type
  orders.bulkWrite([{ deleteOne: { filter: { total: "5" } } }]);
  // @ts-expect-error: an update with a wrong type
  orders.bulkWrite([{ updateOne: { filter: {}, update: { $inc: { note: 1 } } } }]);
  // @ts-expect-error: a misspelt option
  orders.find({}, { limt: 5 });
  // @ts-expect-error: a limit that is a text
  orders.find({}, { limit: "5" });
  // @ts-expect-error: null where nothing was found
  (await orders.findOne({})).total;
  // @ts-expect-error: a field that the schema lacks
  (await orders.find({}).toArray())[0]?.totl;
  // @ts-expect-error: a projection that is a number
  orders.find({}, { projection: 5 });
  // @ts-expect-error: a hint that is a number
  orders.find({}, { hint: 5 });
  // @ts-expect-error: a collation without its locale
  orders.find({}, { collation: { strength: 1 } });
  // @ts-expect-error: an order that there is not
  orders.find({}, { sort: { total: "up" } });
  // @ts-expect-error: a limit that is a text
  orders.find({}).limit("5");
  // @ts-expect-error: a flag that there is not
  orders.find({}).addCursorFlag("fast", true);
  // @ts-expect-error: a pipeline is an array
  orders.aggregate({ $match: {} });
  // @ts-expect-error: a kind of index that there is not
  orders.createIndex({ total: {} });
  // @ts-expect-error: a misspelt property of an index
  orders.createIndex({ total: 1 }, { uniqe: true });
  // @ts-expect-error: a name is a text
  orders.distinct(5);
  // @ts-expect-error: a moment that there is not
  orders.findOneAndUpdate({}, { $inc: { total: 1 } }, { returnDocument: "later" });
  // @ts-expect-error: `$pull` on a number
  orders.updateOne({}, { $pull: { total: 5 } });
  // @ts-expect-error: a size that is a text
  new MongoClient("quire://x", { maxPoolSize: "5" });
  // @ts-expect-error: a misspelt option of a client
  new MongoClient("quire://x", { maxPoolsize: 5 });
  // @ts-expect-error: a misspelt option of a session
  client.startSession({ causalConsistancy: true });
  // @ts-expect-error: an event that there is not
  client.on("commandStrted", () => undefined);
  // @ts-expect-error: a command is an object
  client.db().command("ping");
  // @ts-expect-error: a member that a result lacks
  (await teas.insertOne({ name: "mint", price: 5 })).insertdId;
}
