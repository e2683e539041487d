/**
 * The drawing of a project's model on its card: collections with their fields, what is embedded, and references.
 *
 * Invariants: pure; the scene and its shapes are those of the playground's model; what the drawing shows by lines and
 * indents stands below it in words.
 */
import { html, nothing, svg, type TemplateResult } from "lit";
import type { CourseMessages } from "../../messages/course/words.ts";
import { modelMessagesOf } from "../../messages/model/words.ts";
import { noChoices } from "../../state/model-view/choices.ts";
import type { Model } from "../../state/model-view/model.ts";
import { sceneOf } from "../../state/model-view/scene.ts";
import type { Language } from "../../state/settings.ts";
import { captionOf } from "../model/caption.ts";
import { drawFrame, drawInside, drawLabel, drawWay } from "../model/drawn-shapes.ts";

/** The paths of documents inside documents, and of those in arrays: what has fields of its own. */
export function embeddedIn({ collections }: Pick<Model, "collections">): readonly string[] {
  return collections.flatMap(({ name, fields }) =>
    fields
      .filter(({ steps }) =>
        fields.some(
          ({ steps: inner }) =>
            inner.length === steps.length + 1 && inner.at(-1) !== "[]" && steps.every((step, at) => inner[at] === step),
        ),
      )
      .map(({ path }) => `${name}.${path}`),
  );
}

export function drawModel(
  model: Model,
  c: CourseMessages,
  language: Language,
  number: (value: number) => string,
): TemplateResult {
  const t = modelMessagesOf(language);
  const plural = new Intl.PluralRules(language);
  const words = { number, one: (value: number) => plural.select(value) === "one" };
  const scene = sceneOf(model, noChoices, new Set(model.collections.map(({ name }) => name)), {
    number,
    documents: (collection) => captionOf(t, words, collection),
    more: t["box.more"],
    // All fields are drawn, and nothing can be folded.
    fewer: "",
    nothing: t["box.nothing"],
  });
  const embedded = embeddedIn(model);
  const { width, height } = scene;
  const names = model.collections.map(({ name }) => name).join(c["card.and"]);
  return html`<h3>${c["card.drawing"]}</h3>
    <figure data-card="model">
      <div class="scroller" tabindex="0" role="group" aria-label=${c["card.drawing"]}>
        <svg class="model" role="img" aria-label=${c["card.drawing.is"](names)} aria-describedby="card-model"
          viewBox="0 0 ${width} ${height}" width=${width} height=${height}>
          ${scene.lines.map((line) => svg`<g class=${`line ${line.dangles ? "dangles" : ""}`}>${drawWay(line)}</g>`)}
          ${scene.lines.map((line) => svg`<g class=${`line ${line.dangles ? "dangles" : ""}`}>${drawLabel(line)}</g>`)}
          ${scene.boxes.map(
            (box) =>
              svg`<g class="box" data-box=${box.name} transform="translate(${box.x} ${box.y})">${drawFrame(
                box,
              )}${drawInside(box)}</g>`,
          )}
        </svg></div>
      <figcaption id="card-model"><dl>
        <dt>${c["card.embedded"]}</dt><dd>${
          embedded.length === 0
            ? c["card.none"]
            : embedded.map((path, at) => html`${at === 0 ? nothing : c["card.and"]}<code>${path}</code>`)
        }</dd>
        <dt>${c["card.references"]}</dt><dd>${
          scene.lines.length === 0
            ? c["card.none"]
            : scene.lines.map(({ reference: { from, path, to, key, cardinality }, figures }, at) => {
                const kind = cardinality === null ? t["line.unmeasured"] : t[`kind.${cardinality.kind}`];
                return html`${at === 0 ? nothing : c["card.and"]}<code>${from}.${path}</code> → <code>${to}.${
                  key
                }</code> (${[kind, figures].filter((one) => one !== "").join(", ")})`;
              })
        }</dd>
      </dl></figcaption>
    </figure>`;
}
