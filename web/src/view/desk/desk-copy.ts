/**
 * `<desk-copy>`: the statement at the cursor as a driver's code, to read and to copy.
 *
 * Invariants: nothing is run; the translators are fetched when the panel opens; parts that cannot be translated are
 * named, and then there is nothing to copy.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { DriverLanguage } from "../../copy/languages.ts";
import type { Statement } from "../../copy/model.ts";
import { wordFailure } from "../../state/controller.ts";
import type { Desk } from "../../state/model.ts";
import { shared } from "../../look/shared.ts";
import { tellMissed } from "../missed-part.ts";
import { DeskElement, panelStyles } from "./desk-element.ts";

type Languages = typeof import("../../copy/languages.ts").driverLanguages;
type Highlight = typeof import("../../copy/highlight.ts").tokensOf;

/** The language chosen last, until the page is left. */
const last: { language: DriverLanguage; whole: boolean } = { language: "node", whole: true };

@customElement("desk-copy")
export class DeskCopy extends DeskElement {
  @property({ attribute: false }) desk!: Extract<Desk, { kind: "copy" }>;
  @property() database = "";
  @state() private languages: Languages | null = null;
  #tokens: Highlight | null = null;
  @state() private statement: Statement | null = null;
  @state() private failure: string | null = null;
  @state() private copied: boolean | null = null;
  @query("pre") private code!: HTMLElement | null;

  static override styles = [
    shared,
    panelStyles,
    css`
      :host > * + * { margin-top: 0.9rem; }
      fieldset { display: flex; flex-wrap: wrap; gap: 0 1.25rem; border: 0; margin: 0; padding: 0; min-width: 0; }
      legend { padding: 0 0 0.2rem; font-size: var(--small); color: var(--ink-2); }
      label { display: flex; align-items: baseline; gap: 0.45rem; min-height: 1.9rem; }
      input[type="radio"] {
        width: 1.05rem; height: 1.05rem; flex: none; accent-color: var(--rubric-fill); translate: 0 0.12rem;
      }
      input[type="checkbox"] { translate: 0 0.12rem; }
      pre { max-height: 45dvh; }
      .comment { color: var(--ink-2); font-style: italic; }
      .type { color: var(--type-date); }
      .note { font-size: var(--small); color: var(--ink-2); }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.read();
  }

  private async read(): Promise<void> {
    const { source, from, to } = this.desk;
    const code = await Promise.all([
      import("../../copy/languages.ts"),
      import("../../copy/highlight.ts"),
      import("../../copy/parse.ts"),
      import("../../copy/model.ts"),
    ]).catch((failure: unknown) => {
      const { desk } = this;
      this.store.dispatch({ kind: "desk-opened", desk: { kind: "none" } });
      tellMissed(this.services, failure, { kind: "desk-opened", desk });
    });
    if (code === undefined) return;
    const [{ driverLanguages }, { tokensOf }, { statementAt }, { Untranslatable }] = code;
    try {
      this.statement = statementAt(source, { from, to }, this.database);
      this.languages = driverLanguages;
      this.#tokens = tokensOf;
    } catch (error) {
      this.failure =
        error instanceof Untranslatable ? this.t[`copy.refused.${error.refusal}`](error.what) : wordFailure(error);
    }
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("input:checked")?.focus();
  }

  private get text(): string {
    if (this.languages === null || this.statement === null) return "";
    const translation = this.languages[last.language].translate(this.statement);
    return last.whole ? translation.program : translation.statement;
  }

  private coloured(): readonly (TemplateResult | string)[] {
    return (this.#tokens?.(this.text, last.language) ?? []).map(({ kind, text }) =>
      kind === "plain" ? text : html`<span class=${kind}>${text}</span>`,
    );
  }

  private choose(change: Partial<typeof last>): void {
    Object.assign(last, change);
    this.copied = null;
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const { t, languages } = this;
    if (this.failure !== null)
      return html`<p class="failure" role="alert">${this.failure}</p><p class="note">${t["copy.can"]}</p>`;
    if (languages === null) return html``;
    const names = Object.keys(languages) as DriverLanguage[];
    const said =
      this.copied === null ? "" : this.copied ? t["copy.copied"](languages[last.language].label) : t["copy.copyFailed"];
    return html`<fieldset><legend>${t["copy.language"]}</legend>${names.map(
      (name) =>
        html`<label><input type="radio" name="language" value=${name} .checked=${last.language === name}
          @change=${() => this.choose({ language: name })} />${languages[name].label}</label>`,
    )}</fieldset>
      <pre tabindex="0" role="region"
        aria-label=${t["copy.code"](languages[last.language].label)}>${this.coloured()}</pre>
      <label><input type="checkbox" .checked=${last.whole}
        @change=${() => this.choose({ whole: !last.whole })} />${t["copy.whole"]}</label>
      <p class="buttons"><button class="button main" @click=${() => void this.copy()}>${t["share.copy"]}</button><span
        class="note" role="status">${said === "" ? nothing : said}</span></p>`;
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text);
      this.copied = true;
    } catch {
      this.copied = false;
      if (this.code !== null) getSelection()?.selectAllChildren(this.code);
    }
  }
}
