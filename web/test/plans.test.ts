/**
 * What the plan's views draw of some sixty commands is what the engine reports of them, and what running them gives.
 *
 * Invariant: the explain is walked here a second time, field by field, without the functions under test.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Document } from "bson";
import { beforeAll, describe, expect, test } from "vitest";
import { decode } from "../src/codec/decode.ts";
import { encode } from "../src/codec/encode.ts";
import { loadEngine } from "../src/engine/load.ts";
import { en } from "../src/messages/xray/insight-en.ts";
import { zhHans } from "../src/messages/xray/insight-zh-hans.ts";
import { sentencesOf } from "../src/messages/xray/insight-sentence.ts";
import { Engine } from "../src/pkg/engine.ts";
import { addBatch, type Fetched } from "../src/state/fetched.ts";
import { countedIn, readInsight, type Reading, type Verdict } from "../src/state/insight.ts";
import { flowOf, widest, type Flow } from "../src/state/plan-flow.ts";
import { readPlan, stagesOf, type Plan } from "../src/state/plan.ts";
import { readSoFar } from "../src/state/so-far.ts";
import { cases, preparing } from "./plan-commands.ts";

const wasm = fileURLToPath(new URL("../wasm/quire_bg.wasm", import.meta.url));

interface RawStage {
  readonly name: string;
  readonly keys: number | undefined;
  readonly documents: number | undefined;
  readonly given: number;
}

/** Every stage of an explain, the answering one first, read from the reply by hand. */
function rawStages(explain: Document): RawStage[] {
  if (explain["stages"] !== undefined) {
    const stages = explain["stages"] as Document[];
    return stages
      .flatMap((entry) => {
        if (entry["$cursor"] !== undefined) return rawStages(entry["$cursor"] as Document).toReversed();
        const name = Object.keys(entry).find((key) => key.startsWith("$")) ?? "";
        return [
          {
            name,
            keys: entry["totalKeysExamined"] as number | undefined,
            documents: entry["totalDocsExamined"] as number | undefined,
            given: entry["nReturned"] as number,
          },
        ];
      })
      .toReversed();
  }
  const walk = (stage: Document): RawStage[] => [
    {
      name: stage["stage"] as string,
      keys: stage["keysExamined"] as number | undefined,
      documents: stage["docsExamined"] as number | undefined,
      given:
        stage["nCounted"] ??
        stage["nWouldDelete"] ??
        (stage["nMatched"] === undefined ? stage["nReturned"] : stage["nMatched"] + stage["nWouldUpsert"]),
    },
    ...(stage["inputStage"] === undefined ? [] : walk(stage["inputStage"] as Document)),
    ...((stage["inputStages"] as Document[] | undefined) ?? []).flatMap(walk),
  ];
  return walk(explain["executionStats"].executionStages as Document);
}

function drawn(explain: Document): { readonly plan: Plan; readonly flow: Flow } {
  const plan = readPlan(explain);
  if (plan === null) throw new Error("no plan");
  return { plan, flow: flowOf(plan) };
}

/** What is said of the keys of all batches, against the plan that gave as many documents at once. */
function expectRepeats({ since, notes }: Reading, explain: unknown): void {
  const told = since === undefined ? notes.find(({ kind }) => kind === "repeated") : since.repeated;
  const plan = readPlan(explain);
  if (told?.kind !== "repeated" || plan === null) return;
  const dropped = stagesOf(plan.root).reduce((sum, { counts }) => sum + (counts["dupsDropped"] ?? 0), 0);
  if (told.isMost === true) expect([told.count, told.count - 1]).toContain(dropped);
  else expect(told.count).toBe(dropped);
}

