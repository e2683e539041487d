/**
 * The output of a snippet: the author's own before the first run, then the last run's printed lines and values.
 *
 * Invariants: the part that draws values is fetched by the first run; a drawing that comes after a newer run is not
 * shown; an output that scrolls can be focused, so that keys scroll it.
 */
import type { CursorBatch } from "../client/client.ts";
import type { Topology } from "../engine/topology.ts";
import type { SnippetView } from "./attributes.ts";
import { make } from "./base.ts";
import type { QuireErrorDetail } from "./events.ts";
import type { DifferenceLine } from "./expected.ts";
import { load } from "./loaded.ts";
import type { Part, ResultValue } from "./results.ts";
import type { DrawnEngine } from "./xray.ts";
import type { Language } from "../state/settings.ts";
import type { Words } from "./words.ts";

/** An error as it is shown. */
export type ShownError = Pick<QuireErrorDetail, "stage" | "text" | "line" | "column">;

/** The last run, as far as the output shows it. */
export interface Shown {
  readonly printed: readonly string[];
  readonly leftOut: number;
  /** The printed lines and the values of its statements, in order; null while the script runs. */
  parts: readonly Part[] | null;
  value: ResultValue | null;
  failure: { readonly error: ShownError; readonly before: string | null } | null;
  /** Where the real output is another than the author's; null where it is not, or was not compared. */
  difference: readonly DifferenceLine[] | null;
  /** Whether the real output is the author's; null where they were not compared. */
  matches: boolean | null;
}

/** What is drawn of a script's lines while it runs, and of an error: a browser takes seconds to lay out megabytes. */
const shownLines = 1000;
const shownCharacters = 20_000;

/** A run that has shown nothing so far. */
export function nothingShown(): Shown {
  return {
    printed: [],
    leftOut: 0,
    parts: null,
    value: null,
    failure: null,
    difference: null,
    matches: null,
  };
}

/** The members of the snippet that its output needs. */
export interface OutputOwner {
  readonly words: Words;
  view: SnippetView;
  /** The topology whose engine the results came from. */
  readonly topology: Topology;
  /** Whether the line on how a result was answered is shown, and whether its plan is open at first. */
  readonly insight: "none" | "line" | "plan";
  readonly language: Language;
  /** The script as it stands; null where the reader cannot change it. */
  readonly script: string | null;
  /** Whether each run begins with an empty database. */
  readonly beginsAnew: boolean;
  /** Takes a mended script, and runs it where that is asked for. */
  mend(script: string, runs: boolean): void;
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
  /** Resolves once the last run is drawn, which does not wait for doubts about it. */
  #drawing: Promise<void> = Promise.resolve();

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
    // Of a script that runs there are the last lines; once it has ended, all of them.
    if (shown.parts === null && shown.printed.length > 0)
      parts.push(make("pre", "printed", shown.printed.slice(-shownLines).join("\n").slice(-shownCharacters)));
    const { value, failure, difference } = shown;
    // Drawn by code that is fetched: its place is kept until then.
    const place = make("div", "drawn");
    place.hidden = true;
    if (shown.parts !== null || difference !== null) {
      parts.push(place);
      this.#drawing = this.#drawParts(shown, place);
    }
    if (failure !== null) parts.push(this.#failure(failure));
    element.replaceChildren(...parts);
    const isEmpty = (value === null || (value.text === "" && value.values === null)) && !shown.parts?.length;
    element.hidden = isEmpty && failure === null && difference === null && shown.leftOut === 0;
    element.scrollTop = 0;
    this.#reach();
  }

  #failure({ error, before }: NonNullable<Shown["failure"]>): HTMLElement {
    const { words } = this.#owner;
    const box = make("div", "error", ...(before === null ? [] : [`${before}\n`]), error.text.slice(0, shownCharacters));
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

