/**
 * A script that is read and not run, in the colours that scripts have in the editor.
 *
 * Invariant: the text drawn is exactly the text given.
 */
import { html } from "lit";
import { parts } from "../../embed/highlight.ts";

export function drawCode(source: string): readonly unknown[] {
  return parts(source).map(([text, kind]) => (kind === null ? text : html`<span class=${kind}>${text}</span>`));
}
