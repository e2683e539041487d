/** The indexes and pipelines of the bench, for every store that speaks MongoDB's language. */

export const INDEXES = [
  { key: { slug: 1 }, name: "slug_1", unique: true },
  { key: { tags: 1 }, name: "tags_1" },
  { key: { "pricing.sale": 1 }, name: "pricing.sale_1" },
];

/** Average price and number of reviews per manufacturer. */
export const GROUP = [
  { $group: { _id: "$details.manufacturer", average: { $avg: "$pricing.sale" }, sum: { $sum: "$total_reviews" } } },
];

/** Products and their reviews per tag. */
export const GROUP_BY_TAG = [
  { $unwind: "$tags" },
  { $group: { _id: "$tags", count: { $sum: 1 }, sum: { $sum: "$total_reviews" } } },
];

/** The price of each order's product, over the orders. */
export const LOOK_UP = [
  { $lookup: { from: "products", localField: "product", foreignField: "_id", as: "found" } },
  { $project: { quantity: 1, sale: { $first: "$found.pricing.sale" } } },
];

/** The dearest products, by a field without an index. */
export const dearest = (limit) => [{ $sort: { "pricing.retail": -1 } }, { $limit: limit }];

/**
 * Running totals of the first products' reviews per manufacturer, each manufacturer's summed up: the answer is small.
 */
export const runningTotals = (count) => [
  { $limit: count },
  {
    $setWindowFields: {
      partitionBy: "$details.manufacturer",
      sortBy: { slug: 1 },
      output: { running: { $sum: "$total_reviews", window: { documents: ["unbounded", "current"] } } },
    },
  },
  { $group: { _id: "$details.manufacturer", sum: { $sum: "$running" } } },
];
