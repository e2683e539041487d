/** What the line above a result says of how it was answered, in Simplified Chinese. */
import type { en } from "./insight-en.ts";

export const zhHans: typeof en = {
  "insight.title": "答案是怎样得到的",
  "insight.asking": "正在询问查询计划…",
  "insight.refused": (message) => `无法得到查询计划：${message}`,
  "insight.covered": (index) => `只靠索引 ${index} 就回答了，没有打开任何文档。`,
  "insight.counted": (index, count) => `沿索引 ${index} 走过 ${count} 个键来计数，没有打开任何文档。`,
  "insight.distinct": (index, count) => `在索引 ${index} 中逐值跳跃，看了 ${count} 个键。`,
  "insight.counter": "集合自己记着文档数，什么也不用读。",
  "insight.by-id": "已知 _id，一步直达该文档。",
  "insight.by-key": (index) => `通过索引 ${index}，一步直达该文档。`,
  "insight.by-id-missing": "按 _id 查了一次，没有这个文档。",
  "insight.exact": (index) => `索引 ${index} 直接找到所需的文档，没有多读。`,
  "insight.exact-keys": (index, count, read) =>
    `检查了索引 ${index} 的 ${count} 个键，对应 ${read} 个文档，每个只读一次。`,
  "insight.exact-keys.many": (index, count, read) =>
    `检查了几个索引（${index}）的 ${count} 个键，对应 ${read} 个文档，每个只读一次。`,
  "insight.exact.many": (index) => `几个索引（${index}）直接找到所需的文档，没有多读。`,
  "insight.ordered": (index, read) => `为取得顺序走过索引 ${index}：读取 ${read} 个文档，无需排序。`,
  "insight.index-and-more": (index, read, found) => `索引 ${index} 把范围缩到 ${read} 个文档，其中 ${found} 个匹配。`,
  "insight.index-none": (index) => `在索引 ${index} 中查了一次，没有这样的键。`,
  "insight.whole": (read) => `读取了全部 ${read} 个文档，因为每一个都需要。`,
  "insight.part": (read) => `只需按存储顺序读取最前面的 ${read} 个文档。`,
  "insight.scan": (read, found) => `读取了全部 ${read} 个文档才找到 ${found} 个：没有索引能帮上这个查询。`,
  "insight.scan-part": (read, found) => `按存储顺序读到有 ${found} 个匹配为止：读取 ${read} 个文档，没有用索引。`,
  "insight.clustered": (read) => `集合按 _id 的顺序存放：读取 ${read} 个文档。`,
  "insight.planned-index": (index) => `会通过索引 ${index} 查找。`,
  "insight.planned-scan": "会读取每一个文档：没有索引能帮上这个查询。",
  "insight.nothing": "什么也不用读：不可能有匹配的文档。",
  "insight.empty": "没有可读的文档。",
  "insight.made": "没有读取任何集合。",
  "insight.noIndexName": "在用",

  "note.sorted": (count) => `${count} 个文档在内存中排序。`,
  "note.sorted.kept": (count, kept) => `${count} 个文档经过内存排序，只保留前 ${kept} 个。`,
  "note.sorted.planned": "会在内存中排序。",
  "note.spilled": "内存不够，用了临时页。",
  "note.skipped": (count) => `其中跳过 ${count} 个。`,
  "note.repeated": (count) => `有 ${count} 个键指向已见过的文档。`,
  "note.sampled": (size, of) => `从 ${of} 个中随机抽取 ${size} 个。`,
  "note.joined": (collection, count, read, index) =>
    `通过 ${index} 在 ${collection} 中查了 ${count} 次，读取 ${read} 个文档。`,
  "note.joined.scans": (collection, count, read) => `${collection} 被整个读了 ${count} 遍，共 ${read} 个文档。`,
  "note.failed": (message) => `没有运行到底：${message}`,

  "since.first": (sentence) => `第一批：${sentence}`,
  "since.more": (count, keysRead, read) => `之后的 ${count} 个：检查了 ${keysRead} 个键、${read} 个文档。`,
  "since.drawn": "图中画的是第一批。",

  "figure.keys": (count) => `${count} 个键`,
  "figure.documents": (count) => `${count} 个文档`,
  "figure.pages": (count) => `${count} 页`,
  "figure.pages.most": (count) => `最多 ${count} 页`,
  "figure.returned": (count) => `返回 ${count} 个`,
  "figure.label": "已检查与已返回",

  "insight.suggest": "能帮上忙的索引：",
  "insight.suggest.branches": (one) =>
    one ? "$or 的每个分支都需要索引，其中一个还没有：" : "$or 的每个分支都需要索引，这些还没有：",
  "insight.try": "写入脚本",
  "insight.open": "运行过程",
  "insight.pipeline": "逐个阶段看管道",
  "insight.ring": "以环形看集合",
  "insight.dial": "文档何时过期",
  "insight.compare": "在分叉上比较",
  "insight.pages": "它读取的页",
};
