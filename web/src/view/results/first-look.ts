/**
 * The page of results before the first run: the first script's result, as it was recorded (`firstResult`), the pages
 * to learn from, and the examples to begin with.
 *
 * Invariant: the recorded result is shown beside the script that it is of and no other; an end-to-end test runs that
 * script and compares. Nothing is fetched for it.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { firstResult, firstScript, lessons } from "../../lessons/lessons.ts";
import type { Messages } from "../../messages/messages.ts";
import type { AppState } from "../../state/model.ts";
import { openTabOf } from "../../state/tabs.ts";
import { commandKey, type Services } from "../element.ts";
import { guides, siteAddress } from "../guides.ts";

export const firstLookStyles = css`
  .first { max-width: 44rem; margin: 0 auto; padding: 1.5rem 0 0; color: var(--ink-2); text-wrap: pretty; }
  .first h3 { font-size: 1.5rem; font-weight: 450; line-height: 1.25; color: var(--ink); margin-bottom: 0.35rem; }
  .first p + p { margin-top: 0.35rem; font-size: var(--small); }
  .first figure {
    margin-top: 1.1rem; padding: 0.7rem 1rem 0.8rem; background: var(--paper-2); border-left: 3px dashed var(--thread);
    border-radius: 0 var(--radius) var(--radius) 0;
  }
  .first figcaption { font-size: var(--small); font-style: italic; margin-bottom: 0.35rem; word-spacing: 0.1em; }
  .first figcaption:lang(zh) { font-style: normal; }
  .first ol { counter-reset: row; }
  .first ol li { font: 400 var(--code)/1.7 var(--mono); overflow-wrap: anywhere; }
  .first ol li::before {
    counter-increment: row; content: counter(row); margin-right: 0.8rem; font: italic 400 1rem var(--serif, serif);
    color: var(--ink-2);
  }
  .first figure p { margin-top: 0.35rem; font-size: var(--small); }
  .first h4 { margin: 1.5rem 0 0.4rem; font-size: var(--small); font-weight: 500; font-style: italic; }
  .first h4:lang(zh) { font-style: normal; }
  .first ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0.1rem 0.75rem; }
  .first ul :is(a, button) { display: block; width: 100%; padding: 0.4rem 0.6rem; border-radius: var(--radius); }
  .first ul a { color: inherit; text-decoration: none; }
  .first ul :is(a, button):hover { background: var(--paper-2); }
  .first b { display: block; font-weight: 550; color: var(--ink); line-height: 1.3; }
  .first ul span { display: block; font-size: var(--small); line-height: 1.35; }
  @media (pointer: coarse) { .first .key { display: none; } }
`;

/** The page of results before the first run: the recorded result, and the ways to begin. */
export function firstLook(m: Messages, app: AppState, services: Services): TemplateResult {
  const isFirst = openTabOf(app).script === firstScript(m["first.run"], m["first.change"]);
  return html`<div class="first">
    <h3>${m["results.empty.title"]}</h3>
    <p>${m["results.empty.body"]}</p>
    <p class="key">${m["results.empty.key"](commandKey)}</p>
    ${isFirst ? recorded(m) : nothing}
    <h4>${m["results.empty.guides"]}</h4>
    <ul>${guides.map(
      ({ href, name, about }) =>
        html`<li><a href=${siteAddress(href)}><b>${m[name]}</b><span>${m[about]}</span></a></li>`,
    )}</ul>
    <h4>${m["results.empty.examples"]}</h4>
    <ul>${lessons.map(
      ({ id }) =>
        html`<li><button @click=${() => services.openLesson(id)}><b>${m[`lesson.${id}`]}</b><span>${
          m[`lesson.${id}.about`]
        }</span></button></li>`,
    )}</ul>
  </div>`;
}

function recorded(m: Messages): TemplateResult {
  const { documents, index, keys, examined } = firstResult;
  return html`<figure>
    <figcaption>${m["first.gives"]}</figcaption>
    <ol>${documents.map(
      ({ title, year, leaves }) =>
        html`<li>{ title: <span class="string">"${title}"</span>, year: <span class="number">${year}</span>, leaves:
          <span class="number">${leaves}</span> }</li>`,
    )}</ol>
    <p>${m["first.found"](index, String(keys), String(examined))}</p>
  </figure>`;
}
