/**
 * The meeting of two programs that broke an answer, step by step in the order of time.
 *
 * Invariant: draws only; each step says whose it is in words, and not by its place or colour alone.
 */
import { html, nothing, type TemplateResult } from "lit";
import type { Interleaving } from "../../lessons/course/race.ts";
import { wordSteps, type Given, type WordedStep } from "../../lessons/course/steps.ts";
import type { CourseMessages } from "../../messages/course/words.ts";

const LETTERS = { first: "A", second: "B" } as const;

export function drawRace(shown: Interleaving, c: CourseMessages, number: (value: number) => string): TemplateResult {
  const { race, kind } = shown;
  const { steps, at, before, after } = wordSteps(shown);
  const left = (count: number): TemplateResult | typeof nothing =>
    count === 0 ? nothing : html`<li class="left">${c["race.left"](number(count))}</li>`;
  const says = { after: c["race.after"], between: c["race.between"], cut: c["race.cut"], alone: "" }[kind];
  return html`<figure class="race" data-race=${kind}>
    <figcaption>${says}</figcaption>
    ${
      race.calls === null
        ? html`<p class="calls">${c["race.whole"]}</p>`
        : html`<p class="calls"><span><b>A</b> <code>${race.calls[0]}</code></span><span><b>B</b> <code>${
            race.calls[1]
          }</code></span></p>`
    }
    <ol>${left(before)}${steps.map(
      (step, place) => html`${kind === "cut" && place === at ? cutHere(c) : nothing}${drawStep(step, c, number)}`,
    )}${kind === "cut" && at >= steps.length ? cutHere(c) : nothing}${left(after)}</ol>
  </figure>`;
}

const cutHere = (c: CourseMessages): TemplateResult => html`<li class="cut">${c["race.cut.here"]}</li>`;

function drawStep({ by, text, given }: WordedStep, c: CourseMessages, number: (value: number) => string): unknown {
  return html`<li class=${by}><b>${LETTERS[by]}</b> <code>${text}</code>
    <span class="given">→ ${wordGiven(given, c, number)}</span></li>`;
}

function wordGiven(given: Given, c: CourseMessages, number: (value: number) => string): unknown {
  switch (given.kind) {
    case "error":
      return html`<span class="refused">${c["race.error"](given.message)}</span>`;
    case "found":
      if (given.count === 0) return c["race.nothing"];
      return html`<code>${given.first}</code>${given.count > 3 ? ` ${c["race.all"](number(given.count))}` : ""}`;
    case "inserted":
      return c["race.inserted"](number(given.count));
    case "changed":
      return given.count === 0 ? c["race.unchanged"] : c["race.changed"](number(given.count));
    case "deleted":
      return c["race.deleted"](number(given.count));
    case "done":
      return c["race.done"];
  }
}
