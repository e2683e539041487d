/**
 * The base class of a result's views: a page element with the words of results, besides those of the data.
 *
 * Invariant: fetched with the first of them, so that neither code nor words are in the page's first download.
 */
import { resultMessagesOf, type ResultMessages } from "../../messages/results/words.ts";
import type { Written } from "../../protocol/run.ts";
import type { LeafStatement } from "../../state/model.ts";
import { tellWritten } from "../../state/written-told.ts";
import { DataElement } from "../data/data-element.ts";

export class ResultElement extends DataElement {
  protected get r(): ResultMessages {
    return resultMessagesOf(this.store.state.settings.language);
  }

  /** What was written, in one line; by a statement, where it did not end with an error. */
  protected wordWritten(written: readonly Written[], statement: LeafStatement | null): string {
    const { r, words } = this;
    const told = tellWritten(written, statement).map((one) => {
      const { kind, namespace, readings, from = "" } = one;
      const count = words.number(one.count);
      const unit = one.isOfBuckets ? "written.buckets" : "written.documents";
      const wrote = readings === null ? r[unit](count) : r["written.readings"](words.number(readings), count);
      return r[`written.${kind}`](/indexed$/.test(kind) ? count : wrote, namespace, from);
    });
    return told.join(", ");
  }
}
