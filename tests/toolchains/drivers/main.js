import "quiredb/net";
import * as mongodb6 from "mongodb6";
import * as mongodb7 from "mongodb7";
import mongoose8 from "mongoose8";
import mongoose9 from "mongoose9";
import { tryDriver } from "./driver.js";
import { tryMongoose } from "./mongoose.js";

const tries = {
  mongodb6: () => tryDriver(mongodb6, "six"),
  mongodb7: () => tryDriver(mongodb7, "seven"),
  mongoose8: () => tryMongoose(mongoose8, "eight"),
  mongoose9: () => tryMongoose(mongoose9, "nine"),
};
const done = {};
try {
  for (const [name, work] of Object.entries(tries)) done[name] = await work();
  document.title = JSON.stringify(done);
} catch (error) {
  document.title = `failed: ${error.stack} after ${JSON.stringify(done)}`;
}
