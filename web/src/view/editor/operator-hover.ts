/**
 * The line on an operator or a method that is pointed at. Without a pointer, the list of names shows the same line.
 *
 * Invariant: the table of lines is fetched when the pointer first rests on a `$` name or a method.
 */
import type { Extension } from "@codemirror/state";
import { EditorView, hoverTooltip } from "@codemirror/view";
import type { Language } from "../../state/settings.ts";
import { siteAddress } from "../guides.ts";
import type { OperatorHelp, OperatorLine } from "./operator-help.ts";

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
  ".cm-operator-help a": { color: "var(--rubric)", textUnderlineOffset: "3px" },
  ".cm-operator-help code": { fontFamily: "var(--mono)", fontSize: "0.8125rem", fontWeight: "600" },
  ".cm-operator-help i": { color: "var(--ink-3)" },
  ".cm-operator-help p + p": { marginTop: "0.35rem" },
  ".cm-operator-help p.written": { overflowWrap: "anywhere" },
  ".cm-operator-help p.written code": { fontWeight: "400" },
  ".cm-completionInfo .cm-operator-help": { padding: "0" },
});

/** The line on each name, its syntax, an example, and with `linked` the way to its entry in the reference. */
export function helpOn(help: OperatorHelp, lines: readonly OperatorLine[], linked = false): HTMLElement {
  const dom = document.createElement("div");
  dom.className = "cm-operator-help";
  const add = (parent: HTMLElement, name: "p" | "code" | "i", text: string): HTMLElement => {
    const element = parent.appendChild(document.createElement(name));
    element.textContent = text;
    return element;
  };
  for (const { title, kind, text, syntax, example, entry } of lines) {
    const paragraph = add(dom, "p", "");
    add(paragraph, "code", title);
    paragraph.append(" ");
    add(paragraph, "i", kind);
    paragraph.append(" ", text);
    for (const [word, written] of [
      ["", syntax],
      [help.exampleWord, example],
    ] as const) {
      if (written === null || written === "") continue;
      const line = add(dom, "p", "");
      line.className = "written";
      if (word !== "") add(line, "i", word);
      if (word !== "") line.append(" ");
      add(line, "code", written);
    }
    if (!linked) continue;
    const link = document.createElement("a");
    link.href = siteAddress(`./reference.html#/${encodeURI(entry)}`);
    link.target = "_blank";
    link.rel = "noopener";
    link.textContent = help.moreWord;
    paragraph.append(" ", link);
  }
  return dom;
}

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
      const help = await operatorHelp(language());
      const lines = help.lines(place);
      if (lines.length === 0) return null;
      return {
        pos: place.from,
        end: place.to,
        above: true,
        create() {
          const dom = helpOn(help, lines, true);
          dom.setAttribute("role", "tooltip");
          return { dom };
        },
      };
    },
    { hideOnChange: true },
  );
  return [look, tooltip];
}
