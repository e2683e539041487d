/**
 * Garden-shop products, the same for the same seed: every library, and a fresh worker after a restart, can check
 * its answers against them. About 570 bytes each as BSON.
 */

/** A small xorshift generator of numbers in [0, 1). */
export function generator(seed) {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

const ADJECTIVES = "Extra Large,Small,Compact,Heavy Duty,Organic,Classic,Folding,Galvanized,Wooden,Premium".split(",");
const NOUNS = (
  "Wheelbarrow,Shovel,Rake,Hose,Planter,Trellis,Bench,Pruner,Sprinkler,Compost Bin,Lantern,Bird Bath," +
  "Gloves,Seed Tray,Watering Can"
).split(",");
const COLOURS = "red,green,blue,black,grey,natural,white,brown".split(",");
const THEMES = "tools,gardening,soil,outdoor,decor,water,plants,seeds,winter,summer".split(",");

/** `count` orders of some of the products. */
export function makeOrders(count, products) {
  const random = generator(31);
  return Array.from({ length: count }, (_, i) => ({
    _id: i,
    product: products[Math.floor(random() * products.length)]._id,
    quantity: 1 + Math.floor(random() * 9),
  }));
}

/** 200 tags; each product has three of them. */
export const TAGS = Array.from({ length: 200 }, (_, i) => THEMES[i % 10] + (i < 10 ? "" : `-${Math.floor(i / 10)}`));
/** 50 manufacturers, which the group is by. */
const MAKERS = Array.from({ length: 50 }, (_, i) => `Maker ${String.fromCharCode(65 + (i % 26))}${Math.floor(i / 26)}`);

const cents = (number) => Math.round(number * 100) / 100;
const tenths = (number) => Math.round(number * 10) / 10;

/** `count` products. */
export function makeProducts(count, seed) {
  const random = generator(seed);
  const below = (limit) => Math.floor(random() * limit);
  const pick = (list) => list[below(list.length)];
  const hex = (length) => {
    let text = "";
    while (text.length < length) text += below(0x1000000).toString(16).padStart(6, "0");
    return text.slice(0, length);
  };
  const categories = Array.from({ length: 400 }, () => hex(24));
  return Array.from({ length: count }, (_, i) => {
    const name = `${pick(ADJECTIVES)} ${pick(NOUNS)}`;
    const sku = `${1000 + below(9000)}-${String(i).padStart(6, "0")}`;
    const one = below(200);
    const two = (one + 1 + below(198)) % 200;
    let three = below(200);
    while (three === one || three === two) three = (three + 1) % 200;
    const sale = cents(1 + random() * 500);
    return {
      _id: hex(24),
      slug: `${name.toLowerCase().replaceAll(" ", "-")}-${sku}`,
      sku,
      name,
      description: `${name} for the demanding gardener, model ${hex(8)}; keeps its shape for years.`,
      tags: [TAGS[one], TAGS[two], TAGS[three]],
      details: {
        weight: tenths(random() * 100),
        weight_units: "lbs",
        model_num: 4000000 + below(99999),
        manufacturer: pick(MAKERS),
        color: pick(COLOURS),
      },
      pricing: { retail: cents(sale * 1.25), sale },
      total_reviews: below(500),
      average_review: tenths(1 + random() * 4),
      category_ids: [pick(categories), pick(categories)],
    };
  });
}
