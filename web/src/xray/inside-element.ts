/** The base class of the drawings of trees and pages, which brings the words of their own message table. */
import { insideMessagesOf, type InsideMessages } from "../messages/xray/inside-words.ts";
import { XrayElement } from "./xray-element.ts";

export abstract class InsideElement extends XrayElement {
  /** The words of trees and pages. */
  protected get x(): InsideMessages {
    return insideMessagesOf(this.language);
  }

  /** A share from 0 to 1, as the language writes it. */
  protected share(share: number): string {
    // Little is not nothing.
    const maximumFractionDigits = share > 0 && share < 0.01 ? 1 : 0;
    return new Intl.NumberFormat(this.language, { style: "percent", maximumFractionDigits }).format(share);
  }
}
