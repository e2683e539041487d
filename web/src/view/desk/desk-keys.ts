/** `<desk-keys>`: every key there is, by where it works. */
import { css, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { commandKey } from "../element.ts";
import { shared } from "../../look/shared.ts";
import { DeskElement } from "./desk-element.ts";

const altKey = commandKey === "⌘" ? "⌥" : "Alt";
const shiftKey = commandKey === "⌘" ? "⇧" : "Shift";

/** Keys by the action they do, for the palette too; `/` parts keys pressed one after the other. */
export const keysOf = {
  palette: [commandKey, "K"],
  run: [commandKey, "Enter"],
  stop: [commandKey, "."],
  aside: [commandKey, "B"],
  format: [shiftKey, altKey, "F"],
  pipeline: [shiftKey, altKey, "P"],
  find: [commandKey, "F"],
  search: commandKey === "⌘" ? [commandKey, altKey, "F"] : [commandKey, "H"],
  complete: ["Ctrl", "Space"],
  undo: [commandKey, "Z"],
  redo: [commandKey, shiftKey, "Z"],
  timeline: [shiftKey, altKey, "T"],
  "tab.close": ["Delete"],
  "tab.name": ["F2"],
  "tab.left": [commandKey, shiftKey, "←"],
  "tab.right": [commandKey, shiftKey, "→"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Row = readonly [readonly string[], string];

@customElement("desk-keys")
export class DeskKeys extends DeskElement {
  static override styles = [
    shared,
    css`
      :host { columns: 2; column-gap: 2.5rem; }
      section { break-inside: avoid; }
      h3 {
        padding: 0.6rem 0 0.35rem; font-size: var(--small); font-weight: 500; font-style: italic; color: var(--ink-2);
        border-bottom: 1px solid var(--rule);
      }
      h3:lang(zh) { font-style: normal; }
      dl {
        display: grid; grid-template-columns: minmax(0, 1fr) max-content; gap: 0.45rem 1rem; padding: 0.5rem 0 0.75rem;
        font-size: var(--small);
      }
      dd { text-align: right; }
      dt { text-wrap: balance; }
      @media (max-width: 700px) { :host { columns: 1; } }
    `,
  ];

  protected override render(): TemplateResult {
    const { t } = this;
    const groups: readonly (readonly [string, readonly Row[]])[] = [
      [
        t["keys.page"],
        [
          [keysOf.palette, t["keys.palette"]],
          [keysOf.run, t["do.run"]],
          [keysOf.stop, t["do.stop"]],
          [keysOf.aside, t["do.aside"]],
          [["←", "→"], t["keys.border"]],
        ],
      ],
      [
        t["keys.tabs"],
        [
          [["←", "→"], t["keys.tab.go"]],
          [["Home", "End"], t["keys.tab.ends"]],
          [keysOf["tab.close"], t["keys.tab.close"]],
          [keysOf["tab.name"], t["keys.tab.name"]],
          [[commandKey, shiftKey, "← →"], t["keys.tab.move"]],
        ],
      ],
      [
        t["keys.editor"],
        [
          [keysOf.complete, t["do.complete"]],
          [keysOf.format, t["do.format"]],
          [keysOf.pipeline, t["do.pipeline"]],
          [keysOf.find, t["keys.find"]],
          [keysOf.search, t["do.search"]],
          [["F8"], t["keys.fault"]],
          [[commandKey, "/"], t["keys.comment"]],
          [["Tab", `${shiftKey} Tab`], t["keys.indent"]],
          [[`${commandKey} Z`, `${commandKey} ${shiftKey} Z`], t["keys.undo"]],
          [[altKey, "↑ ↓"], t["keys.moveLine"]],
          [["Esc", "Tab"], t["keys.leave"]],
        ],
      ],
      [
        t["keys.data"],
        [
          [keysOf.undo, t["do.undo"]],
          [[`${commandKey} ${shiftKey} Z`, `${commandKey} Y`], t["do.redo"]],
          [keysOf.timeline, t["do.timeline"]],
        ],
      ],
      [
        t["keys.results"],
        [
          [["↑", "↓", "←", "→"], t["keys.tree"]],
          [["Alt", "Enter"], t["keys.fill"]],
          [["Esc"], t["keys.unfill"]],
          [["Alt", "↓"], t["keys.column"]],
          [["Shift", "←", "→"], t["keys.width"]],
        ],
      ],
    ];
    return html`${groups.map(
      ([title, rows]) =>
        html`<section><h3>${title}</h3><dl>${rows.map(
          ([keys, does]) => html`<dt>${does}</dt><dd>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dd>`,
        )}</dl></section>`,
    )}`;
  }
}
