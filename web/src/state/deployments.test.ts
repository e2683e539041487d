/** Deployments are made, named, renamed and deleted; ids stay, and a deployment that a tab has open is not deleted. */
import { beforeEach, describe, expect, test } from "vitest";
import { deploymentId, storedName } from "../start/deployment.ts";
import {
  deleteDeployment,
  deploymentName,
  deploymentsKey,
  isNameTaken,
  listDeployments,
  makeDeployment,
  noteDeployment,
  renameDeployment,
  StillOpen,
} from "./deployments.ts";

let texts: Map<string, string>;
const kept = {
  getItem: (key: string) => texts.get(key) ?? null,
  setItem: (key: string, value: string) => void texts.set(key, value),
};
const full = {
  getItem: () => null,
  setItem: () => {
    throw new Error("full");
  },
};
const ids = () => listDeployments(kept).map(({ id }) => id);

beforeEach(() => {
  texts = new Map();
});

test.each([
  ["", "playground"],
  ["?deployment=lesson-2", "lesson-2"],
  ["?db=x&deployment=A_1", "A_1"],
  ["?deployment=", "playground"],
  ["?deployment=../x", "playground"],
  [`?deployment=${"x".repeat(41)}`, "playground"],
])("the address %s names %s", (search, id) => expect(deploymentId(search)).toBe(id));

test("they are kept apart from what other programs of the origin keep", () => {
  expect([storedName("playground"), storedName("shop")]).toEqual(["playground", "playground.shop"]);
});

describe("the list", () => {
  test("has the main one always, and forgives what storage holds", () => {
    expect(ids()).toEqual(["playground"]);
    for (const odd of ["{", "null", '[1, null, {"id": 2, "name": ""}, {"id": "a"}]']) {
      texts.set(deploymentsKey, odd);
      expect(ids()).toEqual(["playground"]);
    }
    expect(listDeployments(null)).toEqual([{ id: "playground", name: "" }]);
  });

  test("makes ids of names, which stay when a name changes", () => {
    expect(makeDeployment(kept, " Lesson: one! ")).toBe("lesson-one");
    expect(makeDeployment(kept, "Lesson one")).toBe("lesson-one-2");
    expect(makeDeployment(kept, "课程")).toBe("deployment");
    renameDeployment(kept, "lesson-one", "Begin");
    renameDeployment(kept, "playground", "Mine");
    expect(listDeployments(kept)).toEqual([
      { id: "playground", name: "Mine" },
      { id: "lesson-one", name: "Begin" },
      { id: "lesson-one-2", name: "Lesson one" },
      { id: "deployment", name: "课程" },
    ]);
    expect([isNameTaken(kept, "begin "), isNameTaken(kept, "begin", "lesson-one")]).toEqual([true, false]);
    expect(makeDeployment(kept, "x".repeat(100))).toHaveLength(32);
  });

  test("notes what an address names, and fails where nothing is kept", () => {
    noteDeployment(kept, "linked");
    noteDeployment(kept, "linked");
    expect([ids(), deploymentName(kept, "linked")]).toEqual([["playground", "linked"], "linked"]);
    noteDeployment(full, "linked");
    expect(() => makeDeployment(full, "x")).toThrow("full");
    expect(() => makeDeployment(null, "x")).toThrow();
  });
});

describe("deleting", () => {
  const databases = (gone: string[], event: "onsuccess" | "onblocked" = "onsuccess") =>
    ({
      deleteDatabase(name: string) {
        gone.push(name);
        const request = {} as IDBOpenDBRequest;
        queueMicrotask(() => request[event]?.call(request, {} as IDBVersionChangeEvent));
        return request;
      },
    }) as unknown as IDBFactory;
  const locks = (free: boolean) =>
    ({
      request: async (_name: string, _options: LockOptions, work: (lock: unknown) => unknown) => work(free ? {} : null),
    }) as unknown as LockManager;

  test("takes data and name", async () => {
    makeDeployment(kept, "shop");
    const gone: string[] = [];
    await deleteDeployment(kept, "shop", { locks: locks(true), databases: databases(gone) });
    expect([gone, ids()]).toEqual([["quire:playground.shop"], ["playground"]]);
  });

  test("is refused while a tab has it open, and then nothing is gone", async () => {
    makeDeployment(kept, "shop");
    const gone: string[] = [];
    const held = { locks: locks(false), databases: databases(gone) };
    await expect(deleteDeployment(kept, "shop", held)).rejects.toThrow(StillOpen);
    const blocked = { locks: null, databases: databases([], "onblocked") };
    await expect(deleteDeployment(kept, "shop", blocked)).rejects.toThrow(StillOpen);
    expect([gone, ids()]).toEqual([[], ["playground", "shop"]]);
  });
});
