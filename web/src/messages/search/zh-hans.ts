/** The words of the editor's search and replace in Simplified Chinese. */
import type { SearchMessages } from "./words.ts";

export const zhHans: SearchMessages = {
  Find: "查找",
  Replace: "替换为",
  next: "下一个",
  previous: "上一个",
  all: "全部选中",
  "match case": "区分大小写",
  regexp: "正则表达式",
  "by word": "全词匹配",
  replace: "替换",
  "replace all": "全部替换",
  close: "关闭查找",
  "current match": "当前匹配",
  "on line": "在行",
  "replaced match on line $": "已替换第 $ 行的匹配",
  "replaced $ matches": "已替换 $ 处",
  "Go to line": "转到行",
  go: "转到",
};
