/** Choices are kept and read again; storage that holds something else, or nothing more, is no harm. */
import { expect, test } from "vitest";
import {
  changeChoices,
  choicesKey,
  chose,
  moved,
  noChoices,
  parseChoices,
  readChoices,
  wordChoices,
} from "./choices.ts";

function storage(): { getItem(key: string): string | null; setItem(key: string, value: string): void } {
  const held = new Map<string, string>();
  return { getItem: (key) => held.get(key) ?? null, setItem: (key, value) => void held.set(key, value) };
}

test("choices come back as they were made", () => {
  let choices = chose(noChoices, "a", { is: "confirmed" });
  choices = chose(choices, "a", { name: "  placed by " });
  choices = chose(choices, "b", { is: "hidden" });
  choices = moved(choices, "orders", { x: 12.4, y: -5 });
  expect(parseChoices(wordChoices(choices))).toEqual(choices);
  expect(choices.references.get("a")).toEqual({ is: "confirmed", name: "placed by" });
  expect(choices.places.get("orders")).toEqual({ x: 12, y: 0 });
  // A choice that was taken back leaves nothing.
  choices = chose(chose(choices, "b", { is: "found" }), "a", { is: "found", name: "" });
  expect(choices.references.size).toBe(0);
  expect(moved(choices, null, { x: 0, y: 0 }).places.size).toBe(0);
});

test("two tabs change what is stored, and deployments are apart", () => {
  const kept = storage();
  const key = choicesKey("main", "shop");
  changeChoices(kept, key, (all) => chose(all, "a", { is: "hidden" }));
  const second = changeChoices(kept, key, (all) => chose(all, "b", { is: "confirmed" }));
  expect([...second.references.keys()]).toEqual(["a", "b"]);
  expect(readChoices(kept, choicesKey("other", "shop"))).toEqual(noChoices);
  expect(choicesKey("a.b", "c")).not.toBe(choicesKey("a", "b.c"));
});

test("what is broken, somebody else's or refused", () => {
  for (const stored of [null, "", "{", "[]", "null", "7", '{"references":7,"places":[[1,2,3],["a","x",0]]}'])
    expect(parseChoices(stored)).toEqual(noChoices);
  expect(parseChoices('{"references":[["a","loved",""],["b","hidden","x"],[1],"c"]}').references).toEqual(
    new Map([["b", { is: "hidden", name: "x" }]]),
  );
  const full = {
    getItem: () => null,
    setItem: () =>
      void (() => {
        throw new Error("full");
      })(),
  };
  expect(() => changeChoices(full, "k", (all) => all)).toThrow("full");
  expect(() => changeChoices(null, "k", (all) => all)).toThrow("keeps nothing");
  const blocked = {
    getItem: () => {
      throw new Error("blocked");
    },
    setItem: () => {},
  };
  expect(readChoices(blocked, "k")).toEqual(noChoices);
  const many = Array.from({ length: 800 }, (_, n) => n).reduce(
    (all, n) => chose(all, `r${n}`, { is: "hidden" }),
    noChoices,
  );
  expect(many.references.size).toBe(500);
  expect(many.references.has("r799")).toBe(true);
});
