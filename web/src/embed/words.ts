/**
 * The texts of snippets and embedded playgrounds, in English and Simplified Chinese.
 *
 * Invariants: both tables are complete (the compiler sees to it); kept apart from `messages/`, whose tables are as big
 * as all the rest of the element's script.
 */
import type { Language } from "../state/settings.ts";

const en = {
  script: "Script",
  keys: "Control+Enter runs. Escape leaves the editor.",
  run: "Run",
  stop: "Stop",
  copy: "Copy",
  copyHint: "Copy the script",
  copied: "Copied",
  notCopied: "The browser does not let this page copy.",
  reset: "Reset",
  resetHint: "Bring back the script, and start its database afresh",
  open: "Open in playground",
  openHint: "Open in playground (a new tab)",
  result: "Result",
  example: "Example output",
  loading: "Loading the engine…",
  waiting: "Waiting…",
  running: "Running…",
  setting: "Setting up…",
  stopped: "Stopped",
  failed: "Failed",
  lost: "Stopped. Stopping took the data of this page's snippets with it.",
  nothing: "Done; nothing to show",
  empty: "No documents",
  documents: (count: number, more: boolean): string =>
    count === 1 ? (more ? "first document" : "1 document") : `${more ? "first " : ""}${count} documents`,
  more: "Show more",
  leftOut: (count: number): string =>
    count === 1 ? "1 earlier line is not kept." : `${count} earlier lines are not kept.`,
  took: (millis: number): string => `${millis} ms`,
  place: (line: number, column: number): string => `Line ${line}, column ${column}`,
  line: (line: number): string => `line ${line}`,
  matches: "as on the page",
  differs: "not as on the page",
  difference: "The page shows another output (−) than this run gave (+):",
  missing: "on the page",
  extra: "now",
  noExpected: "This snippet is to be checked, and has no <output> to compare with.",
  views: "Show the result as",
  text: "Text",
  tree: "Tree",
  table: "Table",
  json: "JSON",
  map: "Map",
  absent: "no such field",
  omitted: (count: number): string =>
    count === 1 ? "1 more field does not fit; the tree has it." : `${count} more fields do not fit; the tree has them.`,
  setupFailed: "The setup of this snippet failed.",
  dependencyFailed: (name: string): string => `The snippet “${name}”, which comes before this one, failed.`,
  noElement: (name: string): string => `This page has no element “${name}”.`,
  circle: (name: string): string => `The snippet “${name}” depends on itself.`,
  notLoaded: "The engine could not be loaded.",
  partMissed: "A part of this output could not be loaded.",
  again: "Try again",
  playground: "Quire playground",
  start: "Open the playground",
  startHint: "A database with an editor, in this page",
};

export type Words = typeof en;

const zhHans: Words = {
  script: "脚本",
  keys: "按 Control+Enter 运行，按 Escape 离开编辑器。",
  run: "运行",
  stop: "停止",
  copy: "复制",
  copyHint: "复制脚本",
  copied: "已复制",
  notCopied: "浏览器不允许本页复制。",
  reset: "重置",
  resetHint: "恢复脚本，并清空它的数据库",
  open: "在演练场中打开",
  openHint: "在演练场中打开（新标签页）",
  result: "结果",
  example: "示例输出",
  loading: "正在加载引擎…",
  waiting: "正在等待…",
  running: "正在运行…",
  setting: "正在准备…",
  stopped: "已停止",
  failed: "失败",
  lost: "已停止。本页各片段的数据也随之清空。",
  nothing: "已完成，没有可显示的结果",
  empty: "没有文档",
  documents: (count, more) => (more ? `前 ${count} 个文档` : `${count} 个文档`),
  more: "显示更多",
  leftOut: (count) => `更早的 ${count} 行未保留。`,
  took: (millis) => `${millis} 毫秒`,
  place: (line, column) => `第 ${line} 行，第 ${column} 列`,
  line: (line) => `第 ${line} 行`,
  matches: "与页面所示一致",
  differs: "与页面所示不同",
  difference: "页面所示的输出（−）与本次运行的输出（+）不同：",
  missing: "页面所示",
  extra: "实际输出",
  noExpected: "此片段需要核对输出，但没有可供对照的 <output>。",
  views: "结果的显示方式",
  text: "文本",
  tree: "树",
  table: "表格",
  json: "JSON",
  map: "地图",
  absent: "没有此字段",
  omitted: (count) => `还有 ${count} 个字段放不下，可在树中查看。`,
  setupFailed: "此片段的准备脚本失败。",
  dependencyFailed: (name) => `排在此片段之前的“${name}”失败。`,
  noElement: (name) => `本页没有元素“${name}”。`,
  circle: (name) => `片段“${name}”依赖于自身。`,
  notLoaded: "无法加载引擎。",
  partMissed: "此输出的一部分无法加载。",
  again: "重试",
  playground: "Quire 演练场",
  start: "打开演练场",
  startHint: "本页内的数据库与编辑器",
};

/** The table for a language tag; English for every language that has none. */
export function tableFor(language: string): Language {
  return /^zh(?!-(Hant|TW|HK|MO))/i.test(language) ? "zh-Hans" : "en";
}

/** The words of a language tag. */
export function wordsFor(language: string): Words {
  return { en, "zh-Hans": zhHans }[tableFor(language)];
}

/** The language an element stands in. */
export function languageAt(element: Element): string {
  return element.closest("[lang]")?.getAttribute("lang") ?? "";
}
