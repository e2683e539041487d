/**
 * Links of a lesson's text that lead to other parts of a course and to the pages beside it: `lesson:indexes`,
 * `lesson:indexes/3` (its third step), `glossary:`, `lab:carts`, `reference:stage/$match`.
 *
 * Invariant: pure; a link is read in one way, here.
 */

/** Where a link inside the course leads. */
export type Inside =
  | { readonly to: "lesson"; readonly lesson: string; readonly step: number }
  | { readonly to: "glossary" };

/** Where a link to a page beside the course leads; `name` is a lab's id or an entry of the reference. */
export interface Beside {
  readonly to: "lab" | "reference";
  readonly name: string;
}

/** Reads a link; null where it is one to elsewhere, as `https:`. */
export function readLink(href: string): Inside | Beside | null {
  const lesson = /^lesson:([a-z][a-z0-9-]*)(?:\/(\d+))?$/.exec(href);
  if (lesson !== null) return { to: "lesson", lesson: lesson[1] ?? "", step: Number(lesson[2] ?? 0) };
  if (href === "glossary:") return { to: "glossary" };
  const beside = /^(lab|reference):(.+)$/.exec(href);
  if (beside === null) return null;
  let name = beside[2] ?? "";
  try {
    name = decodeURI(name);
  } catch {
    // A name with a lone % stands for itself.
  }
  return { to: beside[1] as Beside["to"], name };
}

/** The place on the playground's site that a link names, as the page of a lab leads to it. */
export function siteAddressOf(link: Inside | Beside): string {
  switch (link.to) {
    case "lab":
      return `./lab.html?lab=${encodeURIComponent(link.name)}`;
    case "reference":
      return `./reference.html#/${encodeURI(link.name)}`;
    case "glossary":
      return "./course.html#glossary";
    case "lesson":
      return `./course.html?lesson=${link.lesson}${link.step === 0 ? "" : `#step-${link.step}`}`;
  }
}
