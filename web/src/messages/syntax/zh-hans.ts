/** The mistakes in a script's syntax, in Simplified Chinese. */
import type { SyntaxMessages } from "./words.ts";

export const zhHans: SyntaxMessages = {
  unclosed: (bracket, line) => `第 ${line} 行的 ${bracket} 没有闭合。`,
  end: "脚本结束得太早。",
  token: (text) => `这里不该有 ${text}`,
  string: "这段文本没有结束：缺少后引号。",
  template: "这个模板没有结束：缺少后面的 `。",
  regex: "这个正则表达式没有结束：缺少后面的 /。",
  comment: "这段注释没有结束：缺少 */。",
  declared: (name) => `${name} 已经声明过。`,
  assigned: "不能给它赋值。",
  reserved: (name) => `${name} 是语言的保留字，不能作名字。`,
  return: "return 不在函数里面。",
  await: "await 所在的函数不是 async。",
};
