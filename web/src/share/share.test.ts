/**
 * Links give back the script that was put into them, and a damaged or hostile one is refused with its reason.
 */
import { describe, expect, test } from "vitest";
import { decodeShared, MOST_SHARED_BYTES } from "./decode.ts";
import { encodeShared, SHARE_PREFIX, through } from "./encode.ts";

const fragmentOf = async (text: string): Promise<string> => {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  return SHARE_PREFIX + Buffer.from(packed).toString("base64url");
};

describe("a link", () => {
  test.each([
    ["one script", [{ name: "", source: "db.herbs.find()" }]],
    [
      "several, in any writing",
      [
        { name: "sämlinge", source: "db.草药.insertOne({ 名: '鼠尾草 🌿', n: 1 })\n" },
        { name: "b", source: "" },
      ],
    ],
    [
      "a long one",
      [{ name: "long", source: Array.from({ length: 3000 }, (_, n) => `db.c.insertOne({ n: ${n} })`).join("\n") }],
    ],
  ])("holds %s", async (_, scripts) => {
    const fragment = await encodeShared({ scripts });
    expect(fragment).toMatch(/^#q1\.[\w-]+$/);
    expect(await decodeShared(fragment)).toEqual({ scripts });
  });

  test("is short: repeated text is packed", async () => {
    const source = "db.herbs.insertOne({ latin: 'Salvia officinalis' })\n".repeat(50);
    expect((await encodeShared({ scripts: [{ name: "", source }] })).length).toBeLessThan(300);
  });

  test.each(["", "#", "#results", "#q1", "#quire"])("%s is none", async (fragment) =>
    expect(await decodeShared(fragment)).toBeNull(),
  );

  test.each([
    ["version", "#q2.abc"],
    ["damaged", "#q1.abc"],
    ["damaged", "#q1.%%%"],
    ["damaged", "#q1."],
  ])("%s: %s", async (fault, fragment) => await expect(decodeShared(fragment)).rejects.toMatchObject({ fault }));

  test.each(["[]", "null", '{"scripts":[]}', '{"scripts":[{"name":1,"source":""}]}', '{"scripts":[{"name":""}]}', "{"])(
    "damaged: %s",
    async (json) => await expect(decodeShared(await fragmentOf(json))).rejects.toMatchObject({ fault: "damaged" }),
  );

  test("that unfolds into too much is refused", async () => {
    const fragment = await fragmentOf(
      JSON.stringify({ scripts: [{ name: "", source: " ".repeat(MOST_SHARED_BYTES) }] }),
    );
    expect(fragment.length).toBeLessThan(10_000);
    await expect(decodeShared(fragment)).rejects.toMatchObject({ fault: "too-large" });
  });

  test("keeps nothing but names and sources", async () => {
    expect(
      await decodeShared(await fragmentOf('{"scripts":[{"name":"a","source":"1","run":true}],"autorun":true}')),
    ).toEqual({ scripts: [{ name: "a", source: "1" }] });
  });
});
