/** What the plan's views are made on: the page's services, with the words of their own table. */
import { planMessagesOf, type PlanMessages } from "../../messages/xray/plan-words.ts";
import { PageElement } from "../element.ts";

export class PlanElement extends PageElement {
  /** The plan's words. */
  protected get p(): PlanMessages {
    return planMessagesOf(this.store.state.settings.language);
  }
}
