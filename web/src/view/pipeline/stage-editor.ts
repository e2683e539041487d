/**
 * `<stage-editor>`: the text of one stage, with its fault and the names that fit.
 *
 * Invariants: says with `edited` each text that can be read as a stage, and none else; a text that cannot stays here,
 * with the reason, until it can or until the script has another text for the stage.
 */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { bracketMatching, indentOnInput, indentUnit, LanguageSupport } from "@codemirror/language";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap } from "@codemirror/view";
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { operatorOf } from "../../copy/pipeline.ts";
import { editorLook } from "../../editor/editor-look.ts";
import { failingPlace, markSyntax } from "../../editor/failing-place.ts";
import { syntaxMessagesOf } from "../../messages/syntax/words.ts";
import { shared } from "../../look/shared.ts";
import { naming } from "../editor/completing.ts";
import type { Known } from "../editor/offering.ts";
import { syntaxFault } from "../../messages/syntax/fault.ts";
import { PipelineElement } from "./pipeline-element.ts";
import { typedOver } from "../../editor/typed-over.ts";

/** Makes of a stage a statement, whose syntax can be read. */
const statement = "x=";

@customElement("stage-editor")
export class StageEditor extends PipelineElement {
  @property() text = "";
  @property() label = "";
  /** The script before and behind the stage. */
  @property({ attribute: false }) around: readonly [string, string] = ["", ""];
  @property({ attribute: false }) known: () => Promise<Known> = () => Promise.reject(new Error("nothing is known"));
  /** The reason why the text is not in the script; null where it is. */
  @state() private reason: string | null = null;
  @query(".holder") private holder!: HTMLElement;
  #view: EditorView | null = null;
  readonly #labels = new Compartment();

  static override styles = [
    shared,
    css`
      :host { --editor-size: var(--script-size, 0.875rem); min-width: 0; }
      .holder {
        border: 1px solid var(--rule-strong); border-radius: var(--radius); background: var(--paper);
        max-height: 22rem; overflow: auto;
      }
      .holder:focus-within { border-color: var(--focus); }
      .pending { margin-top: 0.3rem; color: var(--rubric); font-size: var(--small); overflow-wrap: anywhere; }
      @media (pointer: coarse) { :host { --editor-size: max(1rem, var(--script-size, 1rem)); } }
    `,
  ];

  protected override render(): TemplateResult {
    return html`<div class="holder"></div><div role="status">${
      this.reason === null ? nothing : html`<p class="pending">${this.w["card.pending"]} ${this.reason}</p>`
    }</div>`;
  }

  protected override firstUpdated(): void {
    this.#view = new EditorView({
      parent: this.holder,
      root: this.renderRoot as ShadowRoot,
      state: EditorState.create({
        doc: this.text,
        extensions: [
          highlightSpecialChars(),
          history(),
          drawSelection(),
          indentOnInput(),
          indentUnit.of("  "),
          bracketMatching(),
          new LanguageSupport(javascriptLanguage),
          EditorView.lineWrapping,
          typedOver,
          keymap.of([{ key: "Mod-Enter", run: () => this.run() }]),
          naming(async (context) => {
            const { offerInside } = await import("../editor/offering.ts");
            return offerInside(context, await this.known(), ...this.around);
          }),
          // Tab goes on to the next control, as in any form; Escape lets go of the list of names.
          keymap.of([...defaultKeymap, ...historyKeymap].filter(({ key }) => key !== indentWithTab.key)),
          this.#labels.of(this.labels()),
          editorLook,
          look,
          failingPlace,
          EditorView.updateListener.of(({ docChanged, state: { doc } }) => docChanged && this.typed(doc.toString())),
        ],
      }),
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#view?.destroy();
    this.#view = null;
  }

  protected override updated(changed: PropertyValues): void {
    const view = this.#view;
    if (view === null) return;
    if (changed.has("label")) view.dispatch({ effects: this.#labels.reconfigure(this.labels()) });
    // The script has another text for the stage, and the script's text is the one that counts.
    if (changed.has("text") && view.state.doc.toString() !== this.text)
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: this.text } });
  }

  private labels() {
    return EditorView.contentAttributes.of({
      tabindex: "0",
      "aria-label": this.label,
      spellcheck: "false",
      autocapitalize: "off",
      autocorrect: "off",
    });
  }

  private run(): boolean {
    this.services.act("run");
    return true;
  }

  private typed(text: string): void {
    const fault = this.faultOf(text);
    this.reason = fault?.message ?? null;
    // The mark is another change of the editor, which cannot be made inside of this one.
    void Promise.resolve().then(() => this.#view?.dispatch({ effects: markSyntax.of(fault) }));
    if (fault === null && text !== this.text)
      this.dispatchEvent(new CustomEvent("edited", { detail: text, bubbles: true, composed: true }));
  }

  private faultOf(text: string): { from: number; to: number; message: string } | null {
    const fault = syntaxFault(statement + text, syntaxMessagesOf(this.store.state.settings.language));
    if (fault !== null) {
      const [from, to] = [fault.from, fault.to].map((at) => Math.max(0, at - statement.length)) as [number, number];
      return { from, to: Math.min(text.length, Math.max(to, from + 1)), message: fault.message };
    }
    return operatorOf(text) === null ? { from: 0, to: text.length, message: this.w["card.noStage"] } : null;
  }

  override focus(): void {
    this.#view?.focus();
  }
}

const look = Prec.highest(
  EditorView.theme({
    "&": { height: "auto" },
    ".cm-content": { padding: "0.35rem 0" },
    ".cm-line": { padding: "0 0.6rem" },
    "&.cm-focused .cm-activeLine": { backgroundColor: "transparent" },
  }),
);
