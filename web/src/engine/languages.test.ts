/** The languages of text indexes, as each realm comes by them. */
import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";

const bytes = readFileSync(new URL("../../wasm/languages.wasm", import.meta.url));
const said = new TextEncoder();
const ENGLISH = 2;

afterEach(() => {
  vi.resetModules();
  vi.unstubAllGlobals();
});

async function hosted(source?: () => unknown): Promise<{
  ask(words: string): string | undefined;
  load(): Promise<void>;
}> {
  // Another file's tests may have loaded the languages in the same process.
  vi.resetModules();
  const { languages } = await import("./languages.ts");
  const host = languages(source);
  return {
    ask(words) {
      const stems = host.stems(ENGLISH, said.encode(words));
      return stems === undefined ? undefined : new TextDecoder().decode(stems);
    },
    load: () => host.loadLanguages(),
  };
}

test("bytes are read in the midst of a command", async () => {
  const source = vi.fn(() => bytes);
  const { ask } = await hosted(source);
  expect(ask("the\nrunning\ndogs\n")).toBe("\rthe\nrun\ndog\n");
  expect(ask(`${"library\n".repeat(50_000)}the\n`)).toBe(`${"librari\n".repeat(50_000)}\rthe\n`);
  expect(ask("")).toBe("");
  expect(source).toHaveBeenCalledTimes(1);
});

test("a page is told to wait, and loads what it is given an address of", async () => {
  vi.stubGlobal("fetch", () =>
    Promise.resolve(new Response(bytes, { headers: { "Content-Type": "application/wasm" } })),
  );
  vi.stubGlobal("XMLHttpRequest", undefined);
  const { ask, load } = await hosted(() => "http://localhost/languages.wasm");
  expect(ask("dogs\n")).toBeUndefined();
  await load();
  expect(ask("dogs\n")).toBe("dog\n");
});

test("a worker fetches it at once, and tells why it could not", async () => {
  let status = 404;
  class Request {
    responseType = "";
    readonly response = new Uint8Array(bytes).buffer;
    open(method: string, address: string, waits: boolean): void {
      expect([method, address, waits]).toEqual(["GET", "http://localhost/languages.wasm", false]);
    }
    send(): void {
      expect(this.responseType).toBe("arraybuffer");
    }
    get status(): number {
      return status;
    }
  }
  vi.stubGlobal("XMLHttpRequest", Request);
  vi.stubGlobal("importScripts", () => undefined);
  const { ask } = await hosted(() => "http://localhost/languages.wasm");
  expect(() => ask("dogs\n")).toThrow("http://localhost/languages.wasm: 404");
  status = 200;
  expect(ask("dogs\n")).toBe("dog\n");
});

test("without a source there are no languages", async () => {
  const { ask, load } = await hosted();
  await load();
  expect(() => ask("dogs\n")).toThrow("there are no languages here");
});
