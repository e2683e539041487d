/** sql.js, SQLite in memory. It becomes durable by exporting the whole file into IndexedDB on flush. */
import initialise from "sql.js/dist/sql-wasm-browser.js";
import { SCHEMA, sqliteOperations } from "./sqlite-store.mjs";

export const assets = ["sql.js/dist/sql-wasm-browser.wasm"];

let database;
let file;
let statements;

function prepared(sql) {
  let statement = statements.get(sql);
  if (!statement) statements.set(sql, (statement = database.prepare(sql)));
  return statement;
}

function settled(request, event = "success") {
  return new Promise((resolve, reject) => {
    request.addEventListener(event, () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });
}

async function withStore(mode, work) {
  const request = indexedDB.open("sqljs", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("files");
  const connection = await settled(request);
  const transaction = connection.transaction("files", mode);
  const done = settled(transaction, "complete");
  const result = await work(transaction.objectStore("files"));
  await done;
  connection.close();
  return result;
}

export default {
  persistent: true,
  async open({ name, fresh }) {
    file = name;
    statements = new Map();
    const locateFile = () => new URL("sql-wasm-browser.wasm", self.location.href).href;
    const { Database } = await initialise({ locateFile });
    const bytes = fresh ? undefined : await withStore("readonly", (store) => settled(store.get(file)));
    database = new Database(bytes);
  },
  async create() {
    database.run(SCHEMA);
  },
  ...sqliteOperations({
    execute: (sql) => database.run(sql),
    run: (sql, values) => prepared(sql).run(values),
    rows(sql, values) {
      const statement = prepared(sql);
      statement.bind(values);
      const found = [];
      while (statement.step()) found.push(statement.get());
      statement.reset();
      return found;
    },
  }),
  async flush() {
    // An export closes all prepared statements.
    for (const statement of statements.values()) statement.free();
    statements.clear();
    const bytes = database.export();
    await withStore("readwrite", (store) => settled(store.put(bytes, file)));
  },
  async close() {
    database.close();
  },
};
