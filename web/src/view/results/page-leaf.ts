/**
 * `<page-leaf>`: one run on the page: its printed lines, its value, its error, its cost.
 *
 * Invariants: a leaf draws only its visible part; an older leaf is folded to one line and draws nothing else.
 */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { DeploymentState } from "../../protocol/state.ts";
import { isDoubted } from "../../state/doubts/doubt.ts";
import { startOfLast, type Leaf, type RunningScript } from "../../state/model.ts";
import type { Settings } from "../../state/settings.ts";
import { longText } from "../../state/long-text.ts";
import { isListed, printedSince, stayedWritten, titleSource } from "../../state/statements.ts";
import { titleOf } from "../../state/title.ts";
import { chevronDown, chevronRight, closeIcon, fillIcon, undoIcon, unfillIcon } from "../../look/icons.ts";
import { shared } from "../../look/shared.ts";
import { errorStyles } from "./error-styles.ts";
import { doubtsOn, missedBy, type LeafStatements } from "./leaf-statements.ts";
import "./leaf-statements.ts";
import { leafStyles, printedStyles } from "./leaf-styles.ts";
import "./leaf-value.ts";
import { drawText } from "./long-text.ts";
import { ResultElement } from "./result-element.ts";

/** Printed lines drawn before the reader asks for the earlier ones. */
const printedShown = 200;
const charactersShown = 60_000;

@customElement("page-leaf")
export class PageLeaf extends ResultElement {
  @property({ attribute: false }) leaf!: Leaf;
  @property({ attribute: false }) settings!: Settings;
  @property({ attribute: false }) deployment: DeploymentState | null = null;
  @property({ attribute: false }) running: RunningScript | null = null;
  /** The leaf fills the whole pane. */
  @property({ type: Boolean, reflect: true }) filled = false;
  @state() private allPrinted = false;
  /** The code of `<error-block>` has come. */
  @state() private errorBlock = customElements.get("error-block") !== undefined;

  static override styles = [shared, printedStyles, leafStyles, errorStyles];

  /** The part that is the run's outcome: its error, else its value, else the lines that it printed. */
  get given(): HTMLElement | null {
    const part = <Part extends HTMLElement>(name: string): Part | null => this.renderRoot.querySelector<Part>(name);
    return (
      part("error-block, .error, .stopped") ??
      part<LeafStatements>("leaf-statements")?.given ??
      part("leaf-value") ??
      part(".printed")
    );
  }

  protected override willUpdate(): void {
    const { leaf } = this;
    if (leaf.folded) return;
    if (leaf.error !== null && !this.errorBlock)
      import("./error-block.ts").then(
        () => (this.errorBlock = true),
        () => undefined,
      );
    // Without it there is no hint, as without a similar name.
    if (leaf.statements.some(({ missed }) => missed != null)) import("./hint-line.ts").catch(() => undefined);
    if (leaf.statements.some(({ judged }) => judged !== undefined && isDoubted(judged)))
      import("./doubt-lines.ts").catch(() => undefined);
  }

  protected override render(): TemplateResult {
    const { leaf, m } = this;
    const number = this.words.number(leaf.number);
    return html`<article class=${leaf.folded ? "folded" : ""} aria-label=${m["leaf.label"](number)}>
      <header>
        <button
          class="title"
          aria-expanded=${String(!leaf.folded)}
          title=${leaf.folded ? this.d["leaf.unfold"] : this.d["leaf.fold"]}
          @click=${() => this.store.dispatch({ kind: "leaf-folded", leaf: leaf.number, folded: !leaf.folded })}
        >
          <span class="folio" aria-hidden="true">${number}</span><span class="unseen">${m["leaf.label"](number)}:</span>
          <code>${titleSource(leaf) ?? titleOf(leaf.source)}</code>
          ${leaf.folded ? chevronRight() : chevronDown()}
        </button>
        ${this.cost()} ${this.undo()} ${leaf.folded ? nothing : this.fill()}
        ${
          leaf.state === "running"
            ? nothing
            : html`<button class="quiet icon" aria-label="${this.d["leaf.remove"]}: ${m["leaf.label"](number)}"
              title=${this.d["leaf.remove"]}
              @click=${() => this.store.dispatch({ kind: "leaf-removed", leaf: leaf.number })}>${closeIcon()}</button>`
        }
      </header>
      ${
        leaf.folded
          ? nothing
          : html`<div class="body">${this.statements() ?? this.value()}${this.stayed()}${this.error()}</div>`
      }
    </article>`;
  }

  /** The statements in order, where more than one has something to show. */
  private statements(): TemplateResult | null {
    const { leaf } = this;
    if (!isListed(leaf)) return null;
    return html`<leaf-statements .leaf=${leaf} .settings=${this.settings} .deployment=${this.deployment}
      lang=${this.settings.language}></leaf-statements>${this.printed(printedSince(leaf))}`;
  }

  /** The lines that the script printed, and its only value. */
  private value(): TemplateResult {
    const { leaf } = this;
    return html`${this.printed(leaf.printed)}${doubtsOn(leaf, leaf.open, this.settings)}
      ${
        this.isSilent
          ? nothing
          : html`<leaf-value .leaf=${leaf} .settings=${this.settings} .deployment=${this.deployment}
            lang=${this.settings.language}></leaf-value>`
      }${missedBy(leaf, leaf.open, this.settings)}`;
  }

