/** The base class of the timeline's views: the page's services, the timeline's words, and the look of its parts. */
import { css } from "lit";
import { timelineMessagesOf, type TimelineMessages } from "../../messages/timeline/words.ts";
import { PageElement } from "../element.ts";

export class TimelineElement extends PageElement {
  /** The timeline's words. */
  protected get t(): TimelineMessages {
    return timelineMessagesOf(this.store.state.settings.language);
  }
}

/** Parts that several of the views have. */
export const timelineStyles = css`
  p { text-wrap: pretty; }
  h3 { font-size: var(--text); font-weight: 500; line-height: 1.3; overflow-wrap: anywhere; }
  h4 { font-size: var(--small); font-weight: 500; overflow-wrap: anywhere; }
  .facts { font-size: var(--small); color: var(--ink-2); }
  .quietly { padding: 0.75rem 0; color: var(--ink-2); font-style: italic; }
  .quietly:lang(zh) { font-style: normal; }
  .buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
  .inset {
    padding: 0.6rem 0.85rem; background: var(--paper-2); border-left: 3px solid var(--thread);
    border-radius: 0 var(--radius) var(--radius) 0;
  }
  .inset > * + * { margin-top: 0.5rem; }
  .failure {
    padding: 0.5rem 0.75rem; background: var(--rubric-wash); border-left: 3px solid var(--rubric);
    border-radius: 0 var(--radius) var(--radius) 0; overflow-wrap: anywhere;
  }
  .views { display: flex; flex-wrap: wrap; gap: 0.1rem; border-bottom: 1px solid var(--rule); }
  .views button {
    padding: 0.1rem 0.6rem 0.25rem; margin-bottom: -1px; border-bottom: 2px solid transparent; font-size: var(--small);
    color: var(--ink-2);
  }
  .views button:hover { color: var(--ink); border-bottom-color: var(--rule-strong); }
  .views button[aria-pressed="true"] { color: var(--ink); border-bottom-color: var(--thread); }
  .plus { color: var(--good); }
  .minus { color: var(--rubric); }
  .tilde { color: var(--warn); }
  .counts { white-space: nowrap; font: 400 var(--tiny)/1.4 var(--mono); }
  .counts > * + * { margin-left: 0.6em; }
  input[type="text"] {
    min-width: 0; min-height: 2.1rem; padding: 0 0.6rem; border: 1px solid var(--rule-strong);
    border-radius: var(--radius); background: var(--paper); color: var(--ink);
  }
  @media (pointer: coarse) {
    input[type="text"] { min-height: 2.75rem; font-size: 1rem; }
    .views button { min-height: 2.5rem; }
  }
`;
