/**
 * How the kinds of names look in the list of completion: a sign in a square before each, and a colour.
 *
 * Invariant: the sign tells the kind without the colour; colours are the page's own, so both schemes have them.
 */
import { EditorView } from "@codemirror/view";

/** The kinds of names in the list. */
export type OfferedKind =
  | "collection"
  | "database"
  | "field"
  | "method"
  | "operator"
  | "stage"
  | "snippet"
  | "option"
  | "word";

const looks: Readonly<Record<OfferedKind, readonly [sign: string, colour: string]>> = {
  collection: ["C", "var(--rubric)"],
  database: ["D", "var(--rubric)"],
  field: ["F", "var(--type-string)"],
  method: ["ƒ", "var(--type-id)"],
  operator: ["$", "var(--type-number)"],
  stage: ["S", "var(--type-date)"],
  snippet: ["{}", "var(--type-binary)"],
  option: ["o", "var(--type-word)"],
  word: ["w", "var(--ink-3)"],
};

/** The signs and colours, for the editor. */
export const kindsLook = EditorView.theme({
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { display: "flex", alignItems: "baseline", gap: "0.15rem" },
  ".cm-tooltip .cm-completionDetail": {
    marginLeft: "auto",
    paddingLeft: "1rem",
    maxWidth: "20rem",
    overflow: "hidden",
    textOverflow: "ellipsis",
  },
  ".cm-tooltip .cm-completionIcon": {
    boxSizing: "border-box",
    flex: "none",
    width: "1.35rem",
    marginRight: "0.4rem",
    padding: "0",
    border: "1px solid currentColor",
    borderRadius: "3px",
    fontFamily: "var(--mono)",
    fontSize: "0.75rem",
    fontWeight: "600",
    lineHeight: "1.25",
    textAlign: "center",
    opacity: "1",
  },
  ...Object.fromEntries(
    Object.entries(looks).flatMap(([kind, [sign, colour]]) => [
      [`.cm-tooltip .cm-completionIcon-${kind}`, { color: colour }],
      [`.cm-tooltip .cm-completionIcon-${kind}::after`, { content: `"${sign}"` }],
    ]),
  ),
  ".cm-tooltip li[aria-selected] .cm-completionIcon.cm-completionIcon": { color: "var(--on-rubric)" },
});
