/** The first messages to a worker, which its name holds. */
import { describe, expect, it } from "vitest";
import type { ToWorker } from "../protocol/messages.ts";
import { readOpening, wordOpening } from "./opening.ts";

const said: readonly ToWorker[] = [
  { kind: "engine-code", module: null },
  {
    kind: "open",
    id: 0,
    deployment: { name: 'a "b" ü', storage: "indexeddb" },
    assets: { engineWasm: "e", sandboxWasm: "s", languagesWasm: "l" },
    probeUrl: "blob:x",
  },
  { kind: "run-soon" },
];

describe("a worker's name", () => {
  it("says again what it was made of", () => {
    expect(readOpening(wordOpening(said))).toEqual(said);
  });

  it("says nothing where nothing was said, and where it is another's", () => {
    for (const name of [wordOpening([]), "", "quire", "quirex [1]", "other"])
      expect(readOpening(name), name).toEqual([]);
  });
});
