import { expect, test } from "vitest";
import { expected } from "../shared/expected.js";
import "../shared/main.js";

test("the package does its work in a page", async () => {
  await expect.poll(() => document.title, { timeout: 60_000 }).toMatch(/^(\{|failed)/);
  expect(JSON.parse(document.title)).toEqual({ ...expected, stored: true });
});
