/**
 * `<samples-form>`: the built-in sample data, each set in several sizes, with a script to try on it.
 *
 * Invariant: the collections that a set replaces are named before it is loaded.
 */
import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { sampleScript } from "../../state/data/sample-scripts.ts";
import { loadSample, samples, sampleSizes, type Sample } from "../../state/data/samples.ts";
import { TransferForm } from "./transfer-form.ts";
import { undoOf } from "./undo-of.ts";

@customElement("samples-form")
export class SamplesForm extends TransferForm {
  @state() private made: { readonly sample: Sample; readonly size: number; readonly documents: number } | null = null;

  protected override render(): TemplateResult {
    const { d, words, made } = this;
    if (made !== null && this.working)
      return html`<div
        class="stack"><p>${d[`sample.${made.sample.id}`]}</p>${this.under(
          made.documents,
          made.size,
          d["sample.progress"](words.number(made.documents), words.number(made.size)),
        )}</div>`;
    return html`<div class="stack">
      <p>${d["sample.about"]}</p>
      <p class="failure" role="alert">${this.failure}</p>
      ${samples.map((sample) => {
        const exists = this.app.catalog.databases.some(({ summary }) => summary.name === sample.database);
        return html`<section class="set" aria-label=${d[`sample.${sample.id}`]}>
          <h3>${d[`sample.${sample.id}`]}</h3>
          <p>${d[`sample.${sample.id}.about`]}</p>
          ${exists ? html`<p>${d["sample.replaces"](sample.database)}</p>` : nothing}
          <p class="buttons">${sampleSizes.map(
            (size) => html`<button class="button"
            @click=${() => void this.load(sample, size)}>${d["sample.load"](words.number(size))}</button>`,
          )}</p>
        </section>`;
      })}
    </div>`;
  }

  /** Opens a script with questions to the data; where it is open already, as it was given, that tab. */
  private offer({ id }: Sample): void {
    const script = sampleScript(id, this.d[`sample.${id}.try`]);
    const open = this.app.tabs.find((tab) => tab.script === script);
    const { pane } = this.app;
    this.store.dispatch(
      open === undefined
        ? { kind: "tab-added", name: this.d[`sample.${id}`], script }
        : { kind: "tab-opened", tab: open.id },
    );
    // Where one part of the page shows at a time, the data that came stay in sight.
    this.store.dispatch({ kind: "pane-chosen", pane });
  }

  private async load(sample: Sample, size: number): Promise<void> {
    await this.long(async (signal) => {
      this.made = { sample, size, documents: 0 };
      let complete = false;
      const moment = await this.controller.momentOf(() =>
        this.controller.keeping({ did: "sample", on: sample.database }, async () => {
          const made = (documents: number): void => void (this.made = { sample, size, documents });
          complete = await loadSample(this.controller, sample, size, signal, made);
        }),
      );
      this.store.dispatch({ kind: "database-chosen", database: sample.database });
      if (!complete) return;
      this.controller.notice("good", this.d["sample.done"](sample.database), undoOf(this.m, moment));
      this.offer(sample);
      this.closeDialog();
    });
  }
}
