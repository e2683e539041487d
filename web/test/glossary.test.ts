/**
 * Holds every Chinese text (lessons, labs, the page's words) to the course's glossary: one term for each concept; and
 * the lessons to Chinese punctuation.
 *
 * Invariant: the terms are read from the glossary itself, and each that it refuses is refused for a term that it gives.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const web = resolve(import.meta.dirname, "..");
const glossary = readFileSync(join(web, "courses/modelling/glossary.md"), "utf8");

/** The glossary's rows: the concept, the terms for it, the terms that are refused. */
const rows = glossary
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| English |"))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, english, terms, refused]) => ({
    english: english ?? "",
    terms: (terms ?? "").split("、").filter((term) => term !== ""),
    refused: (refused ?? "").split("、").filter((term) => term !== ""),
  }));

const texts = ["courses", "labs", "src/messages"]
  .flatMap((folder) =>
    readdirSync(join(web, folder), { recursive: true, encoding: "utf8" }).map((name) => join(web, folder, name)),
  )
  .filter((path) => /zh-hans[^/\\]*\.(?:md|ts)$/i.test(path));

const good = rows.flatMap(({ terms }) => terms);

/** Whether a line has the refused term; "分片键" holds one, "片键", and is none. */
const has = (line: string, refused: string): boolean =>
  good
    .filter((term) => term.includes(refused))
    .reduce((left, term) => left.replaceAll(term, " "), line)
    .includes(refused);

test("the glossary gives each concept a term, and refuses none that it gives", () => {
  expect(rows.length).toBeGreaterThan(80);
  expect(rows.filter(({ english, terms }) => english === "" || terms.length === 0)).toEqual([]);
  const refused = rows.flatMap((row) => row.refused);
  expect(new Set(refused).size, "a term is refused once").toBe(refused.length);
  const english = rows.map((row) => row.english);
  expect(new Set(english).size, "a concept stands once").toBe(english.length);
  expect(refused.filter((term) => good.includes(term))).toEqual([]);
});

test("no Chinese text uses a term that the glossary refuses", () => {
  expect(texts.length).toBeGreaterThan(10);
  const faults = texts.flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line, index) =>
        rows.flatMap(({ terms, refused }) =>
          refused
            .filter((term) => has(line, term))
            .map((term) => `${relative(web, path)}:${index + 1}: ${term}: write ${terms.join(" or ")}`),
        ),
      ),
  );
  expect(faults).toEqual([]);
});

test("Chinese lessons are punctuated as Chinese is, with a space beside Latin letters", () => {
  const faults = texts
    .filter((path) => path.endsWith(".md"))
    .flatMap((path) =>
      readFileSync(path, "utf8")
        .split("\n")
        .flatMap((line, index) => {
          // Code, expressions, addresses and the keys of hints are not read: they are no Chinese text.
          const text = line
            .replace(/^- .* :: /, "")
            .replace(/^- [\w-]+: /, "")
            .replace(/`[^`]*`/g, "`")
            .replace(/\]\([^)]*\)/g, "]");
          const found = /[\p{Script=Han}][,;:?!()A-Za-z]|[,;:?!()A-Za-z][\p{Script=Han}]/u.exec(text);
          return found === null ? [] : [`${relative(web, path)}:${index + 1}: ${found[0]}`];
        }),
    );
  expect(faults).toEqual([]);
});
