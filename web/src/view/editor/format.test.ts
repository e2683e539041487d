/** Laying out changes a script's looks and never its meaning. */
import { describe, expect, test } from "vitest";
import { formatScript } from "./format.ts";

describe("formatting", () => {
  test.each([
    ["db.a.find( {a:1,b : 'x'} )", 'db.a.find({ a: 1, b: "x" })\n'],
    ["let a=1;\nprint( a );", "let a = 1;\nprint(a);\n"],
    ["use  cms\nshow collections\ndb.a.find( )", "use  cms\nshow collections\ndb.a.find()\n"],
    ["{ a:1, $b : 2 }", "{ a: 1, $b: 2 }\n"],
    ["const x=await db.a.findOne()", "const x = await db.a.findOne()\n"],
    ["// a note\n\n\n\nit", "// a note\n\nit\n"],
    ["", ""],
  ])("%j", async (source, formatted) => expect(await formatScript(source)).toBe(formatted));

  test("again changes nothing", async () => {
    const once = await formatScript(
      "use cms\ndb.a.aggregate([{$match:{n:{$gt:1}}},{$group:{_id:'$a',n:{$sum:1}}},{$sort:{n:-1}}," +
        "{$project:{_id:0,name:'$_id',n:1}}])",
    );
    expect(await formatScript(once)).toBe(once);
  });

  test("of what cannot be read says where", async () => {
    await expect(formatScript("let = = 2")).rejects.toThrow(/\(1:\d+\)/);
  });
});