  /** Lets Tab stop at an output that scrolls, so that keys scroll it, and at no other. */
  #reach(): void {
    const { element } = this;
    if (element.scrollHeight > element.clientHeight + 1) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  }

  async #drawParts(shown: Shown, place: HTMLElement): Promise<void> {
    const [, { drawDifference, drawEarlier, drawPrinted }] = await load();
    if (this.#shown !== shown) return;
    const { words } = this.#owner;
    const drawn: HTMLElement[] = [];
    for (const part of shown.parts ?? []) {
      if (part.kind === "printed") drawn.push(drawPrinted(part.lines, words));
      else if (part.kind === "value") drawn.push(drawEarlier(part.line, part.text, words));
      else drawn.push(make("div", "value"));
    }
    if (shown.difference !== null) drawn.push(drawDifference(shown.difference, words));
    place.replaceChildren(...drawn);
    place.hidden = drawn.length === 0;
    await this.#drawValue(shown);
  }

  /** Draws the result into its place. */
  async #drawValue(shown: Shown): Promise<void> {
    const { value } = shown;
    const place = this.element.querySelector<HTMLElement>(".drawn > .value");
    if (value === null || place === null) return this.#reach();
    const [{ backendOf }, { drawValue, drawViews, hasMap, hasViews, placeMap, withBatch }] = await load();
    const backend = backendOf(this.#owner.topology);
    if (this.#shown !== shown || shown.value !== value) return;
    const { words, view } = this.#owner;
    const parts: HTMLElement[] = [];
    const isPlaced = hasMap(value);
    const shownAs = view === "map" && !isPlaced ? "text" : view;
    if (hasViews(value)) parts.push(drawViews(words, shownAs, isPlaced, this.#choose));
    const asText = (): Node => drawValue(value, shownAs, words);
    if (value.text !== "") {
      const drawn = shownAs === "map" ? placeMap(this.#map(value, backend), asText) : asText();
      parts.push(make("div", "result", drawn));
    }
    if (value.batch !== null) {
      const more = make("button", "quiet", words.more);
      more.type = "button";
      const { batch } = value;
      more.addEventListener(
        "click",
        () => void this.#more(more, () => backend.more(batch).then((next: CursorBatch) => withBatch(value, next))),
      );
      parts.push(more);
    }
    const told = await this.#insight(value);
    if (this.#shown !== shown || shown.value !== value) return;
    if (told !== null) parts.unshift(told);
    place.replaceChildren(...parts);
    place.hidden = parts.length === 0;
    this.#reach();
    void this.#doubts(value).then((doubts) => {
      if (doubts === null || this.#shown !== shown || shown.value !== value || !place.isConnected) return;
      place.prepend(doubts);
      place.hidden = false;
      this.#reach();
    });
  }

  /** Says once that the code for a part of the output cannot be had, and draws the output again when asked to. */
  #missed(): HTMLElement | null {
    const { element } = this;
    if (element.querySelector(".missed") !== null) return null;
    const { words } = this.#owner;
    const again = make("button", "quiet", words.again);
    again.type = "button";
    again.addEventListener("click", () => this.draw());
    const note = make("p", "note missed", `${words.partMissed} `, again);
    note.setAttribute("role", "status");
    return note;
  }

  /** What is likely to be wrong in the statement, and why it found nothing; null where nothing is to be said. */
  async #doubts(value: ResultValue): Promise<HTMLElement | null> {
    const owner = this.#owner;
    if (owner.insight === "none") return null;
    const code = await Promise.all([load(), import("./doubts.ts")]).catch(() => null);
    if (code === null) return this.#missed();
    try {
      const [[{ backendOf }], { drawDoubts }] = code;
      return await drawDoubts(value, backendOf(owner.topology).reader, owner.language, owner);
    } catch {
      return null;
    }
  }

  /** The result's map, whose code is fetched with the first. */
  async #map(value: ResultValue, engine: DrawnEngine): Promise<HTMLElement> {
    const { drawMapOf } = await import("./insight.ts");
    return drawMapOf(value, this.#owner.language, engine);
  }

  /** How the result was answered; null where nothing is to be said. */
  async #insight(value: ResultValue): Promise<HTMLElement | null> {
    const { insight, language, topology } = this.#owner;
    if (insight === "none" || !value.isTold) return null;
    const code = await Promise.all([load(), import("./insight.ts")]).catch(() => null);
    if (code === null) return this.#missed();
    try {
      const [[{ backendOf }], { drawInsight }] = code;
      return drawInsight(value, language, insight === "plan", backendOf(topology));
    } catch {
      return null;
    }
  }

  readonly #choose = (view: SnippetView): void => {
    this.#owner.view = view;
    void this.#drawing.then(() => this.#refocus(".views [aria-pressed=true]"));
  };

  /** Gives the focus to a part of the output that was drawn anew, unless the reader has gone on meanwhile. */
  #refocus(selector: string): void {
    const { activeElement } = document;
    if (activeElement !== null && activeElement !== document.body) return;
    (this.element.querySelector<HTMLElement>(selector) ?? this.element).focus({ preventScroll: true });
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
      this.#refocus(".result + button");
      this.#owner.onMore(shown, Math.max(1, Math.round(performance.now() - started)));
    } catch (error) {
      if (this.#shown === shown) this.#owner.onMoreFailed(shown, error);
    }
  }
}
