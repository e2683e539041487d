/**
 * The codec bench: the npm package's `encode` and `decode` against js-bson in one process, in turns, as ratios.
 *
 * `node benches/codec.mjs [--count N]` after `cargo xtask build`. Prints milliseconds and how many times faster we are.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { exported, unpack } from "./peers/packed.mjs";

const bson = createRequire(new URL("../web/package.json", import.meta.url))("bson");
const quiredb = unpack(fileURLToPath(new URL("../pkg", import.meta.url)));
const { decode, encode } = await import(pathToFileURL(join(quiredb.root, exported(quiredb, "quiredb"))).href);

const at = process.argv.indexOf("--count");
const count = at < 0 ? 10_000 : Number(process.argv[at + 1]);

const small = (n) => ({
  _id: new bson.ObjectId(),
  slug: `wheelbarrow-${n}`,
  name: `Wheelbarrow ${n}`,
  price: n + 0.5,
  stock: n,
  active: n % 2 === 0,
  added: new Date(1.7e12 + n),
  tags: ["tools", "soil"],
});
const product = (n) => ({
  ...small(n),
  sku: String(9000 + n),
  description: "A wheelbarrow of steel, with a rubber tyre and grips of ash wood, for the garden and for the yard.",
  details: { weight: n % 100, weight_units: "lbs", model_num: n, manufacturer: "Acme", color: "Green" },
  pricing: { retail: n * 3, sale: n * 2 },
  price_history: [
    { retail: n, sale: n, start: new Date(1.6e12), end: new Date(1.65e12) },
    { retail: n + 1, sale: n, start: new Date(1.6e12), end: new Date(1.65e12) },
  ],
  category_ids: [new bson.ObjectId(), new bson.ObjectId()],
  average_review: 4.76,
  total_reviews: n,
});

/** The best of several rounds, the two sides in turns, so that both meet the same noise. */
function compare(what, ours, theirs) {
  let [best, other] = [Infinity, Infinity];
  for (let round = 0; round < 9; round++) {
    let begun = performance.now();
    ours();
    best = Math.min(best, performance.now() - begun);
    begun = performance.now();
    theirs();
    other = Math.min(other, performance.now() - begun);
  }
  console.log(
    `${what.padEnd(28)} ${best.toFixed(1).padStart(8)} ms   js-bson ${other.toFixed(1).padStart(8)} ms   ${(other / best).toFixed(2)} times`,
  );
}

for (const [name, make] of [
  ["small documents", small],
  ["garden products", product],
]) {
  const documents = Array.from({ length: count }, (_, n) => make(n));
  const reply = bson.serialize({ cursor: { firstBatch: documents, id: 0, ns: "shop.products" }, ok: 1 });
  const bytes = documents.map((document) => bson.serialize(document));
  console.log(`${count} ${name} of ${bytes[0].length} bytes`);
  compare(
    "  decode one batch",
    () => decode(reply),
    () => bson.deserialize(reply),
  );
  compare(
    "  decode one by one",
    () => {
      for (const item of bytes) decode(item);
    },
    () => {
      for (const item of bytes) bson.deserialize(item);
    },
  );
  compare(
    "  encode one by one",
    () => {
      for (const item of documents) encode(item);
    },
    () => {
      for (const item of documents) bson.serialize(item);
    },
  );
}
