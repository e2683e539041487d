/** The base class of the desk's panels: the page's services, the desk's own words, and the look of their parts. */
import { css } from "lit";
import { deskMessagesOf, type DeskMessages } from "../../messages/desk/words.ts";
import { PageElement } from "../element.ts";

export class DeskElement extends PageElement {
  /** The desk's words. */
  protected get t(): DeskMessages {
    return deskMessagesOf(this.store.state.settings.language);
  }

  protected close(): void {
    this.store.dispatch({ kind: "desk-opened", desk: { kind: "none" } });
  }
}

/** Fields and lists inside a panel. */
export const panelStyles = css`
  p { text-wrap: pretty; }
  input[type="search"], input[type="text"], select {
    min-height: 2.1rem; padding: 0 0.6rem; border: 1px solid var(--rule-strong); border-radius: var(--radius);
    background: var(--paper); color: var(--ink);
  }
  input::placeholder { color: var(--ink-3); opacity: 1; }
  input[type="checkbox"] { width: 1.05rem; height: 1.05rem; flex: none; accent-color: var(--rubric-fill); }
  .buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
  .inset {
    padding: 0.6rem 0.85rem; background: var(--paper-2); border-left: 3px solid var(--thread);
    border-radius: 0 var(--radius) var(--radius) 0;
  }
  .failure {
    padding: 0.5rem 0.75rem; background: var(--rubric-wash); border-left: 3px solid var(--rubric);
    border-radius: 0 var(--radius) var(--radius) 0; overflow-wrap: anywhere;
  }
  pre {
    margin: 0; padding: 0.75rem 1rem; overflow: auto; background: var(--paper-2); border-radius: var(--radius);
    font: 400 var(--code)/1.55 var(--mono); tab-size: 4;
  }
  @media (pointer: coarse) {
    input[type="search"], input[type="text"], select { min-height: 2.75rem; font-size: 1rem; }
  }
`;
