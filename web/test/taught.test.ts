/** The reference leads to the lessons that explain a name, and labs to steps of lessons that are there. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { taughtIn } from "../scripts/course-files.ts";
import { readLink, siteAddressOf } from "../src/lessons/course/links.ts";

const web = resolve(import.meta.dirname, "..");
const taught = taughtIn(join(web, "courses/modelling"));

test("names are found with the lessons that explain them", () => {
  const of = (name: string): readonly string[] =>
    taught.filter(({ names }) => names.includes(name)).map(({ id }) => id);
  expect(of("$group")).toContain("aggregation");
  expect(of("expireAfterSeconds")).toContain("ttl");
  expect(of("bulkWrite")).toContain("bulk");
  expect(of("$elemMatch")).toContain("queries");
  for (const { title } of taught) expect(Object.keys(title)).toEqual(["en", "zh-Hans"]);
});

test("every lab leads to a lesson, at a step that is there", () => {
  const labs = JSON.parse(readFileSync(join(web, "labs/labs.json"), "utf8")) as readonly string[];
  for (const lab of labs)
    for (const language of ["en", "zh-Hans"]) {
      const text = readFileSync(join(web, "labs", lab, `${language}.md`), "utf8");
      const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => readLink(href ?? ""));
      expect(links.length, lab).toBeGreaterThan(0);
      for (const link of links) {
        if (link?.to !== "lesson") throw new Error(`${lab}: a lab links to lessons`);
        const steps = readFileSync(join(web, "courses/modelling", link.lesson, `${language}.md`), "utf8");
        expect(steps.match(/^## /gm)?.length ?? 0, lab).toBeGreaterThanOrEqual(link.step);
      }
    }
  expect(readdirSync(join(web, "labs")).length).toBe(labs.length + 1);
});

test("links have their place on the site", () => {
  const place = (href: string): string => siteAddressOf(readLink(href) ?? { to: "glossary" });
  expect(place("lesson:ttl/2")).toBe("./course.html?lesson=ttl#step-2");
  expect(place("reference:stage/$match")).toBe("./reference.html#/stage/$match");
  expect(place("lab:carts")).toBe("./lab.html?lab=carts");
});
