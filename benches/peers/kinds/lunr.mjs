/** lunr over plain objects. */
import lunr from "lunr";

let index;
let all;

export default {
  workload: "texts",
  build(texts) {
    all = texts;
    index = lunr(function () {
      this.ref("_id");
      this.field("name", { boost: 3 });
      this.field("description");
      for (const text of texts) this.add(text);
    });
  },
  search: (words, limit) =>
    index
      .search(words)
      .slice(0, limit)
      .map(({ ref, score }) => ({ ...all[ref], score })),
};
