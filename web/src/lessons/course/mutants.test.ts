/** Solutions with one fault each. */
import { describe, expect, test } from "vitest";
import { mutantsOf, probe, withConstant } from "./mutants.ts";

const told = (source: string, asksValue = false): readonly string[] =>
  mutantsOf(source, asksValue).map(({ kind, source: changed, line }) => `${kind} ${line}: ${changed ?? "…"}`);

describe("mutants", () => {
  test("are off by their bound", () => {
    expect(told("db.a.deleteMany({ n: { $gte: 1, '$lt': 5 } })").slice(1)).toEqual([
      "bound 1: db.a.deleteMany({ n: { $gt: 1, '$lt': 5 } })",
      "bound 1: db.a.deleteMany({ n: { $gte: 1, $lte: 5 } })",
    ]);
    expect(told("db.a.find({}).limit(20)", true)).toEqual(["bound 1: db.a.find({}).limit(21)", "constant 1: …"]);
  });

  test("lack a command, but none that only reads or stands there twice", () => {
    expect(told("db.a.insertOne({})\nprint(1)\nvote(1)\nvote(1)\ndb.a.find()")).toEqual([
      "missing 1: ;\nprint(1)\nvote(1)\nvote(1)\ndb.a.find()",
    ]);
    expect(told("for (const n of [1]) db.a.updateOne({ n }, { $inc: { n } })")).toEqual([
      "missing 1: for (const n of [1]) ;",
    ]);
  });

  test("have a constant in the place of a read, and of the result where the check looks at it", () => {
    const source = "const n = db.a.countDocuments({}), all = db.a.find().toArray()\ndb.a.find({ n: n })";
    const constants = mutantsOf(source, true).filter(({ kind }) => kind === "constant");
    expect(constants.map(({ start, end, isCursor }) => [source.slice(start, end), isCursor])).toEqual([
      ["db.a.countDocuments({})", false],
      ["db.a.find().toArray()", false],
      ["db.a.find({ n: n })", true],
    ]);
    expect(mutantsOf(source, false)).toHaveLength(2);
    const [first, , last] = constants as [(typeof constants)[0], unknown, (typeof constants)[0]];
    expect(probe(source, last)).toContain("\n(quireProbe = (db.a.find({ n: n }).toArray()))");
    expect(withConstant(source, first, "3")).toMatch(/^const n = EJSON\.parse\("3", \{ relaxed: false \}\), all/);
  });

  test("are none of a stage that writes, nor of a script that cannot be read", () => {
    expect(told("db.a.aggregate([{ $out: 'b' }])")).toEqual(["missing 1: ;"]);
    expect(told("db.a.find(")).toEqual([]);
  });
});
