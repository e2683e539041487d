/** The base class of the drawings of plans, rings and dials, which brings the words of the plan's message table. */
import { planMessagesOf, type PlanMessages } from "../messages/xray/plan-words.ts";
import { XrayElement } from "./xray-element.ts";

export abstract class PlanElement extends XrayElement {
  /** The plan's words. */
  protected get p(): PlanMessages {
    return planMessagesOf(this.language);
  }
}
