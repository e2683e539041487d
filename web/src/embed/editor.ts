/**
 * The editor of a snippet: CodeMirror, fetched when a reader first goes into the code.
 *
 * Invariants: Escape leaves it and Tab goes on to the next control, so nobody is trapped; its styles are adopted
 * sheets of the shadow root it stands in.
 */
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { bracketMatching, indentOnInput, indentUnit, LanguageSupport } from "@codemirror/language";
import { EditorState, StateEffect, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap } from "@codemirror/view";
import { editorLook } from "../editor/editor-look.ts";
import { failingPlace, markFailing } from "../editor/failing-place.ts";
import { typedOver } from "../editor/typed-over.ts";

export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly root: ShadowRoot;
  readonly text: string;
  /** Where the cursor goes: an offset, or a point on the screen. */
  readonly caret: number | { readonly x: number; readonly y: number };
  readonly attributes: Readonly<Record<string, string>>;
  onChange(text: string): void;
  onRun(): void;
  onLeave(): void;
}

export interface Editor {
  focus(): void;
  setText(text: string): void;
  /** Underlines where a script failed; null takes the line away. */
  mark(place: { readonly line: number; readonly column: number; readonly message: string } | null): void;
  /**
   * Adds to it, as the names to complete, whose code comes after the editor's. `catchUp` is done behind it where the
   * text is no longer that with which the editor began.
   */
  extend(extension: Extension, catchUp: (view: EditorView) => void): void;
  /** Puts the cursor to a place, both counted from 1, and into sight. */
  goTo(line: number, column: number): void;
  destroy(): void;
}

/** The same metrics as the block it takes the place of, so that nothing moves. */
const metrics = EditorView.theme({
  "&": { height: "auto", fontSize: "inherit" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflow: "visible" },
  ".cm-content": { padding: "0", tabSize: "2" },
  ".cm-line": { padding: "0" },
});

export function mountEditor(options: EditorOptions): Editor {
  const command = (act: () => void) => (): boolean => {
    act();
    return true;
  };
  const view = new EditorView({
    parent: options.parent,
    root: options.root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        keymap.of([
          { key: "Mod-Enter", run: command(() => options.onRun()), preventDefault: true },
          { key: "Escape", run: command(() => options.onLeave()) },
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        history(),
        drawSelection(),
        highlightSpecialChars(),
        indentOnInput(),
        indentUnit.of("  "),
        bracketMatching(),
        new LanguageSupport(javascriptLanguage),
        EditorView.lineWrapping,
        typedOver,
        EditorView.contentAttributes.of({
          spellcheck: "false",
          autocapitalize: "off",
          autocorrect: "off",
          ...options.attributes,
        }),
        metrics,
        editorLook,
        failingPlace,
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  const { caret } = options;
  const anchor = typeof caret === "number" ? caret : view.posAtCoords(caret, false);
  view.dispatch({ selection: { anchor: Math.min(anchor, view.state.doc.length) } });
  return {
    focus: () => view.focus(),
    setText(text) {
      if (text !== view.state.doc.toString())
        view.dispatch({
          changes: { from: 0, to: view.state.doc.length, insert: text },
          selection: { anchor: 0 },
          // Undone by itself, and not with what was typed just before.
          annotations: isolateHistory.of("full"),
        });
    },
    mark(place) {
      const document = view.state.doc;
      if (place === null || place.line < 1 || place.line > document.lines) {
        view.dispatch({ effects: markFailing.of(null) });
        return;
      }
      const line = document.line(place.line);
      const from = Math.min(line.from + Math.max(0, place.column - 1), line.to);
      const length = /^[\w$.]+/.exec(line.text.slice(from - line.from))?.[0].length ?? line.to - from;
      const to = from + length;
      view.dispatch({
        effects: markFailing.of({
          from: to > from ? from : line.from,
          to: to > from ? to : line.to,
          message: place.message,
        }),
      });
    },
    goTo(number, column) {
      const { doc } = view.state;
      const line = doc.line(Math.min(Math.max(1, number), doc.lines));
      const anchor = Math.min(line.from + Math.max(0, column - 1), line.to);
      view.dispatch({ selection: { anchor }, scrollIntoView: true });
      view.focus();
    },
    extend(extension, catchUp) {
      view.dispatch({ effects: StateEffect.appendConfig.of(extension) });
      if (view.state.doc.toString() !== options.text) catchUp(view);
    },
    destroy: () => view.destroy(),
  };
}
