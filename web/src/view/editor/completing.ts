/**
 * What helps while typing: the list of names to complete, and closing brackets. Fetched when the editor is first
 * focused: who only presses Run does without.
 *
 * Invariant: the page's one use of `@codemirror/autocomplete`; everything else reaches it through here.
 */
import { autocompletion, closeBrackets, closeBracketsKeymap, snippetCompletion, startCompletion, type CompletionSource } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";

/** The extensions, with one source of names. */
export function completing(source: CompletionSource): Extension {
  return [closeBrackets(), autocompletion({ override: [source], icons: false }), keymap.of(closeBracketsKeymap)];
}

export { snippetCompletion, startCompletion };
