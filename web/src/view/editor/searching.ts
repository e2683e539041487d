/**
 * Search and replace in the script, with a panel above it. Fetched when the reader first searches.
 *
 * Invariants: the page's one use of `@codemirror/search`; keys of the search are the editor's alone, so that elsewhere
 * the browser's own search stays.
 */
import { getSearchQuery, highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { searchMessagesOf } from "../../messages/search/words.ts";
import type { Language } from "../../state/settings.ts";

const look = EditorView.theme({
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--rule-strong)", zIndex: "5" },
  ".cm-panel.cm-search, .cm-panel.cm-gotoLine": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: "0.3rem 0.5rem",
    padding: "0.45rem 2.5rem 0.45rem 0.75rem",
    fontFamily: "var(--serif)",
    fontSize: "0.9375rem",
  },
  ".cm-panel.cm-search br": { display: "block", content: '""', flexBasis: "100%", width: "100%", height: "0" },
  ".cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label": { margin: "0" },
  ".cm-panel .cm-textfield": {
    flex: "0 1 14rem",
    minWidth: "8rem",
    minHeight: "1.9rem",
    padding: "0 0.5rem",
    border: "1px solid var(--rule-strong)",
    borderRadius: "4px",
    backgroundColor: "var(--paper)",
    color: "var(--ink)",
    fontFamily: "var(--mono)",
    fontSize: "0.875rem",
  },
  ".cm-panel .cm-textfield::placeholder": { color: "var(--ink-3)", opacity: "1", fontFamily: "var(--serif)" },
  ".cm-panel .cm-button": {
    minHeight: "1.9rem",
    padding: "0 0.6rem",
    border: "1px solid var(--rule-strong)",
    borderRadius: "4px",
    backgroundImage: "none",
    backgroundColor: "var(--paper)",
    color: "var(--ink)",
    fontFamily: "inherit",
    fontSize: "inherit",
    cursor: "pointer",
  },
  ".cm-panel .cm-button:hover": { backgroundColor: "var(--paper-3)" },
  ".cm-panel .cm-button:active": { backgroundImage: "none" },
  ".cm-panel.cm-search label": {
    display: "inline-flex",
    alignItems: "center",
    gap: "0.3rem",
    fontSize: "0.875rem",
    whiteSpace: "nowrap",
  },
  ".cm-panel.cm-search input[type=checkbox]": { margin: "0", accentColor: "var(--rubric-fill)" },
  ".cm-panel.cm-search [name=close]": {
    top: "0.45rem",
    right: "0.5rem",
    width: "1.9rem",
    height: "1.9rem",
    borderRadius: "4px",
    fontSize: "1.25rem",
    lineHeight: "1",
    color: "var(--ink-2)",
    textAlign: "center",
    cursor: "pointer",
  },
  ".cm-panel.cm-search [name=close]:hover": { backgroundColor: "var(--paper-3)", color: "var(--ink)" },
  ".cm-panel :focus-visible": { outline: "2px solid var(--focus)", outlineOffset: "1px" },
  ".cm-searchMatch": { backgroundColor: "var(--warn-wash)", outline: "1px solid var(--warn)" },
  ".cm-searchMatch.cm-searchMatch-selected": {
    backgroundColor: "var(--rubric-wash)",
    outline: "2px solid var(--rubric)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--paper-3)" },
  "@media (pointer: coarse)": {
    ".cm-panel .cm-textfield": { fontSize: "1rem", minHeight: "2.5rem" },
    ".cm-panel .cm-button": { minHeight: "2.5rem" },
  },
});

/** The panel, its keys and the marks of matches, with the words of a language. */
export function searching(language: Language): Extension {
  return [
    EditorState.phrases.of(searchMessagesOf(language)),
    search({ top: true }),
    highlightSelectionMatches({ minSelectionLength: 2 }),
    keymap.of(searchKeymap),
    look,
  ];
}

/** Opens the panel with the selected text to look for, and focuses the field of the search or of the replacement. */
export function openSearch(view: EditorView, replacing: boolean): void {
  openSearchPanel(view);
  if (!replacing || getSearchQuery(view.state).search === "") return;
  view.dom.querySelector<HTMLInputElement>(".cm-search [name=replace]")?.select();
}
