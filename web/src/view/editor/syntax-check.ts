/**
 * Reads a script's syntax while it is typed, marks where it is wrong, and tells the page.
 *
 * Invariants: nothing is read while keys are pressed in haste; the statement being written at the cursor gets longer
 * before it is called wrong; a mistake that was mended is taken back by the next reading.
 */
import type { Extension } from "@codemirror/state";
import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { syntaxFault, type SyntaxFault } from "../../messages/syntax/fault.ts";
import { syntaxMessagesOf } from "../../messages/syntax/words.ts";
import type { Language } from "../../state/settings.ts";
import { markSyntax, syntaxPlace } from "../../editor/failing-place.ts";

/**
 * Milliseconds without a change after which a script is read, and further milliseconds (`patience`) after which a fault
 * at the cursor is told, since it may be an unfinished word.
 */
const pause = 400;
const patience = 1100;
/** Characters of the longest script that is checked; longer ones are left to the run: reading them would be felt. */
const longest = 400_000;

/** Checks the syntax; `tell` hears of each fault, and of none. */
export function syntaxCheck(language: () => Language, tell: (fault: SyntaxFault | null) => void): Extension {
  return ViewPlugin.fromClass(
    class {
      readonly #view: EditorView;
      #timer: ReturnType<typeof setTimeout> | undefined;

      constructor(view: EditorView) {
        this.#view = view;
        this.#wait(0, false);
      }

      update(update: ViewUpdate): void {
        if (update.docChanged) this.#wait(pause, false);
      }

      destroy(): void {
        clearTimeout(this.#timer);
        tell(null);
      }

      #wait(millis: number, patient: boolean): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#read(patient), millis);
      }

      #read(patient: boolean): void {
        const { state } = this.#view;
        const fault = state.doc.length > longest ? null : readable(state.doc.toString(), language());
        const { head } = state.selection.main;
        if (
          fault !== null &&
          !patient &&
          this.#view.hasFocus &&
          state.doc.lineAt(fault.to).number === state.doc.lineAt(head).number
        )
          this.#wait(patience, true);
        else this.#show(fault);
      }

      #show(fault: SyntaxFault | null): void {
        if (fault !== null || syntaxPlace(this.#view.state) !== null)
          this.#view.dispatch({ effects: markSyntax.of(fault) });
        tell(fault);
      }
    },
  );
}

function readable(source: string, language: Language): SyntaxFault | null {
  try {
    return syntaxFault(source, syntaxMessagesOf(language));
  } catch {
    // Nested deeper than the parser's stack goes; the run will tell its error.
    return null;
  }
}
