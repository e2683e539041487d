/** MiniSearch over plain objects. */
import MiniSearch from "minisearch";

let index;
let all;

export default {
  workload: "texts",
  build(texts) {
    all = texts;
    index = new MiniSearch({ idField: "_id", fields: ["name", "description"], searchOptions: { boost: { name: 3 } } });
    index.addAll(texts);
  },
  search: (words, limit) =>
    index
      .search(words)
      .slice(0, limit)
      .map(({ id, score }) => ({ ...all[id], score })),
};
