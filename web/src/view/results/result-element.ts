/**
 * What the views of a result are made on: a page element with the words of results, besides those of the data.
 *
 * Invariant: fetched with the first of them, so that neither is in what the page needs at first.
 */
import { resultMessagesOf, type ResultMessages } from "../../messages/results/words.ts";
import { DataElement } from "../data/data-element.ts";

export class ResultElement extends DataElement {
  protected get r(): ResultMessages {
    return resultMessagesOf(this.store.state.settings.language);
  }
}
