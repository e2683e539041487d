/**
 * The script before the editor's code has come: the same text at the same place, with its lines' numbers, in a text
 * field that can be read and typed in at once.
 *
 * Invariants: it lies inside `<page-editor>`, which hides it by becoming defined; measures are those of
 * `editor-look.ts`.
 */
import { css, html, nothing, type TemplateResult } from "lit";

/** Lines which are drawn with numbers; of a longer script there is the text alone. */
const numbered = 300;

export const plainStyles = css`
  page-editor:not(:defined) { display: block; overflow: auto; --editor-size: var(--script-size, 0.875rem); }
  .plain-script {
    --gutter: max(2.4rem, calc(1.5rem + var(--digits, 1) * 0.5572 * var(--editor-size, 0.875rem)));
    position: relative; display: grid;
    grid-template-columns: var(--gutter) minmax(0, 1fr); align-content: start; min-height: 100%;
    padding: 0.75rem 0 5rem; font: 400 var(--editor-size, 0.875rem)/1.65 var(--mono);
  }
  .plain-script span {
    padding-right: 0.5rem; text-align: right; font-size: calc(0.9286 * var(--editor-size, 0.875rem));
    line-height: calc(1.65 * var(--editor-size, 0.875rem)); font-variant-numeric: tabular-nums; color: var(--ink-3);
  }
  .plain-script :is(div, textarea) { white-space: break-spaces; word-break: break-word; overflow-wrap: anywhere; }
  .plain-script div { min-height: 1.65em; padding: 0 1.25rem 0 0.5rem; }
  .plain-script textarea {
    position: absolute; inset: 0; width: 100%; height: 100%; margin: 0;
    padding: 0.75rem 1.25rem 5rem calc(var(--gutter) + 0.5rem); border: 0; outline: 0; resize: none; font: inherit;
    tab-size: 4; color: var(--ink); background: none; caret-color: var(--rubric);
  }
  .plain-script div ~ textarea { overflow: hidden; color: transparent; }
  .plain-script textarea::selection { color: transparent; background: var(--selection); }
  @media (pointer: coarse) {
    page-editor:not(:defined) { --editor-size: max(1rem, var(--script-size, 1rem)); }
  }
`;

/** The digits of the last line's number, which give the numbers their width. */
export const digitsOf = (script: string): number => String(script.split("\n").length).length;

export function plainScript(script: string, label: string, onEdit: (script: string) => void): TemplateResult {
  const lines = script.split("\n");
  return html`<div class="plain-script">
    ${
      lines.length > numbered
        ? nothing
        : lines.map(
            (line, index) => html`<span aria-hidden="true">${index + 1}</span><div aria-hidden="true">${line}</div>`,
          )
    }<textarea
      aria-label=${label}
      spellcheck="false"
      autocapitalize="off"
      autocomplete="off"
      autocorrect="off"
      .value=${script}
      @input=${({ target }: Event) => onEdit((target as HTMLTextAreaElement).value)}
    ></textarea>
  </div>`;
}

/** Where the cursor is in the text field; null when the focus is elsewhere. To be asked before the field is hidden. */
export function plainSelection(editor: HTMLElement): { readonly anchor: number; readonly head: number } | null {
  const field = editor.querySelector("textarea");
  const root = editor.getRootNode();
  return field !== null && (root instanceof ShadowRoot || root instanceof Document) && root.activeElement === field
    ? { anchor: field.selectionStart, head: field.selectionEnd }
    : null;
}
