/**
 * The tables of a model's card: what the releases' tasks cost, and the collections.
 *
 * Invariant: pure templates; a figure that was not measured is told as none.
 */
import { html, nothing, type TemplateResult } from "lit";
import { CARD_COSTS, type Card, type CardCollection } from "../../lessons/course/card.ts";
import type { CourseMessages } from "../../messages/course/words.ts";

export const wordCosts = (c: CourseMessages): Readonly<Record<(typeof CARD_COSTS)[number], string>> => ({
  documentsExamined: c["cost.documents"],
  keysExamined: c["cost.keys"],
  pagesRead: c["cost.read"],
  pagesWritten: c["cost.written"],
  commands: c["cost.commands"],
});

export function drawCard(card: Card, c: CourseMessages, number: (value: number) => string): TemplateResult {
  const words = wordCosts(c);
  return html`<h3>${c["card.costs"]}</h3>
    <div class="scroller" tabindex="0" role="group" aria-label=${c["card.costs"]}><table data-card="costs">
      <thead><tr><th scope="col">${c["card.release"]}</th><th scope="col">${c["card.task"]}</th><th scope="col">${
        c["card.check"]
      }</th><th scope="col" class="right">${c["cost.last"](words.documentsExamined)}</th>${CARD_COSTS.map(
        (name) => html`<th scope="col" class="right">${words[name]}</th>`,
      )}</tr></thead>
      <tbody>${card.releases.map(({ id, title, tasks }) =>
        tasks.map(
          (task, at) => html`<tr data-task=${`${id}/${task.id}`} data-passes=${String(task.passes)}>
            ${at === 0 ? html`<th scope="rowgroup" rowspan=${tasks.length}>${title}</th>` : nothing}
            <td><code>${task.id}</code></td><td class=${task.passes ? "passes" : "fails"}>${
              task.passes ? `✓ ${c["card.passes"]}` : `✗ ${c["card.fails"]}`
            }</td><td class="right">${
              task.asked === null ? "–" : number(task.asked.documentsExamined)
            }</td>${CARD_COSTS.map(
              (name) => html`<td class="right">${task.cost === null ? "–" : number(task.cost[name])}</td>`,
            )}</tr>`,
        ),
      )}</tbody></table></div>
    <h3>${c["card.collections"]}</h3>
    ${card.collections.map((one) => drawCollection(one, c, number))}`;
}

function drawCollection(
  { name, documents, bytes, fields, indexes, validator }: CardCollection,
  c: CourseMessages,
  number: (value: number) => string,
): TemplateResult {
  return html`<section data-collection=${name}><h4><code>${name}</code></h4>
    <p class="about">${c["card.documents"](number(documents), number(bytes))}</p>
    <dl><dt>${c["card.fields"]}</dt><dd>${fields.map(
      (field, at) => html`${at === 0 ? "" : c["card.and"]}<code>${field.name}</code> ${field.types.join(" | ")}`,
    )}</dd>
    <dt>${c["card.indexes"]}</dt><dd>${indexes.map(
      (index, at) =>
        html`${at === 0 ? "" : c["card.and"]}<code>${index.keys}</code>${index.unique ? c["card.unique"] : nothing}`,
    )}</dd>
    <dt>${c["card.validator"]}</dt><dd>${
      validator === null ? c["card.none"] : html`<code>${validator}</code>`
    }</dd></dl>
  </section>`;
}
