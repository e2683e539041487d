/**
 * `<quire-lab-script>`: a script of a design, which the reader may change.
 *
 * Invariants: it draws and tells; the session holds the text. The text stands there before the editor was fetched, and
 * stays where it cannot be.
 */
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Editor } from "../../embed/editor.ts";
import { highlighted } from "../../embed/highlight.ts";
import { icon, RESET_ICON, styles as snippetStyles } from "../../embed/styles.ts";
import type { DesignFault } from "../../lessons/lab/measure.ts";
import type { LabMessages } from "../../messages/lab/words.ts";
import { wordFault } from "./lab-words.ts";

export class LabScript extends LitElement {
  @property({ attribute: false }) l!: LabMessages;
  /** What a reader hears it called. */
  @property() label = "";
  /** As the lab has it. */
  @property() author = "";
  /** As it stands. */
  @property() source = "";
  /** Where it failed. */
  @property({ attribute: false }) fault: DesignFault | null = null;
  #editor: Editor | null = null;
  #mounting = false;

  static override styles = css`
    :host { display: block; margin: 0; }
    .code { max-block-size: 22rem; overflow: auto; font-size: 0.8125rem; }
    .bar { padding-block: 0.15rem; }
    .error { margin: 0; border-radius: 0; }
    @media (pointer: coarse) { .code { font-size: 1rem; } }
  `;

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot() as ShadowRoot;
    root.adoptedStyleSheets = [snippetStyles(), ...root.adoptedStyleSheets];
    return root;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) void this.#mount();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#editor?.destroy();
    this.#editor = null;
    this.renderRoot.querySelector(".code > pre")?.removeAttribute("hidden");
  }

  protected override firstUpdated(): void {
    void this.#mount();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("source")) this.#editor?.setText(this.source);
    if (this.#editor === null)
      this.renderRoot.querySelector(".code > pre")?.replaceChildren(highlighted(this.source, null));
    if (changed.has("fault")) this.#mark();
  }

  #mark(): void {
    const error = this.fault?.error ?? null;
    this.#editor?.mark(
      error === null || error.line === null
        ? null
        : { line: error.line, column: error.column ?? 1, message: error.text },
    );
  }

  async #mount(): Promise<void> {
    if (this.#editor !== null || this.#mounting) return;
    this.#mounting = true;
    try {
      const { mountEditor } = await import("../../embed/editor.ts");
      const code = this.renderRoot.querySelector<HTMLElement>(".code");
      if (!this.isConnected || code === null) return;
      this.#editor = mountEditor({
        parent: code,
        root: this.renderRoot as ShadowRoot,
        text: this.source,
        caret: 0,
        attributes: {
          role: "textbox",
          "aria-multiline": "true",
          "aria-label": this.label,
          "aria-describedby": "keys",
        },
        onChange: (text) => this.dispatchEvent(new CustomEvent("edited", { detail: text })),
        onRun: () => this.dispatchEvent(new CustomEvent("run")),
        onLeave: () => this.dispatchEvent(new CustomEvent("leave")),
      });
      code.querySelector(":scope > pre")?.setAttribute("hidden", "");
      this.#mark();
    } catch {
      // The script can be read and run as it is.
    } finally {
      this.#mounting = false;
    }
  }

  protected override render(): TemplateResult {
    const { l, fault } = this;
    return html`<div class="frame">
      <div class="code" tabindex="-1"><pre></pre><span class="unseen" id="keys">${l.keys}</span></div>
      ${
        fault === null
          ? nothing
          : html`<div class="error">${wordFault(fault, l)}${
              fault.error.line === null
                ? nothing
                : html`<button type="button" class="place" @click=${() =>
                    this.#editor?.goTo(fault.error.line ?? 1, fault.error.column ?? 1)}>${l["failed.place"](
                    String(fault.error.line),
                    String(fault.error.column ?? 1),
                  )}</button>`
            }</div>`
      }
      ${
        this.source === this.author
          ? nothing
          : html`<div class="bar"><button type="button" class="quiet" title=${l["script.reset.hint"]}
            @click=${() => this.dispatchEvent(new CustomEvent("edited", { detail: this.author }))}>${icon(RESET_ICON)}${
              l["script.reset"]
            }</button></div>`
      }
    </div>`;
  }
}
