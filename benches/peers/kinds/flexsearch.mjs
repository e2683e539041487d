/** FlexSearch over plain objects; it has no scores, and a text with all words comes before those with some. */
import { Document } from "flexsearch";

let index;
let all;

export default {
  workload: "texts",
  build(texts) {
    all = texts;
    index = new Document({ document: { id: "_id", index: ["name", "description"] } });
    for (const text of texts) index.add(text);
  },
  search: (words, limit) =>
    index
      .search(words, { limit, suggest: true, merge: true })
      .slice(0, limit)
      .map(({ id }) => all[id]),
};
