/** Bars of one unit share a scale, crossings are told between two scales, collections have no average in common. */
import type { Document } from "bson";
import { expect, test } from "vitest";
import { crossingsOf, mostOf, readNamed, valueOf, type Costs, type Growth, type LabMeasure } from "./measure.ts";

const costs = (some: Partial<Costs>): Costs => ({
  commands: 1,
  documentsReturned: 0,
  documentsExamined: 0,
  keysExamined: 0,
  pagesRead: 0,
  documentsWritten: 0,
  pagesWritten: 0,
  ...some,
});
const sample = (collection: string, averageBytes: number) => ({
  collection,
  documents: 2,
  document: {} as Document,
  bytes: averageBytes,
  averageBytes,
});
const measure: LabMeasure = {
  scale: 100,
  differences: [],
  designs: [
    {
      id: "one",
      sizes: {
        documents: 4,
        averageBytes: null,
        largestBytes: 90,
        dataBytes: 200,
        storageBytes: 16_384,
        indexBytes: 0,
      },
      costs: new Map([["change", costs({ pagesRead: 7, pagesWritten: 6 })]]),
      samples: [sample("big", 90), sample("small", 10)],
      faults: [],
    },
  ],
};

test("pages read and pages written are drawn by one scale, bytes of documents by another than bytes of all", () => {
  expect(mostOf(measure, "change", "pagesWritten")).toBe(7);
  expect(mostOf(measure, "change", "commands")).toBe(1);
  expect(mostOf(measure, null, "largestBytes")).toBe(90);
  expect(mostOf(measure, null, "dataBytes")).toBe(16_384);
});

test("a design of several collections has an average for each, and none for all", () => {
  const scripts = { designs: [{ id: "one", load: "" }], operations: [] };
  const value = (name: string): number | null => {
    const named = readNamed(name, scripts);
    if (typeof named === "string") throw new Error(named);
    return valueOf(named, measure);
  };
  expect(value("one.averageBytes.small")).toBe(10);
  expect(value("one.averageBytes")).toBe(null);
});

test("designs cross between the last scale of one and the first of the other", () => {
  const growth = (design: string, ...values: readonly number[]): Growth => ({
    design,
    points: values.map((value, at) => ({ scale: 100 * 10 ** at, value })),
  });
  expect(crossingsOf([growth("inside", 5, 5, 5, 41), growth("apart", 8, 8, 8, 9)])).toEqual([
    { before: "inside", until: 10_000, behind: "apart", from: 100_000 },
  ]);
  expect(crossingsOf([growth("inside", 5, 5), growth("apart", 5, 8)])).toEqual([]);
  expect(crossingsOf([])).toEqual([]);
});
