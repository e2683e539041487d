/** What the views of trees and pages are made on: the page's services, with the words of their own table. */
import { insideMessagesOf, type InsideMessages } from "../../messages/xray/inside-words.ts";
import { PageElement } from "../element.ts";

export class InsideElement extends PageElement {
  /** The words of trees and pages. */
  protected get x(): InsideMessages {
    return insideMessagesOf(this.store.state.settings.language);
  }

  /** A share from 0 to 1, as the language writes it. */
  protected share(share: number): string {
    const { language } = this.store.state.settings;
    return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(share);
  }
}
