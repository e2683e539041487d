/**
 * The base class of forms whose work takes a while (import, export, samples): their progress, and a way to stop.
 *
 * Invariants: one thing at a time; leaving the dialog stops it; documents done before stay and are told.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { wordFailure } from "../../state/controller.ts";
import { ArchiveFault } from "../../state/data/archive/archive-reader.ts";
import type { ImportFailure } from "../../state/data/inserter.ts";
import { DataForm } from "./data-form.ts";

export class TransferForm extends DataForm {
  protected stopper: AbortController | null = null;

  static override styles = [
    ...[DataForm.styles].flat(),
    css`
      progress { width: 100%; height: 0.5rem; accent-color: var(--rubric-fill); }
      .under { font-size: var(--small); color: var(--ink-2); font-variant-numeric: tabular-nums; }
      .failures { max-height: 12rem; overflow: auto; font-size: var(--small); }
      .failures li { overflow-wrap: anywhere; }
      .failures b { font-weight: 550; }
      .set { padding: 0.6rem 0; border-top: 1px solid var(--rule); }
      .set h3 { font-size: 1.15rem; font-weight: 500; }
      .set p { font-size: var(--small); color: var(--ink-2); }
      .set .buttons { margin-top: 0.4rem; }
      .good { color: var(--good); }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopper?.abort();
  }

  /** Runs something with a signal to stop it. */
  protected async long(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.working) return;
    this.working = true;
    this.failure = "";
    const stopper = (this.stopper = new AbortController());
    try {
      await work(stopper.signal);
    } catch (error) {
      this.failure = this.word(error);
    } finally {
      this.working = false;
      this.stopper = null;
      void this.controller.wrote();
    }
  }

  protected under(value: number, most: number | null, text: string): TemplateResult {
    return html`<div><progress aria-label=${this.d["transfer.progress"]} max=${most ?? nothing}
      value=${most === null ? nothing : value}></progress><p class="under" role="status">${text}</p></div>
      <p class="buttons"><button type="button" class="button"
        @click=${() => this.stopper?.abort()}>${this.d["transfer.stop"]}</button></p>`;
  }

  /** The line or number of a document that was not taken, and the reason. */
  protected failureOf({ place, message, error }: ImportFailure, isText: boolean): TemplateResult {
    const { d, words } = this;
    const where =
      error?.column != null
        ? d["import.place"](words.number(error.line), words.number(error.column))
        : d[isText ? "import.line" : "import.document"](words.number(place));
    const why = error === undefined ? message : d[`import.fault.${error.fault}`](error.shown, error.right);
    return html`<b>${where}</b> ${why}`;
  }

  /** A failure in the reader's language where the page words it, as an archive's faults; else in the engine's words. */
  protected word(error: unknown): string {
    if (error instanceof ArchiveFault)
      return this.d[`archive.${error.kind}`](this.words.number(error.offset), error.namespace);
    return wordFailure(error);
  }
}
