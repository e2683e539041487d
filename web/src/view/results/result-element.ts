/**
 * The base class of a result's views: a page element with the words of results, besides those of the data.
 *
 * Invariant: fetched with the first of them, so that neither code nor words are in the page's first download.
 */
import { resultMessagesOf, type ResultMessages } from "../../messages/results/words.ts";
import type { Written } from "../../protocol/run.ts";
import { DataElement } from "../data/data-element.ts";

export class ResultElement extends DataElement {
  protected get r(): ResultMessages {
    return resultMessagesOf(this.store.state.settings.language);
  }

  /** What was written, in one line. */
  protected wordWritten(written: readonly Written[]): string {
    const told = written.map(({ kind, count, namespace, from = "" }) =>
      this.r[`written.${kind}`](this.words.number(count), namespace, from),
    );
    return told.join(", ");
  }
}
