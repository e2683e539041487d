/** The words of results in Simplified Chinese. */
import type { ResultMessages } from "./words.ts";

export const zhHans: ResultMessages = {
  gone: "已删除",
  "gone.count": (count) => `已删除 ${count} 个`,
  "array.documents": (count) => `${count} 个文档`,
  "array.values": (count) => `${count} 个值`,

  again: "重新运行",
  lost: "此值过大，页面重新加载时未能保留。",
  "ended.cut": (kept, all) => `已取回 ${all} 个文档，重新加载后只保留了其中 ${kept} 个。`,
  "ended.more": "还有更多文档未取回：重新加载后游标已关闭。",

  "column.menu": (name) => `列 ${name}`,
  "column.up": "升序排列",
  "column.down": "降序排列",
  "column.unsorted": "恢复原来的顺序",
  "column.pin": "固定在左侧",
  "column.unpin": "取消固定",
  "column.hide": "隐藏",
  "column.wider": "加宽",
  "column.narrower": "变窄",
  "column.fit": "适应内容宽度",
  "sorted.up": (column) => `按 ${column} 升序排列。`,
  "sorted.down": (column) => `按 ${column} 降序排列。`,
  "sorted.fetched": (count) => `仅排列了已取回的 ${count} 个文档。`,
  "sorted.ask": "按此顺序重新运行",
  "hidden.count": (count) => `已隐藏 ${count} 列：`,
  "hidden.show": (column) => `显示列 ${column}`,
};
