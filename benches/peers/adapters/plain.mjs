/** The physical limit: plain JavaScript Maps and arrays. Not a database: no copies, no query language. */
let byId;
let bySlug;
let byTag;
let bySale;
let all;

export default {
  persistent: false,
  async open() {
    byId = new Map();
    bySlug = new Map();
    byTag = new Map();
    all = [];
  },
  async create() {},
  async insertMany(products) {
    for (const product of products) {
      if (bySlug.has(product.slug)) throw new Error("duplicate slug");
      byId.set(product._id, product);
      bySlug.set(product.slug, product);
      for (const tag of product.tags) {
        const tagged = byTag.get(tag);
        if (tagged) tagged.push(product);
        else byTag.set(tag, [product]);
      }
      all.push(product);
    }
    bySale = [...all].sort((one, other) => one.pricing.sale - other.pricing.sale);
  },
  byId: async (id) => byId.get(id),
  bySlug: async (slug) => bySlug.get(slug),
  async range(low, high) {
    let start = 0;
    let end = bySale.length;
    while (start < end) {
      const middle = (start + end) >> 1;
      if (bySale[middle].pricing.sale < low) start = middle + 1;
      else end = middle;
    }
    const found = [];
    for (; start < bySale.length && bySale[start].pricing.sale < high; start += 1) found.push(bySale[start]);
    return found;
  },
  byTag: async (tag, limit) => byTag.get(tag).slice(0, limit),
  async countHeavier(weight) {
    let count = 0;
    for (const { details } of all) if (details.weight > weight) count += 1;
    return count;
  },
  async group() {
    return groupInScript(all);
  },
  async increment(id) {
    const product = byId.get(id);
    byId.set(id, { ...product, total_reviews: product.total_reviews + 1 });
  },
  async deleteLighter(weight) {
    let count = 0;
    const kept = ({ details }) => details.weight >= weight;
    for (const product of all) {
      if (kept(product)) continue;
      byId.delete(product._id);
      bySlug.delete(product.slug);
      count += 1;
    }
    all = all.filter(kept);
    bySale = bySale.filter(kept);
    for (const [tag, tagged] of byTag) byTag.set(tag, tagged.filter(kept));
    return count;
  },
};

/** Average sale and sum of reviews per manufacturer, for stores without an aggregation of their own. */
export function groupInScript(products) {
  const groups = new Map();
  for (const { details, pricing, total_reviews } of products) {
    let group = groups.get(details.manufacturer);
    if (!group) groups.set(details.manufacturer, (group = { sale: 0, count: 0, sum: 0 }));
    group.sale += pricing.sale;
    group.count += 1;
    group.sum += total_reviews;
  }
  return [...groups].map(([_id, { sale, count, sum }]) => ({ _id, average: sale / count, sum }));
}
