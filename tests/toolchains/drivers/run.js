import * as mongodb7 from "mongodb7";
import mongoose9 from "mongoose9";
import { Engine } from "quiredb/engine";
import { listen } from "quiredb/net";
import { tryDriver } from "./driver.js";
import { tryMongoose } from "./mongoose.js";

async function main() {
  // A host whose engine is the program's own, and one that is made for it.
  const engine = await Engine.create();
  const end = listen("given", engine);
  const driver = await tryDriver(mongodb7, "given");
  const { n: kept } = engine.run({ count: "teas", $db: "shop" });
  end();
  engine.close();
  console.log(JSON.stringify({ mongodb7: driver, kept, mongoose9: await tryMongoose(mongoose9, "made") }));
}
main();
