/**
 * SQLite as a document store, for sql.js and for SQLite's own build: documents as JSON text, generated columns for the
 * indexed fields, a table for the tags.
 */
export const SCHEMA = `
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

/**
 * The operations of both SQLite builds, over three functions: `execute(sql)`, `run(sql, values)`, and `rows(sql,
 * values)`, the rows as arrays.
 */
export function sqliteOperations({ execute, run, rows }) {
  const documents = (sql, values) => rows(sql, values).map(([text]) => JSON.parse(text));
  const count = () => rows("select count(*) from products", [])[0][0];
  return {
    async insertMany(all) {
      execute("begin");
      for (const product of all)
        run("insert into products(id, doc) values (?, ?)", [product._id, JSON.stringify(product)]);
      execute("commit");
    },
    byId: async (id) => documents("select doc from products where id = ?", [id])[0],
    bySlug: async (slug) => documents("select doc from products where slug = ?", [slug])[0],
    range: async (low, high) =>
      documents("select doc from products where sale >= ? and sale < ? order by sale", [low, high]),
    byTag: async (tag, limit) =>
      documents("select doc from tags join products using (id) where tag = ? limit ?", [tag, limit]),
    countHeavier: async (weight) =>
      rows("select count(*) from products where json_extract(doc, '$.details.weight') > ?", [weight])[0][0],
    async group() {
      const sql = `select json_extract(doc, '$.details.manufacturer') as maker,
        avg(json_extract(doc, '$.pricing.sale')), sum(json_extract(doc, '$.total_reviews')) from products group by maker`;
      return rows(sql, []).map(([_id, average, sum]) => ({ _id, average, sum }));
    },
    async increment(id) {
      run(
        `update products set doc = json_set(doc, '$.total_reviews', json_extract(doc, '$.total_reviews') + 1)
        where id = ?`,
        [id],
      );
    },
    async deleteLighter(weight) {
      const before = count();
      execute("begin");
      run("delete from products where json_extract(doc, '$.details.weight') < ?", [weight]);
      execute("commit");
      return before - count();
    },
  };
}
