/**
 * Both tables say everything, and nothing is left untranslated by accident.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { en as courseEn, enOf } from "./course/en.ts";
import { courseMessagesOf } from "./course/words.ts";
import { zhHans as courseZhHans, zhHansOf } from "./course/zh-hans.ts";
import { en as dataEn } from "./data/en.ts";
import { zhHans as dataZhHans } from "./data/zh-hans.ts";
import { en as deskEn } from "./desk/en.ts";
import { zhHans as deskZhHans } from "./desk/zh-hans.ts";
import { en as doubtsEn } from "./doubts/en.ts";
import { zhHans as doubtsZhHans } from "./doubts/zh-hans.ts";
import { en } from "./en.ts";
import { en as errorsEn } from "./errors/en.ts";
import { zhHans as errorsZhHans } from "./errors/zh-hans.ts";
import { en as labEn } from "./lab/en.ts";
import { zhHans as labZhHans } from "./lab/zh-hans.ts";
import { en as modelEn } from "./model/en.ts";
import { zhHans as modelZhHans } from "./model/zh-hans.ts";
import { en as pipelineEn } from "./pipeline/en.ts";
import { zhHans as pipelineZhHans } from "./pipeline/zh-hans.ts";
import { en as referenceEn } from "./reference/en.ts";
import { zhHans as referenceZhHans } from "./reference/zh-hans.ts";
import { en as resultsEn } from "./results/en.ts";
import { zhHans as resultsZhHans } from "./results/zh-hans.ts";
import { en as searchEn } from "./search/en.ts";
import { zhHans as searchZhHans } from "./search/zh-hans.ts";
import { en as syntaxEn } from "./syntax/en.ts";
import { zhHans as syntaxZhHans } from "./syntax/zh-hans.ts";
import { en as timelineEn } from "./timeline/en.ts";
import { zhHans as timelineZhHans } from "./timeline/zh-hans.ts";
import { en as watchEn } from "./watch/en.ts";
import { zhHans as watchZhHans } from "./watch/zh-hans.ts";
import { en as insightEn } from "./xray/insight-en.ts";
import { zhHans as insightZhHans } from "./xray/insight-zh-hans.ts";
import { en as insideEn } from "./xray/inside-en.ts";
import { zhHans as insideZhHans } from "./xray/inside-zh-hans.ts";
import { en as mapEn } from "./xray/map-en.ts";
import { zhHans as mapZhHans } from "./xray/map-zh-hans.ts";
import { en as planEn } from "./xray/plan-en.ts";
import { zhHans as planZhHans } from "./xray/plan-zh-hans.ts";
import { wordNumber } from "./figures.ts";
import { loadWords, wordClock, wordsOf } from "./messages.ts";
import { zhHans } from "./zh-hans.ts";

/** Arguments of messages that are names and measures, and no numbers. */
const named = new Set(
  (
    "name _name names id index collection database file where from to path field shown left right key word source " +
    "target size namespace values rule found most share least median kept bytes times inner operator text"
  ).split(" "),
);

/** Words of a singular that end as plurals do. */
const singular = /^(?:is|was|has|as|this|its|less|does|gives|fails|gets|holds|needs|moves|goes|leads)$/;

