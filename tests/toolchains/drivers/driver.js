/** MongoDB's own driver over a deployment of the page: CRUD, an aggregation, a transaction, a change stream, GridFS. */
export async function tryDriver({ MongoClient, GridFSBucket }, host) {
  const client = new MongoClient(`mongodb://${host}/shop`);
  const db = client.db();
  const teas = db.collection("teas");
  await db.dropDatabase();
  await teas.insertMany([
    { _id: 1, name: "mint", price: 4 },
    { _id: 2, name: "sen", price: 6 },
    { _id: 3, name: "oolong", price: 8 },
  ]);
  const changes = teas.watch();
  const first = changes.next();
  await teas.updateOne({ _id: 1 }, { $inc: { price: 1 } });
  await teas.deleteOne({ _id: 2 });
  await client.withSession((session) =>
    session.withTransaction(() => teas.insertOne({ _id: 4, name: "pu-erh", price: 9 }, { session })),
  );
  const { operationType } = await first;
  await changes.close();
  const [{ sum }] = await teas.aggregate([{ $group: { _id: null, sum: { $sum: "$price" } } }]).toArray();
  const names = [];
  for await (const { name } of teas.find().sort({ name: 1 }).batchSize(2)) names.push(name);
  const refused = await teas.insertOne({ _id: 1 }).catch(({ code }) => code);
  const bucket = new GridFSBucket(db);
  const file = bucket.openUploadStream("tale.txt");
  await new Promise((resolve, reject) => file.once("finish", resolve).once("error", reject).end("x".repeat(300_000)));
  let length = 0;
  for await (const piece of bucket.openDownloadStream(file.id)) length += piece.length;
  await client.close();
  return { operationType, sum, names, refused, length };
}
