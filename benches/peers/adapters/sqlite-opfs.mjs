/**
 * SQLite's own build for browsers, its file in the origin's private file system; every statement is durable by itself.
 */
import initialise from "@sqlite.org/sqlite-wasm";
import { SCHEMA, sqliteOperations } from "./sqlite-store.mjs";

export const assets = ["@sqlite.org/sqlite-wasm/sqlite3.wasm"];

let database;
const statements = new Map();

function bound(sql, values) {
  let statement = statements.get(sql);
  if (!statement) statements.set(sql, (statement = database.prepare(sql)));
  if (values.length > 0) statement.bind(values);
  return statement;
}

export default {
  persistent: true,
  async open({ name, fresh }) {
    const sqlite = await initialise({
      print() {},
      printErr: console.error,
      locateFile: (file) => new URL(file, self.location.href).href,
    });
    const pool = await sqlite.installOpfsSAHPoolVfs({ name: "bench" });
    if (fresh) await pool.wipeFiles();
    database = new pool.OpfsSAHPoolDb(`/${name}`);
    database.exec("pragma cache_size = -65536");
  },
  async create() {
    database.exec(SCHEMA);
  },
  ...sqliteOperations({
    execute: (sql) => database.exec(sql),
    run: (sql, values) => bound(sql, values).stepReset(),
    rows(sql, values) {
      const statement = bound(sql, values);
      const found = [];
      while (statement.step()) found.push(statement.get([]));
      statement.reset();
      return found;
    },
  }),
  async flush() {},
  async close() {
    for (const statement of statements.values()) statement.finalize();
    database.close();
  },
};
