/** Names find databases, collections and indexes, each with its parents and its content. */
import { expect, test } from "vitest";
import { filterCatalog } from "./catalog.ts";
import type { CatalogDatabase } from "./model.ts";

const index = (name: string, key: Record<string, number>) => ({ name, key });
const collection = (name: string, ...indexes: readonly ReturnType<typeof index>[]) => ({
  name,
  indexes: [index("_id_", { _id: 1 }), ...indexes],
});
const shop = {
  summary: { name: "shop" },
  collections: [
    collection("orders", index("customer_1_at_-1", { customer: 1, at: -1 })),
    collection("Order lines"),
    collection("people", index("by mail", { mail: 1 })),
  ],
};
const log = { summary: { name: "log" }, collections: [collection("events")] };
const databases = [shop, log] as unknown as readonly CatalogDatabase[];

const shown = (query: string) => {
  const { databases: left, opened, found } = filterCatalog(databases, query);
  const names = left.map(({ summary, collections }) => [
    summary.name,
    ...collections.map(({ name, indexes }) => `${name} ${indexes.length}`),
  ]);
  return [names, [...opened], found];
};

test.each([
  [
    "no query shows all",
    "  ",
    [
      [
        ["shop", "orders 2", "Order lines 1", "people 2"],
        ["log", "events 1"],
      ],
      [],
      2,
    ],
  ],
  ["a database with all that is in it", "LOG", [[["log", "events 1"]], [], 1]],
  ["collections in any case", "order", [[["shop", "orders 2", "Order lines 1"]], [], 2]],
  ["an index by its name", "by mail", [[["shop", "people 1"]], ["shop.people"], 1]],
  ["an index by a key", "at: -1", [[["shop", "orders 1"]], ["shop.orders"], 1]],
  ["words of several levels", "shop people", [[["shop", "people 2"]], [], 1]],
  ["nothing", "herbs", [[], [], 0]],
])("%s", (_name, query, expected) => expect(shown(query)).toEqual(expected));