describe.skipIf(!existsSync(wasm))("plans as the engine gives them", () => {
  let run: (command: Document) => Document;

  beforeAll(async () => {
    await loadEngine(() => readFileSync(wasm));
    const engine = await Engine.create({});
    run = (command) => decode(engine.command(encode({ ...command, $db: "shop" })));
    for (const command of preparing) expect(run(command)).toMatchObject({ ok: 1 });
  });

  /** How many documents a command gives, counts or changes, by running it. */
  function answered(command: Document): number | null {
    const name = Object.keys(command)[0] ?? "";
    if (["update", "delete", "findAndModify"].includes(name)) return null;
    const reply = run(command);
    if (name === "count") return reply["n"] as number;
    if (name === "distinct") return null;
    let [count, { cursor }] = [0, reply as { cursor: { id: unknown; firstBatch?: unknown[]; nextBatch?: unknown[] } }];
    for (;;) {
      count += (cursor.firstBatch ?? cursor.nextBatch ?? []).length;
      if (String(cursor.id) === "0") return count;
      const collection = command[name] === 1 ? "$cmd.aggregate" : command[name];
      cursor = run({ getMore: BigInt(String(cursor.id)), collection })["cursor"] as typeof cursor;
    }
  }

  test.each(cases)("$name", ({ command, verdict, notes, says }) => {
    const explain = run({ explain: command, verbosity: "allPlansExecution" });
    expect(explain).toMatchObject({ ok: 1 });
    const { plan, flow } = drawn(explain);
    const raw = rawStages(explain);

    // Every stage is drawn, with the figures of the reply.
    const stages = stagesOf(plan.root);
    expect(stages.map((stage) => stage.name)).toEqual(raw.map((stage) => stage.name));
    expect(stages.map((stage) => stage.keysExamined ?? undefined)).toEqual(raw.map((stage) => stage.keys));
    expect(stages.map((stage) => stage.documentsExamined ?? undefined)).toEqual(raw.map((stage) => stage.documents));
    const nodes = flow.nodes.filter((node) => node.kind === "stage");
    expect(nodes.map((node) => node.stage?.name).toSorted()).toEqual(raw.map((stage) => stage.name).toSorted());
    for (const node of nodes) expect(node.given).toBe(raw[stages.indexOf(node.stage as never)]?.given);

    // Every stage's output leaves it by one band; what is examined at the start of a read comes by one too.
    for (const node of nodes) {
      const out = flow.bands.filter((band) => band.from === node.id);
      expect(out.map((band) => band.figure)).toEqual([node.given]);
    }
    const examined = flow.nodes.filter((node) => node.kind === "source");
    for (const source of examined) {
      const band = flow.bands.find((band) => band.from === source.id);
      const stage = flow.nodes.find((node) => node.id === band?.to)?.stage;
      expect(band?.figure).toBe(
        source.source?.kind === "index" ? stage?.keysExamined : (stage?.documentsExamined ?? stage?.keysExamined),
      );
    }
    for (const band of flow.bands) {
      expect(band.width).toBeLessThanOrEqual(widest);
      expect(band.width > 0).toBe((band.figure ?? 0) > 0);
      // A wider band is never of fewer.
      for (const other of flow.bands)
        if ((band.figure ?? 0) > (other.figure ?? 0)) expect(band.width).toBeGreaterThanOrEqual(other.width);
    }

    // The flow is a grid: no two nodes share a cell, and time goes to the right.
    const cells = flow.nodes.flatMap((node) =>
      Array.from({ length: node.lanes }, (_, at) => `${node.step}/${node.lane + at}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const band of flow.bands) {
      const [from, to] = [band.from, band.to].map((id) => flow.nodes.find((node) => node.id === id));
      expect(to?.step).toBe((from?.step ?? 0) + 1);
    }

    // The sentence is of this run.
    const reading = readInsight(plan);
    expect({ verdict: reading.verdict, notes: reading.notes.map((note) => note.kind) }).toEqual({
      verdict,
      notes: notes ?? [],
    });
    const statistics = (explain["executionStats"] ??
      (explain["stages"] as Document[])[0]?.["$cursor"]?.executionStats ??
      null) as Document | null;
    if (statistics !== null) {
      expect(reading.keys).toBe(statistics["totalKeysExamined"]);
      expect(reading.documents).toBe(statistics["totalDocsExamined"]);
      expect(reading.pagesRead).toBe(statistics["quire"].pagesRead);
    }
    const count = answered(command);
    if (count !== null) expect(reading.returned).toBe(count);
    const text = sentencesOf(reading, en, String).join(" ");
    if (says !== undefined) expect(text).toMatch(says);
    expect(`${text} ${sentencesOf(reading, zhHans, String).join(" ")}`).not.toMatch(/undefined|null|NaN/);
  });

  test.each(cases)("$name, as its own run", ({ command, verdict }) => {
    const name = Object.keys(command)[0] ?? "";
    const pages = name === "find" ? { batchSize: 20 } : name === "aggregate" ? { cursor: { batchSize: 20 } } : {};
    // On a fork, so that what writes leaves nothing.
    const fork = run({ quireFork: 1, commands: [{ quireObserve: 1, command: { ...command, ...pages } }] });
    const both = (fork["replies"] as Document[])[0] as Document;
    expect(both).toMatchObject({ ok: 1, reply: { ok: 1 } });
    const { explain, ...observed } = both["observed"] as Document;
    const { plan } = drawn(explain as Document);
    const reading = readInsight(plan, countedIn(observed));
    expect(reading.keysExamined).toBe(observed["keysExamined"]);
    expect(reading.documentsExamined).toBe(observed["documentsExamined"]);
    expect(reading.pagesRead).toBe(observed["pagesRead"]);
    const raw = rawStages(explain as Document);
    expect(stagesOf(plan.root).map((stage) => stage.returned === null)).not.toContain(true);
    expect(stagesOf(plan.root).map((stage) => stage.name)).toEqual(raw.map((stage) => stage.name));
    // Nothing that the next batch may still give is called dropped.
    if (reading.notes.some((note) => note.kind === "sorted" && note.kept === null))
      for (const { stage, dropped } of flowOf(plan).nodes)
        if (stage !== null && /^\$?sort$/i.test(stage.name)) expect([null, 0]).toContain(dropped);
    // Where time and pages went is told stage by stage.
    // A pipeline's read is told once more as a whole.
    for (const entry of ((explain as Document)["stages"] as Document[] | undefined) ?? [])
      if (entry["$cursor"] !== undefined) delete entry["quire"];
    const own = JSON.stringify(explain).match(/"quire":\{"millis":[^}]*\}/g) ?? [];
    const shown = stagesOf(plan.root).flatMap((stage) => (stage.own === null ? [] : [stage.own.pagesRead]));
    expect(shown.toSorted()).toEqual(own.map((text) => Number(/"pagesRead":(\d+)/.exec(text)?.[1])).toSorted());
    const reply = both["reply"] as Document;
    if (reply["cursor"] === undefined) {
      expect(reading.verdict).toBe(verdict);
      return;
    }
    // What is said is of the first batch: so many documents came, and no more than needed were read for them.
    const came = (reply["cursor"].firstBatch as unknown[]).length;
    expect(reading.returned).toBe(came);
    const whole = String(reply["cursor"].id) === "0";
    const cut: Partial<Record<Verdict, Verdict>> = { whole: "part", scan: "scan-part" };
    const isBlocked = reading.notes.some((note) => note.kind === "sorted" || note.kind === "sampled");
    // Of a first batch fewer keys may lead to the same document, and a run plans a look-up its own way.
    const likely = (said: Verdict): Verdict => (said === "exact-keys" || said === "by-key" ? "exact" : said);
    expect(likely(reading.verdict)).toBe(likely(whole || isBlocked ? verdict : (cut[verdict] ?? verdict)));
  });

  test("stages that read by themselves are told beside the read, with what the engine counted", () => {
    const look = { from: "log", startWith: "$note", connectFromField: "line", connectToField: "line", as: "way" };
    const pipeline = [{ $limit: 2 }, { $graphLookup: look }, { $unionWith: "shops" }];
    const both = run({ quireObserve: 1, command: { aggregate: "shops", pipeline, cursor: {} } });
    const { explain, ...observed } = both["observed"] as Document;
    const reading = readInsight(drawn(explain as Document).plan, countedIn(observed));
    expect(sentencesOf(reading, en, String).join(" ")).toBe(
      "Only the first 2 documents in stored order had to be read. " +
        "Beside that, $graphLookup, $unionWith examined 600 keys and 660 documents.",
    );
    expect(reading.documentsExamined).toBe(662);
    // Of a plan without the run's own figures nothing is guessed.
    expect(readInsight(drawn(explain as Document).plan).notes).toEqual([]);
  });

  test("buckets pass until they are unpacked, and a join reads documents", () => {
    const reads = (command: Document): [string, string][] => {
      const { observed } = run({ quireObserve: 1, command });
      const { flow } = drawn((observed as Document)["explain"] as Document);
      return flow.nodes.map(({ kind, source, stage, passing }) => [source?.kind ?? stage?.name ?? kind, passing]);
    };
    const timeseries = { timeField: "at", metaField: "of" };
    expect(run({ create: "weather", timeseries })).toMatchObject({ ok: 1 });
    const documents = Array.from({ length: 50 }, (_, n) => ({ at: new Date(n * 6e4), of: n % 5, t: n }));
    expect(run({ insert: "weather", documents })).toMatchObject({ ok: 1, n: 50 });
    const join = { from: "shops", localField: "of", foreignField: "_id", as: "shop" };
    const joined = reads({ aggregate: "weather", pipeline: [{ $match: { of: 3 } }, { $lookup: join }], cursor: {} });
    expect(joined).toEqual([
      ["index", "keys"],
      ["IXSCAN", "keys"],
      ["FETCH", "buckets"],
      ["$_internalUnpackBucket", "documents"],
      ["collection", "documents"],
      ["$lookup", "documents"],
      ["result", "documents"],
    ]);
    const whole = reads({ aggregate: "weather", pipeline: [{ $match: { t: { $gt: 40 } } }], cursor: {} });
    expect(whole.slice(0, 3)).toEqual([
      ["collection", "buckets"],
      ["COLLSCAN", "buckets"],
      ["$_internalUnpackBucket", "documents"],
    ]);
    expect(run({ drop: "weather" })).toMatchObject({ ok: 1 });
  });

  test.each(cases)("$name, batch by batch", ({ command }) => {
    const name = Object.keys(command)[0] ?? "";
    if (name !== "find" && name !== "aggregate") return;
    const observe = (asked: Document): Document => {
      const both = run({ quireObserve: 1, command: asked });
      expect(both).toMatchObject({ ok: 1, reply: { ok: 1 } });
      return both;
    };
    const pages = name === "find" ? { batchSize: 20 } : { cursor: { batchSize: 20 } };
    const both = observe({ ...command, ...pages });
    const { explain, ...first } = both["observed"] as Document;
    const plan = readPlan(explain);
    if (plan === null) return;
    let { cursor } = both["reply"] as Document;
    let returned = (cursor.firstBatch as unknown[]).length;
    const [touched, figures] = [new Set<number>(first["read"]), { keys: 0, documents: 0 }];
    let fetched: Fetched | null = null;
    const add = (observed: Document): void => {
      figures.keys += Number(observed["keysExamined"]);
      figures.documents += Number(observed["documentsExamined"]);
      for (const page of observed["read"] as number[]) touched.add(page);
    };
    add(first);
    while (String(cursor.id) !== "0") {
      const collection = command[name] === 1 ? "$cmd.aggregate" : command[name];
      const more = observe({ getMore: BigInt(String(cursor.id)), collection, batchSize: 300 });
      ({ cursor } = more["reply"] as Document);
      const { length } = cursor.nextBatch as unknown[];
      returned += length;
      add(more["observed"] as Document);
      fetched = addBatch(fetched, first, more["observed"] as Document, length);
      // After each batch the line says what was read so far.
      const { reading } = readSoFar(plan, countedIn(first), fetched, String(cursor.id) === "0");
      expect(reading).toMatchObject({
        returned,
        keysExamined: figures.keys,
        documentsExamined: figures.documents,
        pagesRead: touched.size,
        arePagesRepeated: false,
      });
      const text = sentencesOf(reading, en, String).join(" ");
      expect(`${text} ${sentencesOf(reading, zhHans, String).join(" ")}`).not.toMatch(/undefined|null|NaN/);
      if (reading.since !== undefined) expect(text).toMatch(/^First batch: .* For the \d+ after it: /);
      // One that is asked for more than there is comes to the end of the keys, as this one did.
      const batchSize = returned + Number(String(cursor.id) === "0");
      const atOnce = observe({ ...command, ...(name === "find" ? { batchSize } : {}) });
      expectRepeats(reading, (atOnce["observed"] as Document)["explain"]);
    }
    // In the end the plan is that of a run which asks for all at once.
    const end = readSoFar(plan, countedIn(first), fetched, true);
    const all = run({ quireObserve: 1, command: { ...command, ...(name === "find" ? { batchSize: 5000 } : {}) } });
    const whole = readPlan((all["observed"] as Document | undefined)?.["explain"]);
    if (fetched === null || end.isFirstOnly || whole === null) return;
    const shown = (one: Plan) =>
      stagesOf(one.root).map((stage) => [stage.name, stage.returned, stage.keysExamined, stage.documentsExamined]);
    expect(shown(end.plan)).toEqual(shown(whole));
    // How many keys led to a document seen before is not known of every plan, and was looked at above.
    const said = ({ verdict, notes, keys, documents, found }: Reading) => ({
      verdict,
      notes: notes.filter(({ kind }) => kind !== "repeated"),
      keys,
      documents,
      found,
    });
    expect(said(end.reading)).toEqual(said(readInsight(whole)));
  });

  test.each([
    [
      { $or: [{ price: { $lt: 30 } }, { tags: "t3" }] },
      /^First batch: .* In all: 38 keys led to documents already seen\.$/,
    ],
    [{ tags: { $gte: "t3" } }, /^1826 keys .* for 1484 documents, .* 342 keys led to documents already seen\.$/],
    [{ tags: { $in: ["t1", "t2"] } }, / 114 keys at most led to documents already seen\.$/],
  ])("%j says of all batches how many keys led to documents already seen", (filter, says) => {
    const both = run({ quireObserve: 1, command: { find: "teas", filter, batchSize: 20 } });
    const { explain, ...first } = both["observed"] as Document;
    const more = run({ quireObserve: 1, command: { getMore: both["reply"].cursor.id, collection: "teas" } });
    const { length } = more["reply"].cursor.nextBatch as unknown[];
    const fetched = addBatch(null, first, more["observed"] as Document, length);
    const { reading } = readSoFar(readPlan(explain) as Plan, countedIn(first), fetched, true);
    expect(sentencesOf(reading, en, String).join(" ")).toMatch(says);
  });

  test("a plan that lost says how its trial went", () => {
    const { plan } = drawn(
      run({ explain: { find: "teas", filter: { kind: "white", price: { $lt: 60 } } }, verbosity: "allPlansExecution" }),
    );
    expect(plan.rejected.length).toBeGreaterThan(0);
    for (const rejected of plan.rejected) expect(rejected.trial?.score).toBeLessThan(plan.trial?.score ?? 0);
  });

  test("what only the engine's makers need is kept apart", () => {
    const { plan } = drawn(
      run({
        explain: { aggregate: "teas", pipeline: [{ $group: { _id: "$kind", n: { $sum: 1 } } }], cursor: {} },
        verbosity: "executionStats",
      }),
    );
    expect(plan.root.details).toEqual([["$group", '{ _id: "$kind", n: { $sum: 1 } }']]);
    expect(plan.root.internals.map(([name]) => name)).toContain("spills");
    expect(JSON.stringify(plan.root.details)).not.toContain("willBeMerged");
  });

  test("a plan that was only asked for has no figures and no widths", () => {
    for (const { command } of cases) {
      const { flow, plan } = drawn(run({ explain: command, verbosity: "queryPlanner" }));
      expect(flow.bands.every((band) => band.figure === null && band.width === 0)).toBe(true);
      expect(["planned-index", "planned-scan", "nothing", "made"]).toContain(readInsight(plan).verdict);
    }
  });
});