/** Plural nouns and verbs behind the number 1 of an English sentence; words that only end so are none. */
function plurals(sentence: string): readonly string[] {
  const found = sentence.matchAll(/(?<![\w.,:-])1 (?:[a-z]+ )?([a-z]+s|are|were|have|do)(?![\w'])/g);
  return [...found].map(([, word = ""]) => word).filter((word) => !singular.test(word));
}

describe.each([
  ["the page's", en, zhHans, "m"],
  ["the data dialogs'", dataEn, dataZhHans, "d"],
  ["the courses'", courseEn, courseZhHans, "c"],
  ["the labs'", labEn, labZhHans, "l"],
  ["the desk's", deskEn, deskZhHans, "t"],
  ["the model view's", modelEn, modelZhHans, "t"],
  ["the pipeline's", pipelineEn, pipelineZhHans, "w"],
  ["the reference's", referenceEn, referenceZhHans, "w"],
  ["the results'", resultsEn, resultsZhHans, "r"],
  ["the doubts'", doubtsEn, doubtsZhHans, "t"],
  ["the errors'", errorsEn, errorsZhHans, "e"],
  ["the timeline's", timelineEn, timelineZhHans, "t"],
  ["the Watch panel's", watchEn, watchZhHans, "w"],
  ["the syntax's", syntaxEn, syntaxZhHans, "s"],
  ["the insight's", insightEn, insightZhHans, "m"],
  ["the map's", mapEn, mapZhHans, "m"],
  ["the plan's", planEn, planZhHans, "p"],
  ["the insides'", insideEn, insideZhHans, "x"],
] as const)("message tables: %s", (_name, english, chinese, letter) => {
  const en: Readonly<Record<string, unknown>> = english;
  const zhHans: Readonly<Record<string, unknown>> = chinese;

  test("have the same keys", () => {
    expect(Object.keys(zhHans).sort()).toEqual(Object.keys(en).sort());
  });

  test("count one thing in the singular", () => {
    const wrong = Object.entries(en).flatMap(([key, word]) => {
      if (typeof word !== "function") return [];
      const names =
        /^\(([^)]*)\)/
          .exec(String(word))?.[1]
          ?.split(",")
          .map((name) => name.trim()) ?? [];
      const given = names.map((name) => (named.has(name) ? "tea" : "1"));
      const told = String((word as (...all: readonly string[]) => unknown)(...given));
      return plurals(told).length > 0 || /\bfirst 1 /i.test(told) ? [`${key}: ${told}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  test("say nothing that no view asks for", () => {
    const views = ["../view/", "../xray/", "../embed/"].flatMap((name) => {
      const folder = new URL(name, import.meta.url);
      const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
      return names.filter((file) => file.endsWith(".ts")).map((file) => readFileSync(new URL(file, folder), "utf8"));
    });
    const source = [
      ...views,
      ...[
        "messages.ts",
        "syntax/fault.ts",
        "xray/insight-sentence.ts",
        "doubts/doubt-sentence.ts",
        "../offline/register.ts",
      ].map((name) => readFileSync(new URL(name, import.meta.url), "utf8")),
    ].join("\n");
    // m[`lesson.${id}`] asks for every key with that beginning.
    const families = [...source.matchAll(new RegExp(`${letter}\\[\`([\\w.]+\\.)\\$\\{`, "g"))].map(
      (match) => match[1] ?? "",
    );
    const unused = Object.keys(en).filter(
      (key) => !source.includes(`"${key}"`) && !families.some((family) => key.startsWith(family)),
    );
    expect(unused).toEqual([]);
  });

  test("have the same kind of message under each key", () => {
    for (const [key, message] of Object.entries(en)) expect(typeof zhHans[key], key).toBe(typeof message);
  });

  test("Chinese words are Chinese, but for names that are typed or measured", () => {
    const asTyped = new Set(["a.type", "card.and", "data.ttl", "go.named", "leaf.text.shell", "list", "growth.of"]);
    for (const [key, message] of Object.entries(zhHans)) {
      const text =
        typeof message === "string" ? message : (message as (...words: string[]) => string)("1", "2", "3", "4");
      if (!asTyped.has(key)) expect(/[\u4e00-\u9fff]/.test(text), `${key}: ${text}`).toBe(true);
    }
  });
});

describe("numbers", () => {
  const words = wordsOf("en");
  test.each([
    [0.42, "0.4 ms"],
    [12.3, "12 ms"],
    [1500, "1.5 s"],
    [150_000, "2.5 min"],
    [7_200_000, "2 h"],
    [259_200_000, "3 d"],
  ])("%f ms", (millis, worded) => expect(words.duration(millis)).toBe(worded));

  test.each([
    [12, "12 B"],
    [16_384, "16 KiB"],
    [1_572_864, "1.5 MiB"],
    [3_221_225_472, "3 GiB"],
  ])("%i bytes", (bytes, worded) => expect(words.size(bytes)).toBe(worded));

  test("the languages write them their own way", async () => {
    expect(wordsOf("zh-Hans").duration(1500)).toBe("1.5 s");
    await loadWords("zh-Hans");
    expect(wordsOf("zh-Hans").duration(1500)).toBe("1.5 秒");
    expect(words.number(1234567)).toBe("1,234,567");
  });
});

test("numbers and times are worded as Intl words them", () => {
  for (const language of ["en", "zh-Hans"]) {
    for (const digits of [0, 1] as const) {
      const format = new Intl.NumberFormat(language, { maximumFractionDigits: digits });
      for (const value of [
        0, 0.25, 0.04, 0.96, 9.95, 9.99, 1, 12.5, 999, 999.96, 1000, 1234.56, 99_999.5, 1_000_000, 123_456_789_012, -1,
        -1234.5,
      ])
        expect(wordNumber(value, digits)).toBe(format.format(value));
    }
    const clock = new Intl.DateTimeFormat(language, {
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    });
    for (const at of [0, 1e12, 1.7e12, 1.7e12 + 45_296_000]) expect(wordClock(at)).toBe(clock.format(at));
  }
});

test("the search has CodeMirror's own phrases as its keys, in both languages", () => {
  // The package asks for its texts by their English words; a text that it does not ask for would never be shown.
  const source = readFileSync(new URL("../../node_modules/@codemirror/search/dist/index.js", import.meta.url), "utf8");
  const asked = [...source.matchAll(/phrase\((?:view, )?"([^"]+)"/g)].map((found) => found[1] ?? "");
  expect(Object.keys(searchEn).sort()).toEqual([...new Set(asked)].sort());
  expect(Object.keys(searchZhHans).sort()).toEqual(Object.keys(searchEn).sort());
});

test.each(["problems", "project"] as const)(
  "a course of %s calls none of its parts a lesson, in both languages",
  (kind) => {
    expect(Object.keys(zhHansOf[kind]).sort()).toEqual(Object.keys(enOf[kind]).sort());
    // What stands on pages that a book or a project has not, or names every kind of course.
    const elsewhere = /^(?:lessons|page\.|end|previous$|next$|glossary)/;
    for (const language of ["en", "zh-Hans"] as const) {
      const told = Object.entries(courseMessagesOf(language, kind))
        .filter(([key]) => !elsewhere.test(key))
        .map(([key, word]): [string, string] => [
          key,
          typeof word === "string" ? word : (word as (...all: readonly string[]) => string)("1", "2", "3"),
        ]);
      expect(told.filter(([, words]) => /lesson|本课(?!程)|课文|一课|返回课程/i.test(words))).toEqual([]);
    }
  },
);
