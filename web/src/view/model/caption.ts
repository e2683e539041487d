/** The line below a collection's name: how many documents it has, and of which sort it is. */
import type { Words } from "../../messages/messages.ts";
import type { ModelMessages } from "../../messages/model/words.ts";
import type { ModelCollection } from "../../state/model-view/model.ts";

export function captionOf(
  t: ModelMessages,
  words: Pick<Words, "number" | "one">,
  { kind, source, count, documents, isWhole, failure }: ModelCollection,
): string {
  if (failure !== null) return t["box.failed"];
  const all = t["box.documents"](words.number(count), words.one(count));
  const counted = isWhole ? all : t["box.sample"](all, words.number(documents));
  switch (kind) {
    case "capped":
      return t["box.capped"](counted);
    case "timeseries":
      return t["box.timeseries"](counted);
    case "view":
      return t["box.view"](counted, source ?? "");
    case "collection":
      return counted;
  }
}
