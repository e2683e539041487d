/**
 * sql.js, SQLite in memory: documents as JSON text, generated columns for the indexed fields, a table for the tags. It
 * becomes durable by exporting the whole file into IndexedDB on flush.
 */
import initialise from "sql.js/dist/sql-wasm-browser.js";

export const assets = ["sql.js/dist/sql-wasm-browser.wasm"];

const SCHEMA = `
  create table products(
    id text primary key,
    doc text not null,
    slug text generated always as (json_extract(doc, '$.slug')) virtual,
    sale real generated always as (json_extract(doc, '$.pricing.sale')) virtual
  ) without rowid;
  create unique index by_slug on products(slug);
  create index by_sale on products(sale);
  create table tags(tag text not null, id text not null, primary key(tag, id)) without rowid;
  create trigger tag_insert after insert on products begin
    insert or ignore into tags(tag, id) select value, new.id from json_each(new.doc, '$.tags');
  end;
  create trigger tag_delete after delete on products begin
    delete from tags where id = old.id and tag in (select value from json_each(old.doc, '$.tags'));
  end;`;
let database;
let file;
let statements;

function prepared(sql) {
  let statement = statements.get(sql);
  if (!statement) statements.set(sql, (statement = database.prepare(sql)));
  return statement;
}

function rows(sql, parameters = []) {
  const statement = prepared(sql);
  statement.bind(parameters);
  const found = [];
  while (statement.step()) found.push(statement.get());
  statement.reset();
  return found;
}

const documents = (sql, parameters) => rows(sql, parameters).map(([text]) => JSON.parse(text));

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
  async insertMany(all) {
    database.run("begin");
    const insert = prepared("insert into products(id, doc) values (?, ?)");
    for (const product of all) insert.run([product._id, JSON.stringify(product)]);
    database.run("commit");
  },
  byId: async (id) => documents("select doc from products where id = ?", [id])[0],
  bySlug: async (slug) => documents("select doc from products where slug = ?", [slug])[0],
  range: async (low, high) => documents("select doc from products where sale >= ? and sale < ? order by sale", [low, high]),
  byTag: async (tag, limit) => documents("select doc from tags join products using (id) where tag = ? limit ?", [tag, limit]),
  countHeavier: async (weight) =>
    rows("select count(*) from products where json_extract(doc, '$.details.weight') > ?", [weight])[0][0],
  async group() {
    const sql = `select json_extract(doc, '$.details.manufacturer') as maker,
      avg(json_extract(doc, '$.pricing.sale')), sum(json_extract(doc, '$.total_reviews')) from products group by maker`;
    return rows(sql).map(([_id, average, sum]) => ({ _id, average, sum }));
  },
  async increment(id) {
    prepared(`update products set doc = json_set(doc, '$.total_reviews', json_extract(doc, '$.total_reviews') + 1)
      where id = ?`).run([id]);
  },
  async deleteLighter(weight) {
    const count = () => rows("select count(*) from products")[0][0];
    const before = count();
    database.run("begin");
    prepared("delete from products where json_extract(doc, '$.details.weight') < ?").run([weight]);
    database.run("commit");
    return before - count();
  },
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
