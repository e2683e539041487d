/**
 * A question of a lesson: its form, and the reader's answer beside the run's own.
 *
 * Invariant: pure templates; the truth is that of a run, and never of a text.
 */
import { html, nothing, type TemplateResult } from "lit";
import { wordFigure } from "../../lessons/course/figures.ts";
import type { Question } from "../../lessons/course/parts.ts";
import { numberSaid } from "../../lessons/course/progress.ts";
import { isRight } from "../../lessons/course/recall.ts";
import type { Answered } from "../../lessons/course/run.ts";
import { drawInline, type TextContext } from "./course-text.ts";
import type { CourseMessages } from "../../messages/course/words.ts";

type Context = TextContext & { readonly c: CourseMessages };

/** The fields of a question that is not answered; `more` stands behind the button. */
export function drawFields(
  { key, answer }: Question,
  context: Context,
  send: string,
  more: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const { c } = context;
  return html`${
    answer.kind === "choices"
      ? html`<div class="choices">${answer.choices.map(
          ({ label }, at) =>
            html`<label><input type="radio" name="answer" value=${at} required /><span>${drawInline(
              label,
              context,
            )}</span></label>`,
        )}</div>`
      : nothing
  }
  <div class="answering">
    ${
      answer.kind === "figure"
        ? html`<input type="text" id=${`q-${key.replace("/", "-")}`} name="answer" required autocomplete="off"
          inputmode="decimal" aria-label=${c["question.answer"]} placeholder=${c["question.answer"]} />`
        : nothing
    }
    <button type="submit" class="button">${send}</button>${more}
  </div>`;
}

/** The answer in a form that was sent; null where it is empty, or no number where one is asked for. */
export function sentAnswer(event: SubmitEvent, { answer }: Question, c: CourseMessages): string | null {
  event.preventDefault();
  const form = event.target as HTMLFormElement;
  const said = new FormData(form).get("answer");
  if (typeof said !== "string" || said.trim() === "") return null;
  if (answer.kind !== "figure" || numberSaid(said) !== null) return said;
  const field = form.elements.namedItem("answer") as HTMLInputElement;
  field.setCustomValidity(c["question.number"]);
  field.reportValidity();
  field.addEventListener("input", () => field.setCustomValidity(""), { once: true });
  return null;
}

/** The reader's answer beside the run's own; `more` stands under them. */
export function drawTruth(
  question: Question,
  given: string | null,
  found: Answered,
  context: Context,
  more: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const { c, language } = context;
  const { answer } = question;
  if (found.kind === "broken") return html`<p class="failure">${c["question.broken"](found.message)}</p>`;
  const label = (at: number): unknown =>
    answer.kind === "choices" ? drawInline(answer.choices[at]?.label ?? [], context) : "";
  const said = given === null ? null : answer.kind === "choices" ? label(Number(given)) : given;
  const right = isRight(question, given, found) === true;
  const truth =
    found.kind === "figure"
      ? (wordFigure(found.truth, language) ?? String(found.truth))
      : found.right.flatMap((one, at) => (one ? [html`<span>${label(at)}</span> `] : []));
  return html`<div class="truth ${right ? "right" : given === null ? "" : "wrong"}" role="status">
    ${
      given === null
        ? nothing
        : html`<p class="verdict">${right ? `✓ ${c["question.right"]}` : c["question.wrong"]}</p>`
    }
    <dl><dt>${c["question.said"]}</dt><dd>${said ?? c["question.skipped"]}</dd>
    <dt>${c["question.was"]}</dt><dd class="figure">${truth}</dd></dl>${more}</div>`;
}
