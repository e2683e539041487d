/**
 * `<xray-index>`: the B+tree of an index or of a collection's documents: its levels with the fill of each page, a
 * look-up and the walk along the leaves played step by step, and a split tried on a fork.
 *
 * Invariant: every page drawn is one the engine told of, and a line names the marked page in words. Tells
 * `page-wanted`, with the page's number, when its bytes are wanted.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, query, state } from "lit/decorators.js";
import { wordFailure } from "../state/controller.ts";
import { joinSentences } from "../messages/sentences.ts";
import { fillOf, levelsOf, readSought, readTree, type Tree, type TreeNode, type TreeStep } from "../state/xray/tree.ts";
import { Refused, trySplit, type Split } from "../state/xray/split.ts";
import { properties } from "../look/cssom.ts";
import { shared } from "../look/shared.ts";
import { InsideElement } from "./inside-element.ts";
import { Player } from "./player.ts";
import "./split-steps.ts";
import { xrayElement } from "./xray-element.ts";
import { xrayStyles } from "./xray-styles.ts";

@xrayElement("xray-index")
export class XrayIndex extends InsideElement {
  @property() database = "";
  @property() collection = "";
  /** Null for the tree of the documents. */
  @property({ attribute: false }) index: string | null = null;
  @state() private tree: Tree | null = null;
  @state() private split: Split | null = null;
  @state() private failure = "";
  @state() private working = false;
  /** The page that has the focus among those drawn. */
  @state() private current = 0;
  @state() private step = -1;
  @query("#sought") private sought!: HTMLInputElement | null;
  readonly #player = new Player(this, {
    steps: () => this.tree?.steps.length ?? 0,
    step: () => this.step,
    go: (step) => this.go(step),
  });

  static override styles = [
    shared,
    xrayStyles,
    css`
      .levels { display: grid; gap: 0.6rem; margin-top: 0.75rem; }
      .level { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: 0.5rem; align-items: end; }
      .level > span { font-size: var(--tiny); color: var(--ink-2); }
      .pages { display: flex; flex-wrap: wrap; gap: 3px; justify-content: center; }
      .node {
        position: relative; width: 1.5rem; height: 1.9rem; padding: 0; overflow: hidden; cursor: pointer;
        border: 1px solid var(--rule-strong); border-radius: 2px; background: var(--paper);
      }
      .few .node { width: 3.4rem; height: 2.3rem; }
      .node i {
        position: absolute; inset: auto 0 0; height: var(--full);
        background: color-mix(in srgb, var(--thread) 40%, var(--paper-3));
      }
      .node.branch i { background: color-mix(in srgb, var(--thread) 65%, var(--paper-3)); }
      .node.way { border: 2px solid var(--ink); }
      .node.now { border: 2px solid var(--rubric); background: var(--rubric-wash); }
      .node.now i { background: var(--rubric-fill); }
      .node.new { border: 2px solid var(--rubric); }
      .node.new i { background: repeating-linear-gradient(45deg, var(--rubric-fill) 0 3px, var(--paper-3) 3px 6px); }
      .node[aria-current="true"] { outline: 2px solid var(--ink); outline-offset: 1px; }
      .about { min-height: 3.2rem; margin-top: 0.6rem; padding-top: 0.4rem; border-top: 1px solid var(--rule); }
      .about code, .told { overflow-wrap: anywhere; }
      .whole { white-space: nowrap; }
      #split-hint { margin-top: 0.3rem; }
      @container xray (max-width: 480px) {
        .level { grid-template-columns: minmax(0, 1fr); gap: 0.15rem; }
        .few .node { width: 2.6rem; height: 2rem; }
      }
      .look { display: flex; flex-wrap: wrap; gap: 0.3rem 0.5rem; align-items: center; margin-top: 0.75rem; }
      .look input[type="text"] { flex: 1 1 12rem; }
      .told { min-height: 2.9em; margin-top: 0.3rem; }
      .tried { margin-top: 0.9rem; padding-top: 0.6rem; border-top: 1px solid var(--rule-strong); }
      h3 { font: 600 1rem/1.4 var(--serif); }
      h4 { margin-top: 0.75rem; font-size: var(--small); font-weight: 500; color: var(--ink-2); }
    `,
  ];

  protected override firstUpdated(): void {
    void this.attempt(() => this.read());
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("failure") && this.failure !== "")
      this.renderRoot.querySelector(".failure")?.scrollIntoView({ block: "nearest" });
    if (changed.has("split") && this.split !== null)
      this.renderRoot.querySelector(".tried")?.scrollIntoView({ block: "start" });
    if (changed.has("step") && this.step >= 0)
      this.renderRoot.querySelector(".node.now")?.scrollIntoView({ block: "nearest" });
  }

  private get place(): { database: string; collection: string; index: string | null } {
    return { database: this.database, collection: this.collection, index: this.index };
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    if (this.working) return;
    this.working = true;
    this.failure = "";
    this.#player.pause();
    try {
      await work();
    } catch (error) {
      this.failure = wordFailure(error);
    } finally {
      this.working = false;
    }
  }

  private async read(): Promise<void> {
    this.split = null;
    this.step = -1;
    this.tree = await readTree(this.host.changer, this.place);
    this.current = this.tree.root;
  }

  private async lookUp(tree: Tree): Promise<void> {
    const sought = readSought(tree, this.sought?.value ?? "");
    if (sought === null) {
      this.failure = this.x["tree.notSought"];
      return;
    }
    this.split = null;
    this.tree = await readTree(this.host.changer, this.place, sought);
    this.step = this.tree.steps.length === 0 ? -1 : 0;
    this.follow();
  }

  private async insert(tree: Tree): Promise<void> {
    const sought = tree.nature === "records" ? {} : readSought(tree, this.sought?.value ?? "");
    if (sought === null || typeof sought === "number") {
      this.failure = this.x["tree.notSought"];
      return;
    }
    const before = tree.nature === "records" ? tree : await readTree(this.host.changer, this.place, sought);
    this.step = -1;
    try {
      this.split = await trySplit(this.host.changer, before, sought);
    } catch (error) {
      throw error instanceof Refused ? new Error(this.x["tree.split.refused"](error.message)) : error;
    }
  }

  private go(step: number): void {
    this.step = Math.max(0, Math.min((this.tree?.steps.length ?? 1) - 1, step));
    this.follow();
  }

  private follow(): void {
    const step = this.tree?.steps[this.step];
    if (step !== undefined) this.current = step.page;
  }

  protected override render(): TemplateResult {
    const { tree, x } = this;
    return html`<p class="failure" role="alert">${this.failure}</p>
      ${tree === null ? (this.failure === "" ? html`<p>${x["inside.reading"]}</p>` : nothing) : this.drawn(tree)}`;
  }

  private drawn(tree: Tree): TemplateResult {
    const { x, words, split } = this;
    const leaves = tree.nodes.filter((node) => node.level === 0);
    const used = leaves.reduce((sum, node) => sum + fillOf(tree, node), 0);
    const about = [
      x[`tree.nature.${tree.nature}`],
      ...(tree.isMultikey ? [x["tree.multikey"]] : []),
      ...(tree.isPartial ? [x["tree.partial"]] : []),
      ...(tree.isCollated ? [x["tree.collated"]] : []),
    ];
    return html`<p class="said">${x["tree.measures"](
      words.number(tree.entries),
      words.number(tree.leafPages),
      words.number(tree.height),
      this.share(used / Math.max(1, leaves.length)),
    )}</p>
      <p class="said quietly">${joinSentences(about)}</p>
      ${this.levels(tree, (node) => this.markOf(tree, node), true)}
      ${tree.waiting === 0 ? nothing : html`<p class="quietly">${x["tree.more"](words.number(tree.waiting))}</p>`}
      ${this.about(tree)}
      ${this.controls(tree)}
      ${split === null ? nothing : this.tried(split)}`;
  }

  /** The outcome of the inserts on a fork: the pages that were split, or that none was. */
  private tried(split: Split): TemplateResult {
    const { x, words } = this;
    const { story, before, after } = split;
    const inserted = words.number(split.inserted);
    if (after.leafPages === before.leafPages)
      return html`<p class="said" role="status">${x["tree.split.none"](inserted)}</p>`;
    const [made, changed] = [new Set<number>(), new Set<number>()];
    for (const { left, right } of story?.levels.flat() ?? []) {
      made.add(right.page);
      changed.add(left.page);
    }
    for (const taken of story?.taken ?? []) changed.add(taken.after.page);
    if (story?.root != null) made.add(story.root.page);
    const look = (node: TreeNode): string => (made.has(node.page) ? "new" : changed.has(node.page) ? "way" : "");
    return html`<section class="tried" aria-label=${x["tree.split.title"]}>
      <h3>${x["tree.split.title"]}</h3>
      <p class="said" role="status">${x["tree.split.done"](
        inserted,
        words.number(before.leafPages),
        words.number(after.leafPages),
      )}</p>
      ${
        story === null
          ? nothing
          : html`<split-steps .host=${this.host} .story=${story} .capacity=${after.capacity}></split-steps>`
      }
      <h4>${x["tree.split.after"]}</h4>
      ${this.levels(after, look, false)}
    </section>`;
  }

  /** Whether a page is the step's, or was on the way to it. */
  private markOf(tree: Tree, node: TreeNode): string {
    const met = tree.steps.slice(0, this.step + 1);
    if (met.at(-1)?.page === node.page) return "now";
    return met.some((step) => step.page === node.page) ? "way" : "";
  }

  private levels(tree: Tree, markOf: (node: TreeNode) => string, walkable: boolean): TemplateResult {
    const { x, words } = this;
    return html`<div class="levels" role="group" aria-label=${x["tree.nodes"]}
      @keydown=${(event: KeyboardEvent) => walkable && this.walk(event, tree)}>
      ${levelsOf(tree).map((level) => {
        const height = level[0]?.level ?? 0;
        return html`<div class="level"><span>${
          height === 0 ? x["tree.leaves"] : x["tree.level"](words.number(height))
        }</span><div class="pages ${level.length <= 16 ? "few" : ""}">${level.map((node) =>
          this.node(tree, node, markOf(node), walkable),
        )}</div></div>`;
      })}
    </div>`;
  }

  private node(tree: Tree, node: TreeNode, mark: string, walkable: boolean): TemplateResult {
    const { x, words } = this;
    const fill = this.share(fillOf(tree, node));
    const label = x["tree.node"](words.number(node.page), words.number(node.count), fill);
    const isCurrent = walkable && node.page === this.current;
    return html`<button class="node ${node.level > 0 ? "branch" : ""} ${mark}" data-page=${node.page}
      title=${label} aria-label=${label} tabindex=${isCurrent ? 0 : -1} aria-current=${isCurrent ? "true" : nothing}
      ?disabled=${!walkable} @click=${() => (this.current = node.page)}>
      <i ${properties({ "--full": `${Math.round(100 * fillOf(tree, node))}%` })}></i></button>`;
  }

  /** Left and right along a level, up and down between levels. */
  private walk(event: KeyboardEvent, tree: Tree): void {
    const levels = levelsOf(tree);
    const row = levels.findIndex((level) => level.some((node) => node.page === this.current));
    const level = levels[row] ?? [];
    const at = level.findIndex((node) => node.page === this.current);
    const along = (to: readonly TreeNode[] | undefined, from: readonly TreeNode[]): TreeNode | undefined =>
      to?.[Math.round((at / Math.max(1, from.length - 1)) * (to.length - 1))];
    const next: TreeNode | undefined = {
      ArrowLeft: level[at - 1],
      ArrowRight: level[at + 1],
      Home: level[0],
      End: level.at(-1),
      ArrowUp: along(levels[row - 1], level),
      ArrowDown: along(levels[row + 1], level),
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.current = next.page;
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(`.node[data-page="${next.page}"]`)?.focus(),
    );
  }

  private about(tree: Tree): TemplateResult | typeof nothing {
    const { x, words } = this;
    const node = tree.nodes.find((each) => each.page === this.current);
    if (node === undefined) return nothing;
    const fill = this.share(fillOf(tree, node));
    const separators = node.children.slice(1, 9).map((child) => child.key);
    const left = node.children.length - 1 - separators.length;
    return html`<div class="about">
      <p class="said">${x["tree.node"](words.number(node.page), words.number(node.count), fill)}
        ${
          node.level > 0
            ? html`<span class="quietly whole">${x["tree.children"](words.number(node.children.length))}</span>`
            : nothing
        }
        <button class="button" @click=${() =>
          this.dispatchEvent(
            new CustomEvent<number>("page-wanted", { detail: node.page, bubbles: true, composed: true }),
          )}>${x["tree.open"]}</button></p>
      ${
        node.level > 0
          ? html`<p class="said">${separators.map((key) => html`<code>${key}</code> `)}${
              left > 0 ? html`<span class="quietly">+ ${words.number(left)}</span>` : nothing
            }</p>`
          : node.count > 0
            ? html`<p class="said"><code>${x["tree.range"](node.first, node.last)}</code></p>`
            : nothing
      }</div>`;
  }

  private worded(step: TreeStep): string {
    const { x, words } = this;
    const page = words.number(step.page);
    if (step.kind === "entry") return x["tree.step.entry"](page, words.number(step.slot), step.key);
    const compared = step.compared.map(({ key }) => key).join(", ");
    return joinSentences([
      compared === "" ? x["tree.step.nothing"](page) : x["tree.step.search"](page, compared),
      step.child === null
        ? x["tree.step.found"](words.number(step.slot))
        : x["tree.step.child"](words.number(step.child)),
    ]);
  }

  private controls(tree: Tree): TemplateResult {
    const { x, words } = this;
    const step = tree.steps[this.step];
    const example = tree.nature === "records" ? "1" : "{}";
    return html`<form class="look" @submit=${(event: Event) => {
      event.preventDefault();
      void this.attempt(() => this.lookUp(tree));
    }}>
        <label for="sought">${tree.nature === "records" ? x["tree.sought.record"] : x["tree.sought"]}</label>
        <input id="sought" type="text" .value=${example} autocomplete="off" spellcheck="false">
        <button class="button main" type="submit">${x["tree.lookUp"]}</button>
      </form>
      ${
        step === undefined
          ? nothing
          : html`<p class="told" role="status">${x["tree.step"](
              words.number(this.step + 1),
              words.number(tree.steps.length),
            )} ${this.worded(step)}</p>
            ${this.#player.buttons(x)}`
      }
      <p class="buttons">
        <button class="button" aria-describedby="split-hint"
          @click=${() => void this.attempt(() => this.insert(tree))}>${x["tree.split"]}</button>
        <button class="button" @click=${() => void this.attempt(() => this.read())}>${x["inside.again"]}</button>
      </p>
      <p class="quietly" id="split-hint">${x["tree.split.hint"]}</p>`;
  }
}
