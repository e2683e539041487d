/**
 * The line on an operator or a method that is pointed at. Without a pointer, the list of names shows the same line.
 *
 * Invariant: what knows the lines is fetched when the pointer first rests on a `$` name or a method.
 */
import type { Extension } from "@codemirror/state";
import { EditorView, hoverTooltip } from "@codemirror/view";
import type { Language } from "../../state/settings.ts";

const look = EditorView.theme({
  // The line stands beside the list, outside its box.
  ".cm-tooltip.cm-tooltip-autocomplete": { overflow: "visible" },
  ".cm-tooltip.cm-completionInfo": {
    padding: "0.4rem 0.75rem",
    maxWidth: "22rem",
    fontFamily: "var(--serif)",
    fontSize: "0.9375rem",
    lineHeight: "1.4",
    whiteSpace: "normal",
  },
  ".cm-operator-help": {
    padding: "0.4rem 0.75rem",
    maxWidth: "26rem",
    fontFamily: "var(--serif)",
    fontSize: "0.9375rem",
    lineHeight: "1.4",
  },
  ".cm-operator-help p": { margin: "0" },
  ".cm-operator-help code": { fontFamily: "var(--mono)", fontSize: "0.8125rem", fontWeight: "600" },
  ".cm-operator-help i": { color: "var(--ink-3)" },
});

/** Shows the line on the name under the pointer, in the language of the moment. */
export function operatorHover(language: () => Language): Extension {
  const tooltip = hoverTooltip(
    async (view, position) => {
      const line = view.state.doc.lineAt(position);
      const near = line.text.slice(Math.max(0, position - line.from - 40), position - line.from + 1);
      if (!/[$.]\w*$/.test(near)) return null;
      const { state } = view;
      const [{ scriptOf }, { nameAt, operatorHelp }] = await Promise.all([
        import("./completion.ts"),
        import("./operator-help.ts"),
      ]);
      const place = nameAt(scriptOf(state, position), position);
      if (place === null) return null;
      const lines = (await operatorHelp(language())).lines(place);
      if (lines.length === 0) return null;
      return {
        pos: place.from,
        end: place.to,
        above: true,
        create() {
          const dom = document.createElement("div");
          dom.className = "cm-operator-help";
          dom.setAttribute("role", "tooltip");
          for (const { title, kind, text } of lines) {
            const paragraph = dom.appendChild(document.createElement("p"));
            paragraph.appendChild(document.createElement("code")).textContent = title;
            paragraph.append(" ");
            paragraph.appendChild(document.createElement("i")).textContent = kind;
            paragraph.append(" ", text);
          }
          return { dom };
        },
      };
    },
    { hideOnChange: true },
  );
  return [look, tooltip];
}
