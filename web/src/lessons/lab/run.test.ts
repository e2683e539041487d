/** A lab in real engines with the real sandbox: its figures, its faults, and that it can be stopped. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openSandboxed } from "../../pkg/docs/sandboxed.ts";
import { growthOf, readNamed, scalesUpTo, valueOf, type LabMeasure } from "./measure.ts";
import { parseScripts } from "./parse.ts";
import { LabStopped, measureLab, type LabProgress } from "./run.ts";

const wasm = (name: string): string => fileURLToPath(new URL(`../../../wasm/${name}`, import.meta.url));
const files = {
  engineWasm: () => readFileSync(wasm("quire_bg.wasm")),
  sandboxWasm: () => readFileSync(wasm("sandbox.wasm")),
};
const openHost = () => openSandboxed(10_000, files);
const js = (words: string, source: string): string => `\`\`\`js ${words}\n${source}\n\`\`\`\n`;

const together = "db.a.insertMany(Array.from({ length: n }, (_, _id) => ({ _id, tag: 'old' })))";
const scripts = parseScripts(
  [
    js("design copied", together),
    js(
      "design named",
      "db.a.insertMany(Array.from({ length: n }, (_, _id) => ({ _id }))); db.tags.insertOne({ _id: 1, tag: 'old' })",
    ),
    js("read see copied", "({ tag: db.a.findOne({ _id: 7 }).tag, n })"),
    js("read see named", "const found = db.a.findOne({ _id: 7 });\n({ n, tag: db.tags.findOne().tag })"),
    js("write rename copied", "db.a.updateMany({}, { $set: { tag: 'new' } })"),
    js("write rename named", "db.tags.updateOne({ _id: 1 }, { $set: { tag: 'new' } })"),
  ].join("\n"),
);

const figure = (measure: LabMeasure, name: string): number | null => {
  const named = readNamed(name, scripts);
  if (typeof named === "string") throw new Error(named);
  return valueOf(named, measure);
};

describe("a lab that is run", () => {
  test("tells of memory that ran out at the script that filled it, and at no other", async () => {
    const hungry =
      "const all = []; try { for (;;) all.push(new ArrayBuffer(1 << 22)); } catch {} for (;;) all.push({});";
    const good = "db.a.insertOne({ _id: n })";
    const read = "db.a.findOne().n";
    const filling = [
      ["design a", good],
      ["design b", hungry],
      ["design c", good],
    ] as const;
    const operations = ["a", "b", "c"].flatMap((id) => [
      js(`read one ${id}`, id === "a" ? hungry : read),
      js(`read two ${id}`, read),
    ]);
    const lab = parseScripts([...filling.map(([words, source]) => js(words, source)), ...operations].join("\n"));
    const { designs } = await measureLab(lab, 100, { openHost });
    const told = designs.map(({ faults }) => faults.map(({ script, error }) => [script, error.text]));
    const ranOut = "InternalError: out of memory";
    expect(told).toEqual([[["one", ranOut]], [["design", ranOut]], []]);
  });

  test("gives what each design holds and what each operation took, at each scale", async () => {
    const progress: LabProgress[] = [];
    const measures: LabMeasure[] = [];
    for (const scale of scalesUpTo(200))
      measures.push(await measureLab(scripts, scale, { openHost, onProgress: (one) => void progress.push(one) }));
    const [, last] = measures as [LabMeasure, LabMeasure];
    expect(last.differences).toEqual([]);
    expect(last.designs.flatMap(({ faults }) => faults)).toEqual([]);
    const of = (...names: readonly string[]): readonly unknown[] => names.map((name) => figure(last, name));
    expect(of("n", "copied.documents", "named.documents")).toEqual([200, 200, 201]);
    // 4 bytes of length, an int32, a string of three letters, the end.
    expect(of("copied.averageBytes", "copied.largestBytes", "copied.dataBytes")).toEqual([27, 27, 200 * 27]);
    expect(of("copied.see.commands", "named.see.commands")).toEqual([1, 2]);
    expect(of("copied.see.documentsExamined", "named.see.documentsExamined")).toEqual([1, 2]);
    expect(of("copied.rename.documentsWritten", "named.rename.documentsWritten")).toEqual([200, 1]);
    expect(of("copied.see.pagesWritten", "copied.see.documentsWritten")).toEqual([0, 0]);
    expect(figure(last, "copied.storageBytes")).toBeGreaterThanOrEqual(16_384);
    expect(growthOf(measures, ["copied", "named"], "rename", "documentsWritten")).toEqual([
      {
        design: "copied",
        points: [
          { scale: 100, value: 100 },
          { scale: 200, value: 200 },
        ],
      },
      {
        design: "named",
        points: [
          { scale: 100, value: 1 },
          { scale: 200, value: 1 },
        ],
      },
    ]);
    expect(last.designs[1]?.samples.map(({ collection, documents, bytes }) => [collection, documents, bytes])).toEqual([
      ["a", 200, 14],
      ["tags", 1, 27],
    ]);
    expect(progress.slice(0, 3)).toEqual(
      ["design", "see", "rename"].map((script) => ({ scale: 100, design: "copied", script })),
    );
  });

  test("counts a time series by its buckets, without the note of how they are read", async () => {
    const series = [
      js(
        "design plain",
        "db.createCollection('a', { clusteredIndex: { key: { _id: 1 }, unique: true } }); " +
          "db.a.insertMany(Array.from({ length: n }, (_, k) => ({ _id: k, at: new Date(k) })))",
      ),
      js(
        "design series",
        "db.createCollection('a', { timeseries: { timeField: 'at' } }); " +
          "db.a.insertMany(Array.from({ length: n }, (_, k) => ({ _id: k, at: new Date(k) })))",
      ),
      ...["plain", "series"].map((id) => js(`read one ${id}`, "db.a.find({}, { _id: 1 }).toArray()")),
    ];
    const measure = await measureLab(parseScripts(series.join("\n")), 100, { openHost });
    const [plain, packed] = measure.designs;
    expect(measure.differences).toEqual([]);
    expect(packed?.samples.map(({ collection, documents }) => [collection, documents])).toEqual([
      ["system.buckets.a", 1],
    ]);
    expect([plain?.sizes?.documents, packed?.sizes?.documents]).toEqual([100, 1]);
    expect(packed?.sizes?.averageBytes).toBe(packed?.sizes?.dataBytes);
    expect([plain?.sizes?.indexBytes, packed?.sizes?.indexBytes]).toEqual([0, 0]);
  });

  test("gives the same figures when it is run again", async () => {
    const [first, second] = [
      await measureLab(scripts, 100, { openHost }),
      await measureLab(scripts, 100, { openHost }),
    ];
    expect(second).toEqual(first);
  });

  const broken = (changes: Readonly<Record<string, string>>): ReturnType<typeof parseScripts> => ({
    designs: scripts.designs.map(({ id, load }) => ({ id, load: changes[`design ${id}`] ?? load })),
    operations: scripts.operations.map((operation) => ({
      ...operation,
      scripts: new Map(
        [...operation.scripts].map(([design, source]) => [design, changes[`${operation.id} ${design}`] ?? source]),
      ),
    })),
  });

  test("tells of a design that fails with its place, and measures the others", async () => {
    const lab = broken({ "design copied": "1;\nnothing.there", "rename named": "db.tags.updateOne({}, { $no: 1 })" });
    const { designs } = await measureLab(lab, 100, { openHost });
    const [copied, named] = designs;
    expect(copied?.sizes).toBeNull();
    expect(copied?.faults).toMatchObject([{ script: "design", error: { line: 2, name: "ReferenceError" } }]);
    expect(named?.sizes?.documents).toBe(101);
    expect([...(named?.costs.keys() ?? [])]).toEqual(["see"]);
    expect(named?.faults).toMatchObject([{ script: "rename", error: { line: 1 } }]);
  });

  test("tells of a read that writes, of answers that differ, and takes back what a script wrote", async () => {
    const lab = broken({
      "see named": "db.tags.deleteOne({}); 1",
      "rename copied": "db.a.updateOne({ _id: 7 }, { $set: { tag: 'x' } })",
    });
    const { designs, differences } = await measureLab(lab, 100, { openHost });
    expect(designs[1]?.faults).toMatchObject([{ script: "see", own: "read-writes" }]);
    expect(designs[1]?.costs.get("rename")?.documentsWritten).toBe(1);
    const other = broken({ "rename copied": "db.a.updateOne({ _id: 7 }, { $set: { tag: 'x' } })" });
    expect((await measureLab(other, 100, { openHost })).differences).toEqual([
      { design: "named", first: "copied", operation: "see", after: "rename" },
    ]);
    expect(differences.every(({ after }) => after === "rename")).toBe(true);
  });

  test("tells a sorted list's own cost, without the plans that were tried for it", async () => {
    const list = (more: string): string => `db.a.find({ _id: { $lt: 150 } }${more}).sort({ _id: 1 }).toArray().length`;
    const lab = broken({ "see copied": list(""), "see named": list("").replace("_id: 1", '"_id": 1') });
    const { designs } = await measureLab(lab, 200, { openHost });
    for (const { costs } of designs)
      expect(costs.get("see")).toMatchObject({ documentsReturned: 150, documentsExamined: 150, commands: 2 });
  });

  test("ends where it is stopped", async () => {
    const control = new AbortController();
    const run = measureLab(scripts, 100, {
      openHost,
      signal: control.signal,
      onProgress: ({ script }) => script === "see" && control.abort(),
    });
    await expect(run).rejects.toThrow(LabStopped);
  });

  test.each([
    "n.x",
    "other.documents",
    "copied.pages",
    "copied.see.bytes",
    "copied.go.pagesRead",
    "copied.see.commands.x",
  ])("knows no figure %s", (name) => expect(readNamed(name, scripts)).toBeTypeOf("string"));
});
