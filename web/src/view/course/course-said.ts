/**
 * The outcome of a task's check: that it passed, or the hint, behind the error with which the script ended.
 *
 * Invariants: an error stands before the hint, which may follow from it; it is worded as the script's output words it,
 * and by the shell while that is read.
 */
import { html, nothing, type TemplateResult } from "lit";
import { tableFor } from "../../embed/words.ts";
import { wordFigure } from "../../lessons/course/figures.ts";
import type { Task } from "../../lessons/course/parts.ts";
import type { Checked, Made } from "../../lessons/course/run.ts";
import type { CourseMessages } from "../../messages/course/words.ts";
import { isRead, worded } from "../../messages/syntax/told.ts";
import type { ScriptError } from "../../protocol/run.ts";
import { drawRace } from "./course-race.ts";
import { drawBlocks, drawInline, type TextContext } from "./course-text.ts";

type Hint = Extract<Checked, { readonly kind: "hint" }>;

/** The errors that are worded by reading the script, as far as they were read. */
export class ToldErrors {
  readonly #told = new WeakMap<Made, { readonly language: string; readonly error: ScriptError | null }>();
  readonly #read: () => void;

  /** `read` hears when one was read. */
  constructor(read: () => void) {
    this.#read = read;
  }

  /** Null while the script is read, and where the error stays as it is. */
  of(made: Made | null, language: string): ScriptError | null {
    const error = made?.outcome.error ?? null;
    if (made === null || error === null || !isRead(error)) return null;
    const known = this.#told.get(made);
    if (known?.language === language) return known.error;
    this.#told.set(made, { language, error: null });
    void worded(error, made.source, tableFor(language)).then((told) => {
      this.#told.set(made, { language, error: told });
      this.#read();
    });
    return null;
  }
}

export interface Said {
  readonly c: CourseMessages;
  readonly language: string;
  /** The task's last run. */
  readonly made: Made | null;
  readonly errors: ToldErrors;
  /** Whether the data hold writes of earlier tries. */
  readonly hasEarlier: boolean;
  text(words: Readonly<Record<string, unknown>>): TextContext;
  number(value: number): string;
}

export function drawSaid(task: Task, checked: Checked, said: Said): TemplateResult {
  const { c } = said;
  if (checked.kind === "passed")
    return html`<div class="done text" data-passed>${
      checked.alone ? html`<p data-alone>${c["task.alone"]}</p>` : nothing
    }${drawBlocks(task.passed, said.text(checked.words))}</div>`;
  if (checked.kind === "broken") return html`<p class="failure">${c["task.broken"](checked.message)}</p>`;
  const isOfTrial = checked.other === true || checked.shown !== undefined;
  return html`<div class="hint" data-hint=${checked.key}>${
    checked.other ? html`<p data-other>${c["task.other"]}</p>` : nothing
  }${checked.shown === undefined ? nothing : html`<p data-raced>${c["task.raced"]}</p>`}${
    checked.error === undefined ? nothing : html`<p data-error>${c["task.error"](checked.error)}</p>`
  }<p data-says><b>${c["task.hint"]}</b>  ${drawHint(task, checked, said)}</p>${
    checked.shown === undefined ? nothing : drawRace(checked.shown, c, said.number)
  }</div>${
    said.hasEarlier && !isOfTrial ? html`<p class="hint earlier" data-earlier>${c["task.earlier"]}</p>` : nothing
  }`;
}

function drawHint(task: Task, { key, words }: Hint, said: Said): unknown {
  const { c, language } = said;
  const hint = task.hints.get(key);
  const word = (name: string): string => wordFigure(words[name], language) ?? "";
  if (hint !== undefined) return drawInline(hint, said.text(words));
  if (key === "uncalled") return c["task.uncalled"](word("call"), word("message"));
  if (key !== "syntax" && key !== "failed") return c["task.unknown"](key);
  const told = said.errors.of(said.made, language);
  // What reads like SQL is told with an example, and is no slip of brackets.
  if (told?.text.includes("\n")) return html`<span class="told">${told.text}</span>`;
  const message = told?.text ?? word("message");
  return key === "failed"
    ? c["task.failed"](message)
    : c["task.syntax"](message, told === null ? word("line") : String(told.line ?? 1));
}
