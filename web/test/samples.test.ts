/** The scripts that sample data comes with, run on the data, and their words; the examples' comments. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { loadEngine } from "../src/engine/load.ts";
import { lessons } from "../src/lessons/lessons.ts";
import { commentsOf, exampleIn } from "../src/messages/examples.ts";
import { dataMessagesOf } from "../src/messages/data/words.ts";
import { Engine } from "../src/pkg/engine.ts";
import { createShell } from "../src/pkg/shell.ts";
import { sampleScript, sampleStatements } from "../src/state/data/sample-scripts.ts";
import { loadSample, samples, sampleSizes } from "../src/state/data/samples.ts";
import { languages } from "../src/state/settings.ts";

beforeAll(() => loadEngine(() => readFileSync(new URL("../wasm/quire_bg.wasm", import.meta.url))));

test.each(samples)("every question to $id finds documents, in a small set and in a larger one", async (sample) => {
  for (const size of sampleSizes.slice(0, 2)) {
    const engine = await Engine.create();
    const commander = { commandBytes: async (bytes: Uint8Array) => engine.command(bytes) };
    await loadSample(commander, sample, size, new AbortController().signal, () => undefined);
    const shell = createShell(engine, { database: sample.database });
    for (const statement of sampleStatements(sample.id)) {
      const { value, error } = shell.evaluate(`${statement}.toArray().length`);
      expect(error, statement).toBeUndefined();
      expect(Number(value), `${size}: ${statement}`).toBeGreaterThan(0);
    }
    engine.close();
  }
});

test.each(samples)("every question to $id has its comment in every language", ({ id }) => {
  for (const language of languages) {
    const words = dataMessagesOf(language)[`sample.${id}.try`];
    expect(words.split("\n").length, language).toBe(sampleStatements(id).length);
    expect(commentsOf(sampleScript(id, words))).toEqual(words.split("\n"));
  }
});

test.each(lessons.map((lesson) => [lesson.id, lesson] as const))(
  "the example %s has all its comments in Chinese, and no other line is changed",
  async (id, lesson) => {
    const script = await lesson.load();
    const chinese = exampleIn("zh-Hans", id, script);
    const [own, others] = [commentsOf(script), commentsOf(chinese)];
    expect(others.length).toBe(own.length);
    for (const comment of others) expect(comment).toMatch(/\p{Script=Han}/u);
    const bare = (text: string): string => text.replace(/\/\/ .*$/gm, "//");
    expect(bare(chinese)).toBe(bare(script));
    expect(exampleIn("en", id, script)).toBe(script);
  },
);
