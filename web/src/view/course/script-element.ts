/**
 * The base class of the elements that show a script of a lesson or of a lab in the snippets' editor.
 *
 * Invariants: the text stands there before the editor was fetched, and stays where it cannot be. An element that left
 * the page has no editor, and gets one again when it comes back.
 */
import type { Editor, EditorOptions } from "../../embed/editor.ts";
import { highlighted } from "../../embed/highlight.ts";
import { SnippetStyled } from "./snippet-styled.ts";

/** The editor's first text, and the functions that it calls. */
export interface Editing extends Pick<EditorOptions, "text" | "onChange" | "onRun" | "onLeave"> {
  /** The script's name for a screen reader. */
  readonly label: string;
}

export abstract class ScriptElement extends SnippetStyled {
  /** The editor; null until it was fetched. */
  protected editor: Editor | null = null;
  #mounting = false;

  /** Asked when the editor is there, so that it begins with the text of that moment. */
  protected abstract editing(): Editing;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) void this.#mount();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.editor?.destroy();
    this.editor = null;
    this.#text?.removeAttribute("hidden");
  }

  protected override firstUpdated(): void {
    void this.#mount();
  }

  /** Shows the text where there is no editor yet. */
  protected paint(source: string): void {
    if (this.editor === null) this.#text?.replaceChildren(highlighted(source, null));
  }

  /** The editor is there now. */
  protected mounted(): void {}

  get #text(): HTMLElement | null {
    return this.renderRoot.querySelector(".code > pre");
  }

  async #mount(): Promise<void> {
    if (this.editor !== null || this.#mounting) return;
    this.#mounting = true;
    try {
      const { mountEditor } = await import("../../embed/editor.ts");
      const parent = this.renderRoot.querySelector<HTMLElement>(".code");
      if (!this.isConnected || parent === null) return;
      const { label, ...editing } = this.editing();
      this.editor = mountEditor({
        ...editing,
        parent,
        root: this.renderRoot as ShadowRoot,
        caret: 0,
        attributes: { role: "textbox", "aria-multiline": "true", "aria-label": label, "aria-describedby": "keys" },
      });
      this.#text?.setAttribute("hidden", "");
      this.mounted();
    } catch {
      // The script can be read and run as it is.
    } finally {
      this.#mounting = false;
    }
  }
}
