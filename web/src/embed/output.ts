/**
 * The output of a snippet: the author's own before the first run, then what the last run printed and gave.
 *
 * Invariants: the part that draws values is fetched by the first run; a drawing that comes after a newer run is not
 * shown; what scrolls can be focused, so that keys scroll it.
 */
import type { CursorBatch } from "../client/client.ts";
import { snippetViews, type SnippetView } from "./attributes.ts";
import { make } from "./base.ts";
import type { QuireErrorDetail } from "./events.ts";
import type { DifferenceLine } from "./expected.ts";
import { load } from "./loaded.ts";
import type { ResultValue } from "./results.ts";
import type { Words } from "./words.ts";

/** What the output shows of the last run. */
export interface Shown {
  readonly printed: readonly string[];
  readonly leftOut: number;
  value: ResultValue | null;
  failure: { readonly error: QuireErrorDetail; readonly before: string | null } | null;
  /** Where the real output is another than the author's; null where it is not, or was not compared. */
  difference: readonly DifferenceLine[] | null;
  /** Whether the real output is the author's; null where they were not compared. */
  matches: boolean | null;
}

/** A run that has shown nothing so far. */
export function nothingShown(): Shown {
  return { printed: [], leftOut: 0, value: null, failure: null, difference: null, matches: null };
}

/** What the output asks of its snippet. */
export interface OutputOwner {
  readonly words: Words;
  view: SnippetView;
  /** The batch that was asked for came: the value with it. */
  onMore(shown: Shown, milliseconds: number): void;
  onMoreFailed(shown: Shown, error: unknown): void;
  /** Leads to the place of an error in the script. */
  goTo(line: number, column: number): void;
}

export class SnippetOutput {
  readonly element = make("div", "output");
  /** Where the author's own output is shown. */
  readonly fallback = make("slot", "");
  readonly #owner: OutputOwner;
  #shown: Shown | null = null;

  constructor(owner: OutputOwner) {
    this.#owner = owner;
    this.element.setAttribute("role", "group");
  }

  /** Null before the first run, and after a reset. */
  get shown(): Shown | null {
    return this.#shown;
  }

  show(shown: Shown | null): void {
    this.#shown = shown;
    this.draw();
  }

  /** Draws the output: of the last run, or the author's own. */
  draw(): void {
    const shown = this.#shown;
    const { element } = this;
    const { words } = this.#owner;
    element.setAttribute("aria-label", words.result);
    if (shown === null) {
      element.replaceChildren(this.fallback);
      element.hidden = this.fallback.assignedNodes().length === 0;
      return;
    }
    const parts: Node[] = [];
    if (shown.leftOut > 0) parts.push(make("p", "note", words.leftOut(shown.leftOut)));
    if (shown.printed.length > 0) parts.push(make("pre", "printed", shown.printed.join("\n")));
    const { value, failure, difference } = shown;
    if (failure !== null) parts.push(this.#failure(failure));
    if (value !== null || difference !== null) void this.#drawValue(shown);
    element.replaceChildren(...parts);
    element.hidden = parts.length === 0 && (value === null || (value.text === "" && value.values === null));
    element.scrollTop = 0;
    this.#reach();
  }

  #failure({ error, before }: NonNullable<Shown["failure"]>): HTMLElement {
    const { words } = this.#owner;
    const box = make("div", "error", ...(before === null ? [] : [`${before}\n`]), error.text);
    const { line } = error;
    if (line !== null) {
      const column = error.column ?? 1;
      const place = words.place(line, column);
      // Only the snippet's own script is in the page to be led to.
      const where = make(error.stage === "script" ? "button" : "small", "place", place);
      if (where instanceof HTMLButtonElement) {
        where.type = "button";
        where.addEventListener("click", () => this.#owner.goTo(line, column));
      }
      box.append(where);
    }
    box.setAttribute("role", "alert");
    return box;
  }

  /** What scrolls can be focused, so that keys scroll it; what does not is no stop for Tab. */
  #reach(): void {
    const { element } = this;
    if (element.scrollHeight > element.clientHeight + 1) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  }

  async #drawValue(shown: Shown): Promise<void> {
    const { value, difference } = shown;
    const [{ backend }, { drawDifference, drawValue, hasViews, withBatch }] = await load();
    if (this.#shown !== shown || shown.value !== value) return;
    const { element } = this;
    const { words, view } = this.#owner;
    const parts: HTMLElement[] = [];
    if (value !== null && hasViews(value)) parts.push(this.#views());
    if (value !== null && value.text !== "") parts.push(make("div", "result", drawValue(value, view, words)));
    if (value?.batch != null) {
      const more = make("button", "quiet", words.more);
      more.type = "button";
      const { batch, values } = value;
      more.addEventListener(
        "click",
        () =>
          void this.#more(more, () => backend.more(batch).then((next: CursorBatch) => withBatch(values ?? [], next))),
      );
      parts.push(more);
    }
    if (difference !== null) parts.push(drawDifference(difference, words));
    element.querySelectorAll(".views, .result, .result + button, .difference").forEach((old) => old.remove());
    element.append(...parts);
    element.hidden = element.children.length === 0;
    this.#reach();
  }

  #views(): HTMLElement {
    const { words, view: chosen } = this.#owner;
    const views = make("div", "views");
    views.setAttribute("role", "group");
    views.setAttribute("aria-label", words.views);
    for (const view of snippetViews) {
      const button = make("button", "", words[view]);
      button.type = "button";
      button.setAttribute("aria-pressed", String(view === chosen));
      button.addEventListener("click", () => {
        this.#owner.view = view;
        void load().then(() => this.element.querySelector<HTMLElement>(".views [aria-pressed=true]")?.focus());
      });
      views.append(button);
    }
    return views;
  }

  async #more(button: HTMLButtonElement, ask: () => Promise<ResultValue>): Promise<void> {
    const shown = this.#shown;
    if (shown === null || button.ariaDisabled === "true") return;
    button.ariaDisabled = "true";
    const started = performance.now();
    try {
      const next = await ask();
      if (this.#shown !== shown) return;
      const { scrollTop } = this.element;
      shown.value = next;
      await this.#drawValue(shown);
      this.element.scrollTop = scrollTop;
      (this.element.querySelector<HTMLElement>(".result + button") ?? this.element).focus({ preventScroll: true });
      this.#owner.onMore(shown, Math.max(1, Math.round(performance.now() - started)));
    } catch (error) {
      if (this.#shown === shown) this.#owner.onMoreFailed(shown, error);
    }
  }
}
