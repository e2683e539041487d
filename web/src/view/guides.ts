/** The pages of the site beside the playground, and how links lead to them. */
import { carrying } from "../state/links.ts";

/** The pages beside the playground that a reader learns from, with the names of their words. */
export const guides = [
  { href: "./course.html", name: "header.tutorial", about: "header.tutorial.about" },
  { href: "./course.html?course=practice", name: "header.practice", about: "header.practice.about" },
  { href: "./lab.html", name: "header.lab", about: "header.lab.about" },
  { href: "./reference.html", name: "header.reference", about: "header.reference.about" },
] as const;

/** The address of a page of the site, in the language and colours of this visit. */
export function siteAddress(href: string): string {
  return carrying(href, location.search);
}
