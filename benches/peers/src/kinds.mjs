/**
 * The workload of kinds of index and collection, in phases between which the runner takes the page's memory.
 *
 * An adapter is an object with its `workload` and
 * - places: `build(places)`, `nearest([longitude, latitude], limit)`, `within(ring)`; `planar`: whether a ring's edges
 *   are straight on a map and not on the sphere;
 * - texts: `build(texts)`, `search(words, limit)`: texts with any of the words, the best first;
 * - readings: `load(readings)`, `hourly(sensor)`;
 * - `sizes()`: bytes, where it knows them, of its `index` and `documents`;
 * - and, of a store, `load(documents)` and `flush()`, before the index is built; `twenty(_id)`: that and the next
 *   nineteen documents.
 */
import { makePlaces, measurePlaces } from "./places.mjs";
import { makeReadings, measureReadings } from "./readings.mjs";
import { makeTexts, measureTexts } from "./texts.mjs";

const WORKLOADS = {
  places: [makePlaces, measurePlaces],
  texts: [makeTexts, measureTexts],
  readings: [makeReadings, measureReadings],
};

export function phasesOf(adapter) {
  const [make, measure] = WORKLOADS[adapter.workload];
  let documents;
  const took = async (work) => {
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  };
  return {
    async prepare({ count }) {
      documents = make(adapter.workload === "texts" ? count / 5 : count);
      const rows = {};
      if (adapter.load) rows.load = await took(() => adapter.load(documents));
      return { rows, wrong: [] };
    },
    async build() {
      const rows = {};
      if (adapter.build) rows.build = await took(() => adapter.build(documents));
      return { rows, wrong: [] };
    },
    async ask({ budget }) {
      const rows = {};
      const wrong = new Set();
      const check = (good, what) => {
        if (!good) wrong.add(what);
      };
      const row = async (name, work) => {
        rows[name] = await work();
      };
      await measure(adapter, documents, budget, row, check);
      for (const [what, bytes] of Object.entries((await adapter.sizes?.()) ?? {})) rows[`${what}Size`] = bytes / 1024;
      return { rows, wrong: [...wrong] };
    },
  };
}
