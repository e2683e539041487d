/** The base class of the model's views: the page's services, the model's own words, and the look of their parts. */
import { css } from "lit";
import { modelMessagesOf, type ModelMessages } from "../../messages/model/words.ts";
import { PageElement } from "../element.ts";

export class ModelElement extends PageElement {
  /** The model's words. */
  protected get t(): ModelMessages {
    return modelMessagesOf(this.store.state.settings.language);
  }
}

/** The choice in drawing and list: a reference by its key, or a collection by its name. */
export interface ModelChoice {
  readonly kind: "reference" | "collection";
  readonly id: string;
}

export function isChosen(chosen: ModelChoice | null, kind: ModelChoice["kind"], id: string): boolean {
  return chosen !== null && chosen.kind === kind && chosen.id === id;
}

/** Parts that several of the views have. */
export const modelStyles = css`
  p { text-wrap: pretty; }
  .facts { font-size: var(--small); color: var(--ink-2); font-variant-numeric: tabular-nums; }
  .buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
  .failure {
    padding: 0.5rem 0.75rem; background: var(--rubric-wash); border-left: 3px solid var(--rubric);
    border-radius: 0 var(--radius) var(--radius) 0; overflow-wrap: anywhere;
  }
  .quietly { color: var(--ink-2); font-style: italic; }
  .quietly:lang(zh) { font-style: normal; }
  input[type="text"] {
    min-width: 0; min-height: 2.1rem; padding: 0 0.6rem; border: 1px solid var(--rule-strong);
    border-radius: var(--radius); background: var(--paper); color: var(--ink);
  }
  input::placeholder { color: var(--ink-3); opacity: 1; }
  @media (pointer: coarse) {
    input[type="text"] { min-height: 2.75rem; font-size: 1rem; }
  }
`;
