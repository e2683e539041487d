/** What the drawings of plans, rings and dials are made on: the words of the plan's table. */
import { planMessagesOf, type PlanMessages } from "../messages/xray/plan-words.ts";
import { XrayElement } from "./xray-element.ts";

export abstract class PlanElement extends XrayElement {
  /** The plan's words. */
  protected get p(): PlanMessages {
    return planMessagesOf(this.language);
  }
}
