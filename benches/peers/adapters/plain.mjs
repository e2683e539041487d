/** The physical limit: plain JavaScript Maps and arrays. Not a database: no copies, no query language. */
let byId;
let bySlug;
let byTag;
let bySale;
let all;
let orders;

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
  async insertOrders(list) {
    orders = list;
  },
  async groupByTag() {
    const groups = new Map();
    for (const { tags, total_reviews } of all) {
      for (const tag of tags) {
        let group = groups.get(tag);
        if (!group) groups.set(tag, (group = { count: 0, sum: 0 }));
        group.count += 1;
        group.sum += total_reviews;
      }
    }
    return [...groups].map(([_id, { count, sum }]) => ({ _id, count, sum }));
  },
  async lookUp() {
    return orders.map(({ _id, product, quantity }) => ({ _id, quantity, sale: byId.get(product)?.pricing.sale }));
  },
  async dearest(limit) {
    // The best so far, the worst of them last.
    const best = [];
    for (const product of all) {
      const price = product.pricing.retail;
      if (best.length === limit && best[limit - 1].pricing.retail >= price) continue;
      let place = best.length;
      while (place > 0 && best[place - 1].pricing.retail < price) place -= 1;
      best.splice(place, 0, product);
      if (best.length > limit) best.pop();
    }
    return best;
  },
  async runningTotals(count) {
    const partitions = new Map();
    for (const product of all.slice(0, count)) {
      const partition = partitions.get(product.details.manufacturer);
      if (partition) partition.push(product);
      else partitions.set(product.details.manufacturer, [product]);
    }
    return [...partitions].map(([_id, partition]) => {
      partition.sort((one, other) => (one.slug < other.slug ? -1 : 1));
      let running = 0;
      let sum = 0;
      for (const { total_reviews } of partition) {
        running += total_reviews;
        sum += running;
      }
      return { _id, sum };
    });
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
