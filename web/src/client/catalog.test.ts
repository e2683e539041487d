/** Which databases are shown of those that an engine names. */
import { expect, test } from "vitest";
import { listDatabases } from "./catalog.ts";

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
