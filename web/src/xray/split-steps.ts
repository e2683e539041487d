/**
 * `<split-steps>`: a split of a tree's page, step by step: the pages that have a part in it from the highest level
 * down, the entry or separator that waits to go in, and all steps in words, the present one marked.
 *
 * Invariant: the drawing of a step is that of `drawnAt` in `state/xray/split.ts`.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { properties } from "../look/cssom.ts";
import { shared } from "../look/shared.ts";
import {
  drawnAt,
  stepsOf,
  type DrawnLevel,
  type DrawnPage,
  type SplitStep,
  type SplitStory,
} from "../state/xray/split.ts";
import { InsideElement } from "./inside-element.ts";
import { Player } from "./player.ts";
import { xrayElement } from "./xray-element.ts";
import { xrayStyles } from "./xray-styles.ts";

@xrayElement("split-steps")
export class SplitSteps extends InsideElement {
  @property({ attribute: false }) story!: SplitStory;
  /** Bytes that a page has room for. */
  @property({ attribute: false }) capacity = 0;
  @state() private step = 0;
  readonly #player = new Player(this, {
    steps: () => stepsOf(this.story).length,
    step: () => this.step,
    go: (step) => (this.step = step),
  });

  static override styles = [
    shared,
    xrayStyles,
    css`
      .stage {
        display: grid; gap: 0.5rem; margin-top: 0.6rem; padding: 0.75rem; border: 1px solid var(--rule);
        background: var(--paper-2);
      }
      .level { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: 0.5rem; align-items: center; }
      .level > span { font-size: var(--tiny); color: var(--ink-2); }
      .pages { display: flex; flex-wrap: wrap; gap: 0.4rem; justify-content: center; }
      .page {
        position: relative; flex: 0 1 13rem; min-width: 0; padding: 0.3rem 0.55rem; overflow: hidden;
        border: 1px solid var(--rule-strong); border-radius: 2px; background: var(--paper);
        font-size: var(--small); line-height: 1.35;
      }
      .page i {
        position: absolute; inset: 0 auto 0 0; width: var(--full);
        background: color-mix(in srgb, var(--thread) 22%, var(--paper)); transition: width 300ms ease;
      }
      .page b, .page span { position: relative; display: block; overflow: hidden; text-overflow: ellipsis; }
      .page b { font-weight: 550; }
      .page span { color: var(--ink-2); font-size: var(--tiny); white-space: nowrap; }
      .page.full { border: 2px solid var(--rubric); }
      .page.left { border-color: var(--ink); }
      .page.new { border: 2px dashed var(--rubric); }
      .page.new i { background: var(--rubric-wash); }
      .entering {
        grid-column: 2; justify-self: center; max-width: 100%; padding: 0.1rem 0.5rem; overflow: hidden;
        border: 1px solid var(--rubric); border-radius: 999px; background: var(--rubric-wash);
        font: 400 var(--tiny)/1.6 var(--mono); text-overflow: ellipsis; white-space: nowrap;
      }
      .steps { margin-top: 0.5rem; counter-reset: step; }
      .steps li {
        padding: 0.2rem 0.5rem 0.2rem 2rem; border-left: 3px solid transparent; counter-increment: step;
        overflow-wrap: anywhere; text-indent: -1.4rem; color: var(--ink-2);
      }
      .steps li::before { display: inline-block; width: 1.4rem; content: counter(step) "."; text-indent: 0; }
      .steps li[aria-current] { border-color: var(--rubric); background: var(--rubric-wash); color: var(--ink); }
      @container xray (max-width: 480px) {
        .level { grid-template-columns: minmax(0, 1fr); gap: 0.15rem; }
        .entering { grid-column: 1; }
        .pages { flex-wrap: nowrap; }
        .page { flex: 1 1 0; padding: 0.3rem 0.35rem; }
      }
    `,
  ];

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("story")) return;
    this.#player.pause();
    this.step = 0;
  }

  protected override render(): TemplateResult {
    const { x, story } = this;
    const steps = stepsOf(story).map((step) => this.worded(step));
    const levels = drawnAt(story, this.step);
    // The buttons stand above the drawing, which grows and shrinks, so that they stay under the pointer.
    return html`${this.#player.buttons(x)}
      <div class="stage" aria-hidden="true">${levels.map((level) => this.level(level))}</div>
      <p class="unseen" role="status">${steps[this.step]}</p>
      <ol class="steps">${steps.map(
        (step, at) => html`<li aria-current=${at === this.step ? "step" : nothing}>${step}</li>`,
      )}</ol>`;
  }

  private level({ level, pages, entering }: DrawnLevel): TemplateResult {
    const { x, words } = this;
    return html`<div class="level"><span>${
      level === 0 ? x["tree.leaves"] : x["tree.level"](words.number(level))
    }</span><div class="pages">${pages.map((page) => this.page(page))}</div>${
      entering === null ? nothing : html`<span class="entering">↑ ${entering}</span>`
    }</div>`;
  }

  private page({ page, level, count, used, look }: DrawnPage): TemplateResult {
    const { x, words } = this;
    const fill = this.capacity === 0 ? 0 : used / this.capacity;
    const held =
      level === 0 ? x["tree.split.entries"](words.number(count)) : x["tree.children"](words.number(count + 1));
    return html`<div class="page ${look}"><i ${properties({ "--full": `${(100 * fill).toFixed(1)}%` })}></i><b>${x[
      "pages.opened"
    ](words.number(page))}</b><span>${held} · ${this.share(fill)}</span></div>`;
  }

  private worded(step: SplitStep): string {
    const { x, words, capacity } = this;
    const number = (value: number): string => words.number(value);
    switch (step.kind) {
      case "full": {
        const { page, count, used } = step.split.before;
        const free = number(capacity - used);
        return step.level === 0
          ? x["tree.split.full"](number(page), number(count), free, step.entering, number(this.story.entryBytes))
          : x["tree.split.fullBranch"](number(page), number(count + 1), free, step.entering);
      }
      case "parted": {
        const { left, right, moved, movedFrom, movedTo } = step.split;
        if (step.level > 0)
          return x["tree.split.partedBranch"](
            number(right.page),
            number(moved),
            number(left.page),
            number(left.count + 1),
          );
        return moved === 0
          ? x["tree.split.atEdge"](number(right.page))
          : x["tree.split.parted"](
              number(right.page),
              number(moved),
              x["tree.range"](movedFrom, movedTo),
              number(left.page),
              number(left.count),
            );
      }
      case "risen":
        return x["tree.split.risen"](
          step.separators.join(", "),
          number(step.taken.after.page),
          number(step.taken.after.count + 1),
        );
      case "grown":
        return x["tree.split.grown"](number(step.root.page), step.separator);
    }
  }
}
