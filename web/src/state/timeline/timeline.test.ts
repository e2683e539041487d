/** Moments of results from before a reload. */
import { expect, test } from "vitest";
import type { KeptMoment, Note } from "../../protocol/moments.ts";
import { foundMoments } from "./timeline.ts";

const moment = (number: number, note: Note): KeptMoment => ({
  number,
  time: new Date(number),
  name: null,
  note,
  pages: 1,
});

test("a run from before a reload is undone by its own moment alone", () => {
  const kept = {
    moments: [
      moment(1, { did: "run", text: "db.a.insertOne({})", tab: "mine" }),
      moment(2, { did: "run", text: "db.a.insertOne({})", tab: "another" }),
      moment(3, { did: "run", text: "db.b.drop()", tab: "mine" }),
      moment(4, { did: "drop", on: "test.a", tab: "mine" }),
      moment(6, { did: "run", text: `${"x".repeat(159)}…`, tab: "mine" }),
    ],
    pages: 0,
    unnamedPages: 0,
    pageBytes: 0,
  };
  const leaves = [1, 2, 3, 4, 5, null].map((number, at) => ({
    number: at + 10,
    source: "db.a.insertOne({})",
    moment: number,
  }));
  const long = { number: 20, source: "x".repeat(1000), moment: 6 };
  expect([...foundMoments([...leaves, long], kept, "mine")]).toEqual([
    [10, 1],
    [20, 6],
  ]);
});
