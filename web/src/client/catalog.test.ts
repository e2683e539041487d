/** Which databases are shown of those that an engine names, and how many documents its collections hold. */
import { expect, test } from "vitest";
import { listCollections, listDatabases } from "./catalog.ts";

test("databases that are always there are shown once they hold something", async () => {
  const databases = [
    { name: "admin", sizeOnDisk: 0, empty: true },
    { name: "config", sizeOnDisk: 8192, empty: false },
    { name: "local", sizeOnDisk: 0, empty: true },
    { name: "views", sizeOnDisk: 0, empty: true },
  ];
  const asked: unknown[] = [];
  const shown = await listDatabases({
    command: (database, command) => {
      asked.push([database, command]);
      return Promise.resolve({ databases, ok: 1 });
    },
  });
  expect(asked).toEqual([["admin", { listDatabases: 1 }]]);
  expect(shown.map(({ name }) => name)).toEqual(["config", "views"]);
});

test("of a time series the readings are counted, which its statistics do not tell", async () => {
  const cursor = (...firstBatch: object[]) => ({ cursor: { id: 0, firstBatch }, ok: 1 });
  const replies: Readonly<Record<string, object>> = {
    listCollections: cursor({ name: "log", type: "timeseries" }, { name: "people", type: "collection" }),
    collStats: { count: 7, size: 70, timeseries: { bucketCount: 3 } },
    listIndexes: cursor(),
    count: { n: 2000 },
  };
  const counted: unknown[] = [];
  const listed = await listCollections(
    {
      command: (_, command) => {
        if (command["count"] !== undefined) counted.push(command["count"]);
        return Promise.resolve(replies[Object.keys(command)[0] ?? ""] ?? {});
      },
    },
    "test",
  );
  expect(listed.map(({ name, count }) => [name, count])).toEqual([
    ["log", 2000],
    ["people", 7],
  ]);
  expect(counted).toEqual(["log"]);
});
