/**
 * How the editor looks and colours JavaScript, in the page's own custom properties.
 *
 * Invariant: colours are variables, so one theme serves both schemes and a change of scheme needs no new editor.
 */
import { bidiIsolates, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Selected text, in the editor that has the focus and without it. */
const SELECTED = [
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground",
  ".cm-selectionBackground",
  ".cm-content ::selection",
].join(", ");

const theme = EditorView.theme({
  "&": {
    height: "100%",
    color: "var(--ink)",
    backgroundColor: "transparent",
    fontSize: "var(--editor-size, 0.875rem)",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.65", overflow: "auto" },
  ".cm-content": { padding: "0.75rem 0 5rem", caretColor: "var(--rubric)" },
  ".cm-line": { padding: "0 1.25rem 0 0.5rem" },
  ".cm-cursor": { borderLeftColor: "var(--rubric)", borderLeftWidth: "2px" },
  [SELECTED]: { backgroundColor: "var(--selection)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-3)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": {
    padding: "0 0.5rem 0 1rem",
    minWidth: "2.4rem",
    fontSize: "calc(0.9286 * var(--editor-size, 0.875rem))",
    fontVariantNumeric: "tabular-nums",
  },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--line)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--paper-3)", outline: "none" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--rubric-wash)" },
  ".cm-placeholder": { color: "var(--ink-3)", fontStyle: "italic" },
  ".cm-failing": {
    textDecoration: "underline wavy var(--rubric) 1.5px",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  ".cm-lineNumbers .cm-failing-line": { color: "var(--rubric)", fontWeight: "600" },
  ".cm-tooltip": {
    border: "1px solid var(--rule-strong)",
    borderRadius: "4px",
    backgroundColor: "var(--paper)",
    color: "var(--ink)",
    boxShadow: "0 0.5rem 1.5rem var(--shade)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "0.875rem", maxHeight: "16rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.15rem 0.75rem 0.15rem 0.4rem", lineHeight: "1.5" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--rubric-fill)",
    color: "var(--on-rubric)",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected] .cm-completionDetail": { color: "var(--on-rubric)" },
  ".cm-completionDetail": { color: "var(--ink-3)", fontStyle: "italic", fontFamily: "var(--serif)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-completionIcon": { opacity: "1", color: "inherit" },
  ".cm-failing-message": {
    borderLeft: "3px solid var(--rubric)",
    fontFamily: "var(--mono)",
    fontSize: "0.8125rem",
    padding: "0.4rem 0.75rem",
    whiteSpace: "pre-wrap",
    maxWidth: "32rem",
  },
  ".cm-panels": { backgroundColor: "var(--paper-2)", color: "var(--ink)", borderColor: "var(--rule)" },
});

const colours = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword, tags.operatorKeyword],
    color: "var(--rubric)",
  },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--type-string)" },
  { tag: [tags.number], color: "var(--type-number)" },
  { tag: [tags.bool, tags.null, tags.self], color: "var(--type-word)" },
  { tag: [tags.comment], color: "var(--ink-3)", fontStyle: "italic" },
  { tag: [tags.function(tags.propertyName), tags.function(tags.variableName)], color: "var(--type-id)" },
  { tag: [tags.propertyName], color: "var(--ink)" },
  { tag: [tags.className, tags.typeName], color: "var(--type-date)" },
  { tag: [tags.invalid], color: "var(--rubric)" },
]);

/** The editor's theme and colours. A text from right to left turns no more than itself. */
export const editorLook = [theme, syntaxHighlighting(colours), bidiIsolates()];
