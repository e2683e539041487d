/** What is embedded, as the words below a model's drawing say it. */
import { expect, test } from "vitest";
import type { ModelCollection } from "../../state/model-view/model.ts";
import { embeddedIn } from "./card-drawing.ts";

const collection = (name: string, ...paths: readonly (readonly string[])[]): ModelCollection =>
  ({
    name,
    fields: paths.map((steps) => ({ steps, path: steps.join(".").replaceAll(".[]", "[]") })),
  }) as unknown as ModelCollection;

test("documents and lists of documents are embedded, lists of values are not", () => {
  const orders = collection(
    "orders",
    ["_id"],
    ["to"],
    ["to", "city"],
    ["lines"],
    ["lines", "[]"],
    ["lines", "[]", "product"],
    ["tags"],
    ["tags", "[]"],
  );
  expect(embeddedIn({ collections: [orders, collection("tos", ["tocity"])] })).toEqual(["orders.to", "orders.lines[]"]);
});
