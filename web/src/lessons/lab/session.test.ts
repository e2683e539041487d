/** A reader at a lab: reading it, changing it, measuring it, giving it away and taking it back. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { decodeShared } from "../../share/decode.ts";
import { openSandboxed } from "../../pkg/docs/sandboxed.ts";
import { labOfShared, readLab, rewriteScripts, withScript } from "./lab.ts";
import { parseScripts } from "./parse.ts";
import { LabSession } from "./session.ts";
import { figuresIn, readLabText } from "./text.ts";

const root = new URL("../../../", import.meta.url);
const file = (name: string): string => readFileSync(new URL(`labs/carts/${name}`, root), "utf8");
const wasm = (name: string): Uint8Array => readFileSync(fileURLToPath(new URL(`wasm/${name}`, root)));
const openHost = () =>
  openSandboxed(20_000, { engineWasm: () => wasm("quire_bg.wasm"), sandboxWasm: () => wasm("sandbox.wasm") });

const opened = async (): Promise<LabSession> => {
  const session = new LabSession({ read: async (name) => file(name), openHost });
  await session.start("en-GB");
  session.choose(100);
  return session;
};
const place = { design: "referenced", operation: "rename" };

describe("a lab's session", () => {
  test("reads the lab in the language that fits, and goes over to another", async () => {
    const session = await opened();
    expect([session.phase, session.language, session.text?.title]).toEqual([
      "ready",
      "en",
      "Carts: embedded or referenced",
    ]);
    session.speak("zh-CN");
    expect(session.text?.designs.get("embedded")?.title).toBe("嵌入");
    expect(session.told).toBe("");
  });

  test("measures up to the chosen scale, and only what is not measured yet", async () => {
    const session = await opened();
    await session.run();
    expect([...session.measures.keys()]).toEqual([100]);
    const first = session.measures.get(100);
    session.choose(200);
    expect(session.busy).toBe(false);
    await session.run();
    expect([...session.measures.keys()]).toEqual([100, 200]);
    expect(session.measures.get(100)).toBe(first);
    expect(session.failure).toBeNull();
  });

  test("tells figures of scripts that were changed since, and measures all anew", async () => {
    const session = await opened();
    await session.run();
    expect(session.isStale).toBe(false);
    session.edit(place, "db.nothing.updateOne({}, { $no: 1 })");
    expect([session.isStale, session.isEdited]).toEqual([true, true]);
    await session.run();
    expect(session.isStale).toBe(false);
    expect(session.measure?.designs[1]?.faults).toMatchObject([{ script: "rename" }]);
    session.edit(place, session.author(place));
    expect([session.isStale, session.isEdited]).toEqual([true, false]);
  });

  test("adds nothing of a run that was stopped, and runs again", async () => {
    const session = await opened();
    const run = session.run();
    const stop = session.subscribe(() => {
      if (session.progress?.script === "cart") session.stop();
    });
    await run;
    stop();
    expect([session.busy, session.measures.size, session.failure]).toEqual([false, 0, null]);
    // Of several runs that wait for one another only the last is done.
    await Promise.all([session.run(), session.run(), session.run()]);
    expect([...session.measures.keys()]).toEqual([100]);
  });

  test("gives away what the reader made of it, as a file and as a link", async () => {
    const session = await opened();
    session.edit(place, "// `` ``` ````\ndb.products.updateOne({ _id: 35 }, { $set: { name: 'x' } })");
    const { name, text } = session.exported() ?? { name: "", text: "" };
    expect(name).toBe("carts.lab.json");
    const link = await session.link("https://example.org/lab.html?lab=carts#old");
    const url = new URL(link ?? "");
    expect([url.searchParams.get("lab"), url.searchParams.get("lang"), url.searchParams.get("n")]).toEqual([
      null,
      "en",
      "100",
    ]);
    const shared = labOfShared((await decodeShared(url.hash))?.scripts ?? []);
    for (const given of [text, shared]) {
      const other = new LabSession({ read: () => Promise.reject(new Error("nothing beside it")), openHost });
      await other.start("en", given);
      expect(other.failure).toBeNull();
      expect(other.script(place)).toBe(session.script(place));
      expect(other.text?.title).toBe(session.text?.title);
    }
  });

  test("gives no link that programs would cut", async () => {
    const session = await opened();
    const noise = Array.from({ length: 6000 }, (_, at) => ((at * 2_654_435_761) % 4_294_967_296).toString(36)).join(
      " ",
    );
    session.edit(place, `// ${noise}`);
    expect(await session.link("https://example.org/lab.html")).toBeNull();
    expect(session.exported()?.text).toContain(noise);
  });

  test("opens a file in its place, and stays as it is where that is none", async () => {
    const session = await opened();
    const { text } = session.exported() ?? { text: "" };
    for (const wrong of ["", "{}", '{"quireLab":2}', text.replace('"id": "carts"', '"id": "No"'), file("lab.json")])
      expect(session.take(wrong)).toBe(false);
    expect(session.text?.title).toBe("Carts: embedded or referenced");
    expect(session.take(text.replace("# Carts", "# Baskets"))).toBe(true);
    expect([session.text?.title, session.failure]).toEqual(["Baskets: embedded or referenced", null]);
  });

  test("says why a lab cannot be read", async () => {
    const session = new LabSession({ read: () => Promise.reject(new Error("lab.json: 404")), openHost });
    await session.start("en");
    expect([session.phase, session.failure]).toEqual(["failed", "lab.json: 404"]);
  });
});

describe("a lab's files", () => {
  const scripts = parseScripts(file("scripts.md"));

  test("scripts are written as they are read, and nothing around them changes", () => {
    expect(rewriteScripts(file("scripts.md"), scripts)).toBe(file("scripts.md"));
    const notes = [
      "Why it is so.\n\n",
      "\nBetween.\n",
      "\n```text\na plain block\n```\n\nThe end, without a line's end",
    ];
    const block = (words: string, source: string): string => `~~~js ${words}\r\n${source}~~~\n`;
    const first = `${notes[0]}${block("design a", "")}${notes[1]}${block("design b", "2\n\n")}`;
    const text = `${first}${block("read r a", "3\n")}\n${block("read r b", "4\n")}${notes[2]}`;
    let changed = parseScripts(text);
    const sources = ["one\n```", "", "```` three\n\n\nmore"];
    const places = [
      { design: "a", operation: null },
      { design: "b", operation: null },
      { design: "a", operation: "r" },
    ];
    for (const [at, place] of places.entries()) changed = withScript(changed, place, sources[at] ?? "");
    const written = rewriteScripts(text, changed);
    expect(parseScripts(written)).toEqual(changed);
    for (const note of notes) expect(written).toContain(note);
    expect(written).toContain("~~~js read r b\n4\n~~~\n");
    expect(rewriteScripts(written, parseScripts(text))).not.toContain("three");
  });

  test("both languages name the same figures", () => {
    const [en, zh] = ["en", "zh-Hans"].map((tag) => readLabText(tag, file(`${tag}.md`), scripts));
    expect([en?.faults, zh?.faults]).toEqual([[], []]);
    expect(figuresIn(en?.text as never)).toEqual(figuresIn(zh?.text as never));
    expect(figuresIn(en?.text as never).length).toBeGreaterThan(3);
  });

  test.each([
    ["no title", (text: string) => text.replace(/^# .*\n/, "")],
    ["a part is missing", (text: string) => text.replace(/^## write rename.*\n/m, "")],
    ["an unknown part", (text: string) => text.replace("## read cart", "## read card")],
    ["a read that is a write", (text: string) => text.replace("## read cart", "## write cart")],
    ["a figure that nothing gives", (text: string) => text.replace("{{n}}", "{{m}}")],
    ["a unit alone", (text: string) => text.replace("|page|pages", "|page")],
    ["markup", (text: string) => `${text}\n<b>x</b>\n`],
    ["a number that is typed", (text: string) => `${text}\nIt reads 12 pages.\n`],
  ])("a fault is told: %s", (_, change) => {
    const text = file("en.md");
    expect(change(text)).not.toBe(text);
    expect(readLabText("en", change(text), scripts).faults).not.toEqual([]);
  });

  test.each(["[]", '{"quireLab":1,"id":"a","languages":[]}', '{"quireLab":1,"id":"a","languages":["en"],"x":1}'])(
    "no lab: %s",
    (text) => expect(() => readLab(text)).toThrow(),
  );
});
