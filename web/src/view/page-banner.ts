/**
 * `<page-banner>`: the reader's work that is not being kept, why, and the remedy.
 *
 * Invariants: fetched when there is something to tell. It stays as long as that is so; the report of a loss stays until
 * the reader dismisses it. Damaged data is replaced only after a second question, and never before the reader has a
 * file of all that could be read.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Loss } from "../protocol/state.ts";
import { openSalvaged } from "../state/data/salvage-source.ts";
import { salvage } from "../state/data/salvaging.ts";
import { wordFailure } from "../state/controller.ts";
import type { AppState } from "../state/model.ts";
import { saveFile } from "./data/save-file.ts";
import { DataElement } from "./data/data-element.ts";
import { closeIcon } from "../look/icons.ts";
import { shared } from "../look/shared.ts";

@customElement("page-banner")
export class PageBanner extends DataElement {
  @property({ attribute: false }) app!: AppState;
  /** The loss that the reader has dismissed. */
  @state() private dismissed: Loss | null = null;
  /** Documents salvaged so far; null when nothing is being salvaged. */
  @state() private reading: number | null = null;
  @state() private losses: readonly string[] = [];
  @state() private asking = false;

  static override styles = [
    shared,
    css`
      .banner {
        display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 1rem; padding: 0.45rem 1.25rem;
        border-block: 1px solid var(--warn); background: var(--warn-wash); font-size: var(--small); line-height: 1.4;
      }
      .banner.bad { border-color: var(--rubric); background: var(--rubric-wash); }
      .text { flex: 1 1 min(24rem, 100%); min-width: 0; overflow-wrap: anywhere; }
      .text small { display: block; color: var(--ink-2); }
      .banner[data-lost] { flex-wrap: nowrap; }
      .sure { flex-basis: 100%; }
      .buttons { display: flex; flex-wrap: wrap; gap: 0.4rem; }
      ul { flex-basis: 100%; max-height: 8rem; overflow: auto; margin: 0; padding-left: 1.25rem; list-style: disc; }
      @media (max-width: 759px) { .banner { padding: 0.45rem 0.75rem; } }
    `,
  ];

  protected override render(): TemplateResult | typeof nothing {
    const deployment = this.app.deployment;
    if (deployment === null) return nothing;
    const { mode, reason, damaged, lost } = deployment;
    const isLost = lost !== null && (this.dismissed?.how !== lost.how || this.dismissed.times !== lost.times);
    return html`${mode === "indexeddb" ? nothing : this.kept(mode, reason, damaged)}
    ${
      isLost
        ? html`<section class="banner bad" role="alert" aria-label=${this.d["banner.label"]} data-lost>
          <p class="text">${this.d[`banner.${lost.how}`]}</p>
          <button class="quiet icon" aria-label=${this.m["dismiss"]} title=${this.m["dismiss"]}
            @click=${() => (this.dismissed = lost)}>${closeIcon()}</button>
        </section>`
        : nothing
    }`;
  }

  private kept(mode: "memory" | "full" | "read-only", reason: string | null, damaged: boolean): TemplateResult {
    const { d } = this;
    const text = damaged
      ? d["banner.damaged"]
      : d[({ memory: "banner.memory", full: "banner.full", "read-only": "banner.readOnly" } as const)[mode]];
    return html`<section class="banner ${mode === "memory" && !damaged ? "" : "bad"}" role="alert"
      aria-label=${d["banner.label"]} data-banner=${mode}>
      <p class="text">${text}${
        reason === null || mode === "full" ? nothing : html`<small>${d["storage.reason"]}: ${reason}</small>`
      }</p>
      <div class="buttons">
        ${
          damaged
            ? html`<button class="button" ?disabled=${this.reading !== null}
              @click=${() => void this.save()}>${
                this.reading === null ? d["banner.salvage"] : d["banner.salvaging"](this.words.number(this.reading))
              }</button>
              <button class="button" ?disabled=${this.reading !== null}
                @click=${() => (this.asking = true)}>${d["banner.repair"]}</button>`
            : nothing
        }
        <button class="button"
          @click=${() =>
            this.store.dispatch({ kind: "data-dialog-changed", dialog: { kind: "dump", database: null } })}>${
            d["banner.export"]
          }</button>
        ${
          mode === "full"
            ? nothing
            : html`<button class="button" @click=${() => location.reload()}>${d["banner.again"]}</button>`
        }
      </div>
      ${
        this.losses.length === 0
          ? nothing
          : html`<ul aria-label=${d["banner.losses"]}
        tabindex="0">${this.losses.map((loss) => html`<li>${loss}</li>`)}</ul>`
      }
      ${
        this.asking
          ? html`<p class="sure">${d["banner.repair.sure"]}</p>
            <div class="buttons"><button class="button main" ?disabled=${this.reading !== null}
              @click=${() => void this.repair()}>${d["banner.repair.yes"]}</button><button class="button"
              @click=${() => (this.asking = false)}>${this.m["cancel"]}</button></div>`
          : nothing
      }
    </section>`;
  }

  private get deployment(): string {
    return this.app.deployment?.name ?? "";
  }

  /** Writes all readable data to a file; gives it, or null where nothing can. Undefined when that failed. */
  private async save(): Promise<Blob | null | undefined> {
    this.reading = 0;
    try {
      const { archive, documents, lost } = await salvage(
        await openSalvaged(this.deployment),
        (read) => (this.reading = read),
      );
      const name = `${this.deployment}-salvaged.archive.gz`;
      this.losses = lost;
      if (archive !== null) saveFile(archive, name);
      this.controller.notice(
        archive === null ? "bad" : "good",
        archive === null ? this.d["banner.nothing"] : this.d["banner.salvaged"](this.words.number(documents), name),
      );
      return archive;
    } catch (error) {
      this.controller.notice("bad", wordFailure(error));
      return undefined;
    } finally {
      this.reading = null;
    }
  }

  private async repair(): Promise<void> {
    if ((await this.save()) === undefined) return;
    this.reading = 0;
    try {
      const repaired = await openSalvaged(this.deployment, true);
      await repaired.close();
      location.reload();
    } catch (error) {
      this.reading = null;
      this.controller.notice("bad", wordFailure(error));
    }
  }
}
