/** Beside a result only those drawings are offered that have something to show. */
import { describe, expect, test } from "vitest";
import { readPlan, type Plan } from "../plan.ts";
import { insidesOf, PLAIN, type Nature } from "./insides.ts";

const planned = (winningPlan: object): Plan => {
  const plan = readPlan({ queryPlanner: { namespace: "shop.tea.s", winningPlan } });
  if (plan === null) throw new Error("no plan");
  return plan;
};
const offered = (plan: Plan, nature: Nature = PLAIN): readonly string[] =>
  insidesOf(plan, nature).map((inside) => {
    if (inside.kind === "tree") return `tree ${inside.database} ${inside.collection} ${inside.index}`;
    return inside.kind === "dial" ? `dial ${inside.index}` : inside.kind;
  });

describe("beside a result", () => {
  test("stand the trees it went through, each once, and the pages", () => {
    expect(offered(planned({ stage: "COLLSCAN", direction: "forward" }))).toEqual(["tree shop tea.s null", "pages"]);
    const scan = (indexName: string): object => ({ stage: "IXSCAN", indexName, indexBounds: {} });
    expect(
      offered(
        planned({
          stage: "FETCH",
          inputStage: { stage: "OR", inputStages: [scan("a_1"), scan("b_1"), scan("a_1")] },
        }),
      ),
    ).toEqual(["tree shop tea.s a_1", "tree shop tea.s b_1", "pages"]);
  });

  test("stands the map of a look-up where cells of a geospatial index were read", () => {
    const scan = { stage: "IXSCAN", indexName: "at_2dsphere", keyPattern: { at: "2dsphere" } };
    expect(offered(planned({ ...scan, indexBounds: { at: ["[1, 3]"] } }))).toEqual([
      "tree shop tea.s at_2dsphere",
      "lookup",
      "pages",
    ]);
    // A search for the nearest that was only planned has no cells.
    expect(offered(planned({ ...scan, stage: "GEO_NEAR_2DSPHERE" }))).toEqual(["tree shop tea.s at_2dsphere", "pages"]);
  });

  test("stands the tree of the documents where they lie in the order of their _id", () => {
    expect(offered(planned({ stage: "CLUSTERED_IXSCAN", indexName: "_id_" }))).toEqual([
      "tree shop tea.s null",
      "pages",
    ]);
  });

  test("stand a ring and a dial where its collection is such", () => {
    const scan = planned({ stage: "COLLSCAN" });
    expect(offered(scan, { isCapped: true, expiringIndex: "at_1" }).slice(-2)).toEqual(["ring", "dial at_1"]);
  });
});
