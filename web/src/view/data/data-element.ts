/**
 * What the views of the data's menus and dialogs are made on: a page element with the words of their own table.
 *
 * Invariant: fetched with the first of them, so that neither is in what the page needs at first.
 */
import { dataMessagesOf, type DataMessages } from "../../messages/data/words.ts";
import { PageElement } from "../element.ts";

export class DataElement extends PageElement {
  protected get d(): DataMessages {
    return dataMessagesOf(this.store.state.settings.language);
  }
}
