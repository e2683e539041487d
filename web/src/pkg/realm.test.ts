/** Which realms are taken for a browser's, by the globals that they have. */
import { describe, expect, it } from "vitest";
import { hasWorkers, isBrowser } from "./realm.ts";

const Worker = class {};
const location = { href: "http://localhost/" };
const node = { versions: { node: "22.1.0" } };

const realms = {
  "a page": [{ location, Worker }, true, true],
  "a page whose bundler plays a process": [{ location, Worker, process: { versions: {} } }, true, true],
  "a service worker, which starts none": [{ location }, true, false],
  "a page of Electron with Node beside it": [{ location, Worker, process: { ...node, type: "renderer" } }, true, true],
  "Electron's own process": [{ process: { ...node, type: "browser" } }, false, false],
  Node: [{ process: node }, false, false],
  "Node with a polyfill": [{ process: node, Worker }, false, false],
  "jsdom with polyfills": [{ process: node, Worker, location }, false, false],
  Bun: [{ process: node, Worker }, false, false],
  Deno: [{ Deno: {}, Worker }, false, false],
  "Deno with --location": [{ Deno: {}, Worker, location }, false, false],
} as const;

describe("a realm", () => {
  for (const [name, [realm, browser, workers]] of Object.entries(realms)) {
    it(`is told: ${name}`, () => {
      expect([isBrowser(realm), hasWorkers(realm)]).toEqual([browser, workers]);
    });
  }
});
