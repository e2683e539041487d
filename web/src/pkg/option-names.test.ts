/** Options that the entry points do not have: each is refused by its name. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadEngine } from "../engine/load.ts";
import { Engine } from "./engine.ts";
import { optionNamesFault } from "./option-names.ts";
import { createServer } from "./server.ts";
import { createShell } from "./shell.ts";

const wasm = fileURLToPath(new URL("../../wasm/quire_bg.wasm", import.meta.url));

it("names what is strange", () => {
  const names = { data: true, port: true } as const;
  const fault = (given: object): string | null => optionNamesFault(given, names as Record<never, true>);
  expect(fault({ data: "d", port: undefined, other: undefined })).toBeNull();
  expect(fault({ dat: "d" })).toBe("option dat is not supported");
  expect(fault({ toString: 1 })).toBe("option toString is not supported");
  expect(fault({ dat: "d", memory: 1 })).toBe("options dat, memory are not supported");
});

describe.skipIf(!existsSync(wasm))("an option that there is not", () => {
  it("is refused by an engine, a shell and a server", async () => {
    await loadEngine(() => readFileSync(wasm));
    const strange = (options: object): object => options;
    await expect(Engine.create(strange({ nwo: () => 0 }))).rejects.toThrow(
      new TypeError("option nwo is not supported"),
    );
    const engine = await Engine.create();
    expect(() => createShell(engine, strange({ databse: "garden" }))).toThrow(
      new TypeError("option databse is not supported"),
    );
    await expect(createServer(strange({ port: 0, dat: "never.quire" }))).rejects.toThrow(
      new TypeError("option dat is not supported"),
    );
    engine.close();
  });
});
