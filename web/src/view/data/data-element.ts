/**
 * The base class of the data's menus and dialogs: a page element with the words of their own message table.
 *
 * Invariant: fetched with the first of them, so that neither code nor words are in the page's first download.
 */
import { dataMessagesOf, type DataMessages } from "../../messages/data/words.ts";
import { PageElement } from "../element.ts";

export class DataElement extends PageElement {
  protected get d(): DataMessages {
    return dataMessagesOf(this.store.state.settings.language);
  }
}
