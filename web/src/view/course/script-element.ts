/**
 * The base class of the elements that show a script of a lesson or of a lab in the snippets' editor.
 *
 * Invariants: the text stands there before the editor was fetched, which is when the reader goes into it or a line is
 * to be marked, and it stays where the editor cannot be had, which is told below it. An element that left the page has
 * no editor, and gets one again when the reader goes into it again.
 */
import type { Editor, EditorOptions } from "../../embed/editor.ts";
import { highlighted } from "../../embed/highlight.ts";
import type { Around } from "./course-completion.ts";
import { SnippetStyled } from "./snippet-styled.ts";

/** The editor's first text, and the functions that it calls. */
export interface Editing extends Pick<EditorOptions, "text" | "onChange" | "onRun" | "onLeave"> {
  /** The script's name for a screen reader. */
  readonly label: string;
  /** Where the editor cannot be had: a sentence, and the name of the button that tries again. */
  readonly missing: readonly [string, string];
}

/** What a script is to a screen reader, in the editor and before it. */
function attributesOf(label: string): Readonly<Record<string, string>> {
  return { role: "textbox", "aria-multiline": "true", "aria-label": label, "aria-describedby": "keys" };
}

export abstract class ScriptElement extends SnippetStyled {
  /** The editor; null until it was fetched. */
  protected editor: Editor | null = null;
  #mounting: Promise<Editor | null> | null = null;

  /** What completion knows around the script, asked at each completion. */
  protected abstract around(): Around;

  /** Asked when the editor is there, so that it begins with the text of that moment. */
  protected abstract editing(): Editing;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.editor?.destroy();
    this.editor = null;
    this.#text?.removeAttribute("hidden");
  }

  protected override firstUpdated(): void {
    const text = this.#text;
    if (text === null) return;
    // It becomes editable with the focus that the editor takes over.
    text.tabIndex = 0;
    text.setAttribute("aria-readonly", "true");
    let caret: EditorOptions["caret"] = 0;
    text.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => {
      caret = { x, y };
    });
    text.addEventListener("focus", () => {
      void this.ensureEditor(caret);
      caret = 0;
    });
  }

  /** Shows the text where there is no editor yet. */
  protected paint(source: string): void {
    const text = this.#text;
    if (this.editor !== null || text === null) return;
    text.replaceChildren(highlighted(source, null));
    for (const [name, value] of Object.entries(attributesOf(this.editing().label))) text.setAttribute(name, value);
  }

  /** The editor is there now. */
  protected mounted(): void {}

  get #text(): HTMLElement | null {
    return this.renderRoot.querySelector(".code > pre");
  }

  /**
   * The editor, fetched where it is not there yet; null where it cannot be had: the script can be read and run as it
   * is. `caret` is where a new one's cursor stands.
   */
  protected ensureEditor(caret: EditorOptions["caret"] = 0): Promise<Editor | null> {
    if (this.editor !== null) return Promise.resolve(this.editor);
    this.#mounting ??= this.#mount(caret).finally(() => {
      this.#mounting = null;
    });
    return this.#mounting;
  }

  async #mount(caret: EditorOptions["caret"]): Promise<Editor | null> {
    const code = await import("../../embed/editor.ts").catch(() => null);
    const parent = this.renderRoot.querySelector<HTMLElement>(".code");
    if (!this.isConnected || parent === null) return null;
    const { label, missing, ...editing } = this.editing();
    this.renderRoot.querySelector(".missing")?.remove();
    if (code === null) {
      parent.after(this.#missing(...missing));
      return null;
    }
    const text = this.#text;
    const hadFocus = (this.renderRoot as ShadowRoot).activeElement === text;
    // The editor finds the cursor's place by a point on the screen, and so stands where the text stood.
    text?.setAttribute("hidden", "");
    this.editor = code.mountEditor({
      ...editing,
      parent,
      root: this.renderRoot as ShadowRoot,
      caret,
      attributes: attributesOf(label),
    });
    if (hadFocus) this.editor.focus();
    void this.#complete(this.editor);
    this.mounted();
    return this.editor;
  }

  /** Gives an editor its names to complete; one that they cannot be fetched for does without. */
  async #complete(editor: Editor): Promise<void> {
    const code = await Promise.all([import("../editor/completing.ts"), import("./course-completion.ts")]).catch(
      () => null,
    );
    if (code === null || editor !== this.editor) return;
    const [{ naming, catchUp }, { courseCompletion }] = code;
    const names = naming(courseCompletion(() => this.around()));
    editor.extend(names, catchUp);
  }

  /** Says below the script that it cannot be edited yet. */
  #missing(said: string, again: string): HTMLElement {
    const box = document.createElement("p");
    box.className = "note missing";
    box.setAttribute("role", "alert");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = again;
    button.addEventListener("click", () => void this.ensureEditor().then((editor) => editor?.focus()));
    box.append(`${said} `, button);
    return box;
  }
}
