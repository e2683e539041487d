/** Which commands of a statement are observed for their plan. */
import { expect, it } from "vitest";
import { encode } from "../codec/encode.ts";
import { StatementPlan } from "./statement-plan.ts";

it("observes commands that read by a plan, by each of their names, until one told it", () => {
  const plan = new StatementPlan();
  for (const [name, planned] of [
    ["find", true],
    ["findAndModify", true],
    ["findandmodify", true],
    ["insert", false],
    ["getMore", false],
    ["mapReduce", false],
  ] as const)
    expect(plan.wants(encode({ [name]: "c" })), name).toBe(planned);
  plan.saw(encode({ find: "c" }), encode({ ok: 1 }), encode({ explain: {} }));
  expect(plan.wants(encode({ find: "c" }))).toBe(false);
});
