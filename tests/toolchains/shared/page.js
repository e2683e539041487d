/**
 * What each bundled page does: the worker, IndexedDB, the sandbox and an element of the package. The verdict is the
 * page's title.
 */
export async function tryInPage({ MongoClient, Engine, createShell, decode, encode }) {
  try {
    const first = new MongoClient("quire://garden");
    const rakes = first.db("garden").collection("rakes");
    await rakes.deleteMany({});
    await rakes.insertMany(
      [
        { _id: 1, tines: 10 },
        { _id: 2, tines: 14 },
      ],
      { writeConcern: { j: true } },
    );
    await first.close();
    // Another client has another worker: what it reads was stored.
    const second = new MongoClient("quire://garden");
    const found = await second.db("garden").collection("rakes").find({ $where: "this.tines > 11" }).toArray();
    await second.close();
    const stored = (await indexedDB.databases()).length > 0;
    const engine = await Engine.create();
    const ping = decode(engine.command(encode({ ping: 1, $db: "admin" }))).ok;
    const shell = createShell(engine).evaluate("db.rakes.insertOne({ _id: 3 }); db.rakes.find()").text;
    engine.close();
    document.title = JSON.stringify({ found, stored, ping, shell });
  } catch (error) {
    document.title = `failed: ${error?.stack ?? error}`;
  }
}
