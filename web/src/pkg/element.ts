/**
 * `quiredb/element`: defines `<quire-snippet>` and `<quire-playground>`, which make a page's code blocks run.
 *
 * Invariant: the imports here are all that a page pays before a reader does something.
 */
import { QuirePlayground } from "../embed/playground.ts";
import { QuireSnippet } from "../embed/snippet.ts";
import { defineElements } from "./element-define.ts";

export type { SnippetTheme, SnippetView } from "../embed/attributes.ts";
export type {
  QuireErrorDetail,
  QuireEventDetails,
  QuireEventMap,
  QuireEventName,
  QuireReadyDetail,
  QuireResultDetail,
  QuireRunDetail,
  QuireStage,
} from "../embed/events.ts";
export { QuirePlayground, QuireSnippet };

declare global {
  interface HTMLElementTagNameMap {
    "quire-snippet": QuireSnippet;
    "quire-playground": QuirePlayground;
  }
}

defineElements({ "quire-snippet": QuireSnippet, "quire-playground": QuirePlayground });