  /** The run gave no value, and shows another thing in its place: it still runs, failed, or printed lines. */
  private get isSilent(): boolean {
    const { leaf } = this;
    if (leaf.value.kind !== "none") return false;
    return leaf.state === "running" || leaf.error !== null || leaf.printed.length > 0;
  }

  private cost(): TemplateResult {
    const { leaf, m, words } = this;
    if (leaf.state === "running") return html`<p class="cost"><span class="state">${this.d["leaf.running"]}</span></p>`;
    const statistics = leaf.statistics;
    const status =
      leaf.error === null ? null : leaf.error.name === "ScriptStopped" ? this.d["leaf.stopped"] : this.d["leaf.failed"];
    return html`<p class="cost">
      ${status === null ? nothing : html`<span class="state bad">${status}</span>`}
      ${
        statistics === null || leaf.folded
          ? nothing
          : html`<span title=${this.d["leaf.engine"](words.duration(statistics.engineMillis))}>${words.duration(
              statistics.elapsedMillis,
            )}</span>
            <span class="roomy">${m["run.commands"](
              words.number(statistics.commands),
              statistics.commands === 1,
            )}</span>`
      }
      ${leaf.folded || this.deployment?.mode === "read-only" ? nothing : this.saved()}
      <time class="roomy" datetime=${new Date(leaf.ranAt).toISOString()}>${words.clock(leaf.ranAt)}</time>
    </p>`;
  }

  private fill(): TemplateResult {
    const { leaf, filled, r } = this;
    const label = filled ? r["unfill"] : r["fill"];
    return html`<button class="quiet icon" aria-pressed=${String(filled)} aria-label=${r["fill"]} title=${label}
      aria-keyshortcuts="Alt+Enter"
      @click=${() => this.store.dispatch({ kind: "leaf-filled", leaf: filled ? null : leaf.number })}>${
        filled ? unfillIcon() : fillIcon()
      }</button>`;
  }

  /** The button that undoes the run's change, or the word that it was undone or cannot be. */
  private undo(): TemplateResult | typeof nothing {
    const { leaf, m } = this;
    const { kept } = leaf;
    if (leaf.state === "running" || kept === null) return nothing;
    if (leaf.undone) return html`<span class="undone">${this.d["leaf.undone"]}</span>`;
    if (kept.unkept !== null) return html`<span class="undone" title=${kept.unkept}>${this.d["leaf.unkept"]}</span>`;
    const { number } = kept;
    if (number === null || this.deployment?.mode === "read-only") return nothing;
    const label = `${this.d["leaf.undo"]}: ${m["leaf.label"](this.words.number(leaf.number))}`;
    return html`<button class="quiet undo" aria-label=${label} title=${this.d["leaf.undo.hint"]}
      ?disabled=${this.running !== null}
      @click=${() =>
        this.store.dispatch({ kind: "going-asked", going: { to: "undo", of: number, sure: [] } })}>${undoIcon()}<span
        >${this.d["leaf.undo"]}</span></button>`;
  }

  private saved(): TemplateResult | typeof nothing {
    const { leaf } = this;
    if ((leaf.statistics?.commands ?? 0) === 0) return nothing;
    if (this.deployment?.mode === "memory") return html`<span class="roomy">${this.d["leaf.inMemory"]}</span>`;
    return leaf.saved
      ? html`<span class="saved">${this.d["leaf.saved"]}</span>`
      : html`<span class="unsaved">${this.d["leaf.unsaved"]}</span>`;
  }

  private printed(lines: readonly string[]): TemplateResult | typeof nothing {
    if (lines.length === 0) return nothing;
    const drawn = this.allPrinted ? lines : lines.slice(startOfLast(lines, printedShown, charactersShown));
    const hidden = lines.length - drawn.length;
    const dropped = this.leaf.printedDropped;
    return html`${
      dropped > 0 && hidden === 0
        ? html`<p class="nothing"><span>${this.d["leaf.printed.dropped"](this.words.number(dropped))}</span></p>`
        : nothing
    }
      ${
        hidden > 0
          ? html`<button class="quiet"
        @click=${() => (this.allPrinted = true)}>${this.d["leaf.printed.more"](this.words.number(hidden))}</button>`
          : nothing
      }
      <pre class="printed" tabindex="0" role="region" aria-label=${this.d["leaf.printed"]}>${drawText(
        longText(drawn.join("\n"), charactersShown),
      )}</pre>`;
  }

  /** What the statements wrote that the error left without a line of their own. */
  private stayed(): TemplateResult | typeof nothing {
    const written = stayedWritten(this.leaf);
    return written.length === 0
      ? nothing
      : html`<p class="stayed">${this.r["stayed"](this.wordWritten(written, null))}</p>`;
  }

  private error(): TemplateResult | typeof nothing {
    const { leaf } = this;
    const error = leaf.error;
    if (error === null) return nothing;
    if (error.name === "ScriptStopped") return html`<p class="stopped">${this.d["leaf.error.stopped"]}</p>`;
    // The error's element is fetched with the first error; until then an error is told in the shell's words.
    return this.errorBlock
      ? html`<error-block .leaf=${leaf} .error=${error} lang=${this.settings.language}></error-block>`
      : html`<div class="error"><p class="message">${drawText(longText(error.text))}</p></div>`;
  }
}
