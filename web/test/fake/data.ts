/**
 * Made-up documents and replies for the page without an engine.
 *
 * Invariant: always the same, so that screenshots of two builds can be laid side by side.
 */
import { Decimal128, Double, Int32, Long, ObjectId, UUID, type Document } from "bson";
import type { CatalogDatabase } from "../../src/state/model.ts";

const oid = (n: number): ObjectId => new ObjectId(`4c4b1476238d3b4dd50000${n.toString(16).padStart(2, "0")}`);

export const products: readonly Document[] = Array.from({ length: 45 }, (_, index) => ({
  _id: oid(index + 1),
  slug: `wheelbarrow-${9092 + index}`,
  sku: String(9092 + index),
  name:
    index % 3 === 0
      ? "Extra Large Wheelbarrow"
      : index % 3 === 1
        ? "Rubberised Work Glove, Black"
        : "Copper Watering Can",
  details: { weight: new Int32(47 + index), weight_units: "lbs", model_num: new Long(4039283402), color: "Green" },
  total_reviews: new Int32(4),
  average_review: new Double(4.5),
  pricing: { retail: new Int32(589700 + index * 100), sale: index % 5 === 0 ? null : new Int32(489700) },
  price_history: [
    { retail: new Int32(529700), start: new Date(Date.UTC(2010, 4, 1)), end: new Date(Date.UTC(2010, 4, 8)) },
    { retail: new Int32(529700), start: new Date(Date.UTC(2010, 4, 9)), end: new Date(Date.UTC(2010, 4, 16)) },
  ],
  primary_category: oid(200),
  category_ids: [oid(200), oid(201)],
  main_cat_id: new UUID("8f3c6f0e-6e0d-4b7e-9df0-3f7b0a4f2c11"),
  tax: Decimal128.fromString("0.0825"),
  tags: ["tools", "gardening", "soil"],
  ...(index % 4 === 1 ? { discontinued: true } : {}),
}));

export function explainReply(collection: string, scan: boolean): Document {
  const input = scan
    ? {
        stage: "COLLSCAN",
        filter: { tags: { $eq: "soil" } },
        nReturned: new Int32(15),
        works: 500,
        direction: "forward",
        docsExamined: new Int32(500),
        executionTimeMillisEstimate: 1,
      }
    : {
        stage: "FETCH",
        nReturned: new Int32(45),
        docsExamined: new Int32(45),
        inputStage: {
          stage: "IXSCAN",
          nReturned: new Int32(45),
          keysExamined: new Int32(45),
          keyPattern: { slug: 1 },
          indexName: "slug_1",
          isUnique: true,
          direction: "forward",
          indexBounds: { slug: ['["wheelbarrow", "wheelbarrox")', "[/^wheelbarrow/, /^wheelbarrow/]"] },
        },
      };
  const plan = scan
    ? { stage: "SORT", sortPattern: { "pricing.retail": 1 }, memLimit: 104857600, type: "simple", inputStage: input }
    : input;
  return {
    explainVersion: "1",
    queryPlanner: {
      namespace: `test.${collection}`,
      parsedQuery: scan ? { tags: { $eq: "soil" } } : { slug: { $regex: "^wheelbarrow" } },
      winningPlan: plan,
      rejectedPlans: scan ? [] : [{ stage: "COLLSCAN", direction: "forward" }],
    },
    executionStats: {
      quire: {
        pagesRead: new Int32(scan ? 19 : 6),
        bytesRead: new Int32(98304),
        plan: scan ? "SORT({ pricing.retail: 1 }) <- COLLSCAN" : "FETCH <- IXSCAN slug_1",
      },
      executionSuccess: true,
      nReturned: new Int32(scan ? 15 : 45),
      executionTimeMillis: 1,
      totalKeysExamined: new Int32(scan ? 0 : 45),
      totalDocsExamined: new Int32(scan ? 500 : 45),
      executionStages: plan,
    },
    ok: 1,
  };
}

const index = (
  name: string,
  key: Document,
  more: Partial<CatalogDatabase["collections"][number]["indexes"][number]> = {},
) => ({
  name,
  key,
  unique: false,
  sparse: false,
  partial: false,
  hidden: false,
  expireAfterSeconds: null,
  sizeBytes: 32768,
  ...more,
});
const collection = (name: string, count: number, indexes: readonly ReturnType<typeof index>[], more: object = {}) => ({
  name,
  type: "collection" as const,
  options: {},
  count,
  sizeBytes: count * 612,
  storageBytes: count * 612,
  capped: false,
  indexes: [index("_id_", { _id: 1 }), ...indexes],
  ...more,
});

export const catalog: readonly CatalogDatabase[] = [
  {
    summary: { name: "cms", sizeOnDisk: 131072, empty: false },
    collections: [
      collection("posts", 12, [index("author_1", { author: 1 }), index("comments.who_1", { "comments.who": 1 })]),
      collection("users", 3, []),
    ],
  },
  {
    summary: { name: "test", sizeOnDisk: 2457600, empty: false },
    collections: [
      collection("categories", 8, [index("slug_1", { slug: 1 }, { unique: true })]),
      collection("orders", 1204, [index("user_id_1_purchase_date_-1", { user_id: 1, purchase_date: -1 })]),
      collection("products", 100000, [
        index("slug_1", { slug: 1 }, { unique: true }),
        index("tags_1", { tags: 1 }),
        index("pricing.retail_1_name_1", { "pricing.retail": 1, name: 1 }, { partial: true }),
      ]),
      collection("reviews", 512, [index("time_field_1", { time_field: 1 }, { expireAfterSeconds: 3600 })]),
      collection("user_actions", 160, [], { capped: true, options: { capped: true, size: 16384 } }),
    ],
  },
];
