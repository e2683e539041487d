/**
 * `<page-results>`: the right-hand page: every run, newest first, or ways to begin when there is none.
 *
 * Invariant: says in words, to a screen reader, when a run starts and ends; nothing else here is live.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { AppState, Leaf } from "../../state/model.ts";
import { PageElement } from "../element.ts";
import { shared } from "../../look/shared.ts";
import { firstLook, firstLookStyles } from "./first-look.ts";
import type { Worded } from "./error-block.ts";
import { InSight } from "./in-sight.ts";

@customElement("page-results")
export class PageResults extends PageElement {
  @property({ attribute: false }) app!: AppState;
  /** The run whose result the code for results was asked for. */
  #fetchedFor: number | undefined;

  static override styles = [
    shared,
    firstLookStyles,
    css`
      :host { display: flex; flex-direction: column; min-height: 0; container: results / inline-size; }
      .head {
        display: flex; align-items: center; justify-content: space-between; min-height: 3rem; padding: 0 1.25rem;
        border-bottom: 1px solid var(--rule);
      }
      /* A tree, table or text in a result that fills the pane is as high as the pane lets it be. */
      :host([filled]) { container-type: size; --room: max(12rem, calc(100cqb - 12.5rem)); }
      .leaves { flex: 1; min-height: 0; overflow: auto; padding: 0 1.25rem 2rem; scrollbar-gutter: stable; }
      @media (max-width: 1099px) { .head { min-height: 2.25rem; } }
      @media (max-width: 759px) {
        .head { padding: 0 1rem; }
        .leaves { padding: 0 1rem 2rem; }
      }
    `,
  ];

  readonly #inSight = new InSight(this, () => this.renderRoot.querySelector<HTMLElement>(".leaves"));
  /** The newest error as the leaf words it. */
  @state() private worded: Worded | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener("keydown", this.onKey);
  }

  /** Fills the pane with the result that has the focus, and Escape ends it; the focus stays where it is. */
  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented) return;
    const { filled, leaves } = this.app;
    if (event.key === "Escape" && filled !== null) this.store.dispatch({ kind: "leaf-filled", leaf: null });
    else if (event.key === "Enter" && event.altKey && !event.ctrlKey && !event.metaKey) {
      const at = event.composedPath().find((one) => (one as Partial<Element>).localName === "page-leaf");
      const focused = (at as { readonly leaf?: { readonly number: number } } | undefined)?.leaf ?? leaves[0];
      this.store.dispatch({ kind: "leaf-filled", leaf: filled === null ? (focused?.number ?? null) : null });
    } else return;
    event.preventDefault();
  };

  protected override updated(changed: PropertyValues): void {
    this.#inSight.drawn(this.app.leaves[0]);
    const before = (changed.get("app") as AppState | undefined)?.filled ?? null;
    if (before === this.app.filled || before === null) return;
    // Back among the others, it is where the reader left it.
    const leaf = [...this.renderRoot.querySelectorAll<HTMLElement & { leaf: Leaf }>("page-leaf")].find(
      (one) => one.leaf.number === before,
    );
    leaf?.scrollIntoView({ block: "start" });
  }

  protected override willUpdate(): void {
    this.toggleAttribute("filled", this.app.filled !== null);
    // No result is drawn before the first Run, so its element is fetched then and upgrades in place. Where it cannot be
    // had, the next Run asks for it again: with every change of the page its notice could not be dismissed.
    const newest = this.app.leaves[0]?.number;
    if (newest === undefined || newest === this.#fetchedFor) return;
    this.#fetchedFor = newest;
    void import("./page-leaf.ts");
  }

  protected override render(): TemplateResult {
    const { app, m } = this;
    return html`<div class="head">
        <h2 class="running-head">${m["results.title"]}</h2>
        ${
          app.leaves.some((leaf) => leaf.state === "done")
            ? html`<button class="quiet"
          @click=${() => this.store.dispatch({ kind: "leaves-cleared" })}>${m["results.clear"]}</button>`
            : nothing
        }
      </div>
      <p class="unseen" role="status">${this.status()}</p>
      <div class="leaves" tabindex="-1" aria-busy=${String(app.restoring)}
        @worded=${(event: CustomEvent<Worded>) => this.keepWording(event.detail)}>
        ${
          app.leaves.length === 0
            ? app.restoring
              ? nothing
              : firstLook(m, app, this.services)
            : repeat(
                app.leaves,
                (leaf) => leaf.number,
                (leaf) =>
                  html`<page-leaf .leaf=${leaf} .settings=${app.settings} .deployment=${app.deployment}
                    .running=${app.running} ?filled=${leaf.number === app.filled}
                    ?hidden=${app.filled !== null && leaf.number !== app.filled}></page-leaf>`,
              )
        }
      </div>`;
  }

  private status(): string {
    const newest = this.app.leaves[0];
    if (newest === undefined) return "";
    const label = this.m["leaf.label"](this.words.number(newest.number));
    if (newest.state === "running") return `${label}: ${this.m["run.status.started"]}`;
    if (newest.error === null) return `${label}: ${this.m["run.status.done"]}`;
    const { worded } = this;
    const sentence = worded?.leaf === newest.number ? worded.sentence : newest.error.text;
    return `${label}: ${this.m["run.status.failed"]}. ${sentence}`;
  }

  private keepWording(worded: Worded): void {
    if (worded.leaf === this.app.leaves[0]?.number) this.worded = worded;
  }
}
