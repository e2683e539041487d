/** The words of results in Simplified Chinese. */
import type { ResultMessages } from "./words.ts";

export const zhHans: ResultMessages = {
  gone: "已删除",
  "gone.count": (count) => `已删除 ${count} 个`,
  "array.documents": (count) => `${count} 个文档`,
  "array.values": (count) => `${count} 个值`,
};
