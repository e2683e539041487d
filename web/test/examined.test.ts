/**
 * What a look-up examined and did not return is told of the run's own data, and of no others: held against the engine.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Document } from "bson";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { decode } from "../src/codec/decode.ts";
import { encode } from "../src/codec/encode.ts";
import { loadEngine } from "../src/engine/load.ts";
import { Engine } from "../src/pkg/engine.ts";
import type { Commander } from "../src/state/data/ask.ts";
import { notAmong, readExamined, type Examined } from "../src/state/map/examined.ts";
import { lookupsOf, type Lookup } from "../src/state/map/lookup.ts";
import { readPlan, type Plan } from "../src/state/plan.ts";

const wasm = fileURLToPath(new URL("../wasm/quire_bg.wasm", import.meta.url));

describe.skipIf(!existsSync(wasm))("what was examined", () => {
  let run: (command: Document) => Document;
  let commander: Commander;

  beforeAll(async () => {
    await loadEngine(() => readFileSync(wasm));
  });

  beforeEach(async () => {
    const engine = await Engine.create();
    run = (command) => {
      const reply = decode(engine.command(encode({ ...command, $db: "town" })));
      expect(reply["errmsg"]).toBeUndefined();
      return reply;
    };
    commander = { commandBytes: async (command) => engine.command(command) };
    const index = (key: object, name: string) => ({ key, name });
    run({ createIndexes: "sphere", indexes: [index({ at: "2dsphere" }, "at")] });
    run({ createIndexes: "plane", indexes: [index({ at: "2d" }, "at")] });
    run({ createIndexes: "compound", indexes: [index({ kind: 1, at: "2dsphere" }, "at")] });
    const places = Array.from({ length: 300 }, (_, n) => ({
      _id: n,
      kind: n % 3,
      at: { type: "Point", coordinates: [((n * 137.508) % 40) - 20, ((n * 61.803) % 40) - 20] },
    }));
    for (const name of ["sphere", "compound"]) run({ insert: name, documents: places });
    run({ insert: "plane", documents: places.map(({ at, ...place }) => ({ ...place, at: at.coordinates })) });
  });

  interface Ran {
    readonly plan: Plan;
    readonly lookup: Lookup;
    readonly returned: readonly Document[];
  }

  const ran = (command: Document): Ran => {
    const asked = "pipeline" in command ? { ...command, cursor: {} } : { ...command, batchSize: 1000 };
    const returned = run(asked)["cursor"].firstBatch as Document[];
    const plan = readPlan(run({ explain: asked, verbosity: "executionStats" }));
    const [lookup] = plan === null ? [] : lookupsOf(plan);
    if (plan === null || lookup === undefined) throw new Error("no look-up");
    return { plan, lookup, returned };
  };
  const again = ({ plan, lookup, returned }: Ran): Promise<Examined> => readExamined(commander, plan, lookup, returned);

  const point = (x: number, y: number) => ({ type: "Point", coordinates: [x, y] });
  const circle = (x: number, y: number, degrees: number) => ({
    $geoWithin: { $centerSphere: [[x, y], (degrees * Math.PI) / 180] },
  });
  const near = (x: number, y: number, most?: number) => ({
    $near: { $geometry: point(x, y), ...(most === undefined ? {} : { $maxDistance: most }) },
  });
  const commands: Record<string, Document> = {
    "a circle": { find: "sphere", filter: { at: circle(3, 4, 6) } },
    "a circle and another predicate": { find: "sphere", filter: { at: circle(3, 4, 6), kind: 1 } },
    "a circle with a limit": { find: "sphere", filter: { at: circle(3, 4, 8) }, limit: 4 },
    "a sorted circle with a limit": { find: "sphere", filter: { at: circle(3, 4, 8) }, sort: { kind: 1 }, limit: 4 },
    "the nearest": { find: "sphere", filter: { at: near(3, 4, 900_000) } },
    "the nearest with a limit": { find: "sphere", filter: { at: near(3, 4) }, limit: 7 },
    "the nearest of a kind": { find: "sphere", filter: { at: near(-9, 11, 2_000_000), kind: 2 }, limit: 9 },
    "all, the nearest first": { find: "sphere", filter: { at: near(3, 4) } },
    $geoNear: {
      aggregate: "sphere",
      pipeline: [{ $geoNear: { near: point(3, 4), distanceField: "far", maxDistance: 900_000 } }],
    },
    "a kind's circle": { find: "compound", filter: { kind: 1, at: circle(3, 4, 9) } },
    "the nearest of an indexed kind": { find: "compound", filter: { kind: 1, at: near(3, 4, 1_500_000) } },
    "kinds or": { find: "compound", filter: { at: circle(3, 4, 9), $or: [{ kind: 1 }, { kind: 2 }] } },
    "a circle of the plane": { find: "plane", filter: { at: { $geoWithin: { $center: [[3, 4], 6] } } } },
    "all of the plane, the nearest first": { find: "plane", filter: { at: { $near: [3, 4] } } },
    "the nearest of the plane as a globe": { find: "plane", filter: { at: { $nearSphere: [-9, 8] } }, limit: 40 },
    "the nearest of the plane": { find: "plane", filter: { at: { $near: [3, 4], $maxDistance: 9 } }, limit: 20 },
  };

  test.each(Object.entries(commands))("by %s is told while the data are the run's", async (_, command) => {
    const one = ran(command);
    expect(one.returned.length).toBeGreaterThan(0);
    const examined = await again(one);
    expect(examined.isChanged).toBe(false);
    // All that was returned was examined, and as many more as the plan counted.
    expect(notAmong(one.returned, examined.documents)).toEqual([]);
    const { documentsExamined } = one.lookup;
    if (documentsExamined !== null) expect(examined.documents.length).toBe(documentsExamined);
  });

  test("is told beside shapes that several rings examine", async () => {
    const line = (x: number, y: number) => ({
      type: "LineString",
      coordinates: [
        [x, y],
        [x + 6, y + 5],
      ],
    });
    const documents = [
      { _id: "line", at: line(3, 4) },
      {
        _id: "many",
        at: {
          type: "MultiPoint",
          coordinates: [
            [3, 4],
            [8, 9],
            [1, -5],
          ],
        },
      },
      { _id: "list", at: [point(3, 4.5), point(-4, 9)] },
    ];
    run({ insert: "sphere", documents });
    for (const command of [commands["all, the nearest first"], commands["the nearest"], commands["a circle"]])
      expect((await again(ran(command ?? {}))).isChanged).toBe(false);
  });

  test("is told of the first batch, whose plan it is, when there were more", async () => {
    for (const command of [commands["all, the nearest first"], commands["a circle"]]) {
      const first = { ...command, batchSize: 5 };
      const plan = readPlan(run({ explain: first, verbosity: "executionStats" }));
      const [lookup] = plan === null ? [] : lookupsOf(plan);
      if (plan === null || lookup === undefined) throw new Error("no look-up");
      const examined = await readExamined(commander, plan, lookup, null);
      expect([examined.isChanged, examined.documents.length]).toEqual([false, lookup.documentsExamined]);
    }
  });

  const changes: Record<string, Document> = {
    "a dropped collection": { drop: "sphere" },
    "a dropped index": { dropIndexes: "sphere", index: "at" },
    "a deleted document": { delete: "sphere", deletes: [{ q: { at: circle(3, 4, 3) }, limit: 1 }] },
    "a document more": { insert: "sphere", documents: [{ _id: "new", kind: 1, at: point(3, 4) }] },
    "a document that moved away": {
      update: "sphere",
      updates: [{ q: { at: circle(3, 4, 3) }, u: { $set: { at: point(80, 0) } } }],
    },
  };
  test.each(Object.entries(changes))("is not told after %s", async (_, change) => {
    const all = [commands["a circle"], commands["the nearest"], commands["a sorted circle with a limit"]].map(
      (command) => ran(command ?? {}),
    );
    run(change);
    for (const one of all) expect(await again(one)).toEqual({ documents: [], isCut: false, isChanged: true });
  });

  test("is not told where another document would take a returned one's place", async () => {
    const one = ran({ find: "sphere", filter: { at: circle(3, 4, 8) }, limit: 2 });
    expect(one.lookup.documentsExamined).toBeLessThan(10);
    // In the index's order these stand before the returned ones, wherever those are.
    const documents = one.returned.flatMap(({ at }, n) =>
      [-1e-7, 1e-7].map((step) => ({ _id: `${n} ${step}`, at: point(at.coordinates[0] + step, at.coordinates[1]) })),
    );
    run({ insert: "sphere", documents });
    expect((await again(one)).isChanged).toBe(true);
  });
});
