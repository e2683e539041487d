/**
 * The scripts in the address of an embedded playground are shown, and nothing else is.
 */
import { describe, expect, test } from "vitest";
import { encodeShared } from "../share/encode.ts";
import { shownScripts } from "./embedding.ts";

describe("an embedded playground", () => {
  test("shows the scripts of its fragment, the first one open", async () => {
    const hash = await encodeShared({
      scripts: [
        { name: "", source: "1" },
        { name: "second", source: "2" },
      ],
    });
    const { tabs } = await shownScripts(hash);
    expect(tabs?.tabs.map(({ name, script }) => [name, script])).toEqual([
      [null, "1"],
      ["second", "2"],
    ]);
    expect(tabs?.openTab).toBe(1);
  });

  test("goes on without a fragment that cannot be read", async () => {
    expect((await shownScripts("#q1.broken")).tabs).toBeUndefined();
  });
});
