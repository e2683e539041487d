/** Mongoose over a deployment of the page: models, validation, population, a transaction. */
export async function tryMongoose(mongoose, host) {
  const connection = await mongoose.createConnection(`mongodb://${host}/shop`).asPromise();
  await connection.dropDatabase();
  const tea = new mongoose.Schema({ name: { type: String, unique: true }, price: Number }, { timestamps: true });
  const Tea = connection.model("Tea", tea);
  const Cup = connection.model("Cup", new mongoose.Schema({ tea: { type: "ObjectId", ref: "Tea" } }));
  await Tea.init();
  const mint = await Tea.create({ name: "mint", price: 4 });
  mint.price += 1;
  await mint.save();
  const refused = await Tea.create({ name: "mint" }).catch(({ code }) => code);
  const invalid = await Tea.create({ name: "sen", price: "much" }).catch(({ name }) => name);
  await connection.transaction((session) => Tea.create([{ name: "oolong", price: 8 }], { session }));
  await Cup.create({ tea: mint._id });
  const { tea: found } = await Cup.findOne().populate("tea");
  const [{ sum }] = await Tea.aggregate([{ $group: { _id: null, sum: { $sum: "$price" } } }]);
  await connection.close();
  return { price: found.price, stamped: found.createdAt instanceof Date, sum, refused, invalid };
}
