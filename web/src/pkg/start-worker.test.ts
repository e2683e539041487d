/** Where a worker's script lies decides how it is started, and a frame's own origin is not always its address's. */
import { afterEach, expect, test, vi } from "vitest";
import { startWorker } from "./start-worker.ts";

afterEach(() => vi.unstubAllGlobals());

/** The address that a worker is started with in a page of such an origin. */
function startedAt(origin: string): string {
  let started = "";
  vi.stubGlobal("self", { origin });
  vi.stubGlobal("location", { origin: "https://docs.example" });
  vi.stubGlobal(
    "Worker",
    class {
      constructor(address: string | URL) {
        started = String(address);
      }
    },
  );
  vi.useFakeTimers();
  startWorker(new URL("https://docs.example/quire/worker.js"), "engine");
  vi.useRealTimers();
  return started;
}

test("a script of the page's own origin is started as it is", () => {
  expect(startedAt("https://docs.example")).toBe("https://docs.example/quire/worker.js");
});

test("a sandboxed frame, whose origin is none, takes it in by a worker of its own", () => {
  expect(startedAt("null")).toMatch(/^blob:/);
});
