/** What is likely to be wrong in a command that ran, and why nothing was found, in Simplified Chinese. */
import type { DoubtMessages } from "./words.ts";

export const zhHans: DoubtMessages = {
  title: "可能有误之处",
  unknown: (path) => `没有任何文档含有 ${path}。`,
  "unknown.seen": (path, count) => `前 ${count} 个文档都没有 ${path}。`,
  "unknown.of": (path, collection) => `${collection} 中没有任何文档含有 ${path}。`,
  "unknown.seen.of": (path, count, collection) => `${collection} 的前 ${count} 个文档都没有 ${path}。`,
  "unknown.collection": (collection) => `没有名为 ${collection} 的集合。`,
  similar: (right, types) => (types === "" ? `你是否想写 ${right}？` : `你是否想写 ${right}（${types}）？`),
  noDollar: (bare, operator) => `${bare} 被当作字段名。运算符应写作 ${operator}。`,
  type: (path, found, types) => `${path} 是 ${types}，从来不是 ${found}：不同类型的值不会相互比较。`,
  list: (path, types) => `${path} 是 ${types}，从来不是 Array。要匹配多个值之一，请用 $in。`,
  whole: (path, inner) => `${path} 会与这个文档整体比较，包括所有字段及其顺序。只匹配一个字段时请写 ${inner}。`,
  constant: (text) => `${text} 在这里是文本。字段的值要以 $ 开头。`,
  "constant.unknown": (text) => `${text} 在这里是文本，对每个文档都相同。`,
  "constant.counted": (operator, text) => `${text} 在这里是文本，而 ${operator} 只计算数字。字段的值要以 $ 开头。`,
  unsegmented: (text, filter) =>
    `文本索引只按空格和标点分词，所以只有独立出现的 ${text} 才能找到。可以把关键词存为数组，再按其中一个查找：${filter}`,
  function: "箭头函数不是过滤条件：它没有被调用，所有文档都被选中。",
  or: " 或 ",
  "a.type": (type) => type,
  mend: (right) => `改为 ${right}`,
  "mend.all": "全部改正",
  "mend.run": (mend) => `${mend} 并运行`,
  mended: "脚本会写入数据，因此没有再次运行。",
  gone: "脚本已与运行时不同，因此没有替换。",
  alone: (documents) => `共 ${documents} 个文档，每个条件单独匹配`,
  "alone.of": "每个条件单独匹配",
  uncounted: "未知：计数用时过长",
  together: "每个条件都能找到文档，但没有文档同时满足全部条件。",
  more: (count) => `另有 ${count} 个条件未计数。`,
};
