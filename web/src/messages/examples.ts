/**
 * The comments of the example scripts in the page's other languages; a script's own are English.
 *
 * Invariant: for each comment of a script one text, in its order (`lessons.test.ts`).
 */
import type { Language } from "../state/settings.ts";

/** A text for each comment, by the example. */
type Comments = Readonly<Record<string, readonly string[]>>;

const chinese: Comments = {
  "garden-shop": [
    "园艺商店：一家小店的数据，以及它的网页要问的问题。",
    "每个分类都带着自己的祖先，所以求路径不需要递归。",
    "没有两件商品共用一个 slug：它就是商品的地址。",
    "单位：分",
    "再次插入相同的 slug 会被拒绝，什么也不会存入。",
    "一个分类下的商品，以及一件商品所属的分类。",
    "一个用户，以及一张订单：订单保留下单时的真实情况。",
    "每人一票：过滤条件拒绝已经投过票的人。",
    "最后一行的值会显示出来。试试表格视图，或换一个标签。",
  ],
  cms: [
    "文章把评论存放在内部，索引可以深入数组。",
    "查找一位作者的文章要花多少代价？比较建索引之前和之后。",
    "数组上的索引，每个元素有一个键，嵌入式文档内部也是如此。",
    "最新的文章，在脚本里与它的作者连接。",
    "最后一个查询的计划。它的树显示在完整的 explain 上方。",
  ],
  "user-actions": [
    "永不增长的日志：固定集合只保留最新的文档。",
    "放入 500 个；放不下的从另一端移出。",
    "不用索引，它们也按写入的顺序返回。",
    "也可以限制数量：最多 100 个文档，无论多小。",
  ],
  "expiring-reviews": [
    "会过期的评论：一小时过后，TTL 索引将它们删除。",
    "不必等待：这个数据库的时钟可以拨快。",
    "不是日期的值永不过期；明天的评论要等到明天。",
  ],
  "traffic-sensors": [
    "同样的测量值，四种存储方式，以及各自占用的空间。",
    "1. 每个事件一个文档，这里每十秒一个。",
    "2. 每分钟一个文档，存放总和与个数：平均值仍然精确。",
    "3. 每分钟一个文档，保留每一秒的值。",
    "4. 每小时一个文档，各分钟嵌套在内。",
    "从每种形式得到相同的平均值。",
  ],
  places: [
    "附近的地点：由近到远、某片城区之内，以及两者的地图。",
    "GeoJSON 中经度在前。地点可以是点、线或面。",
    "哪些地点在这片城区之内，或伸入其中？",
    "有多远？$geoNear 给出从这里算起的米数。",
    "900 米以内的一切，由近到远：用地图查看。",
  ],
  carts: [
    "购物车是把商品存在里面，还是指向它们？",
    "嵌入：一个文档就是整个购物车，价格是放入当天的价格。",
    "引用：先读购物车，再读其中的商品；每件商品都是现在的样子。",
    "新价格立刻反映在引用式购物车里，而嵌入式购物车永远不变。",
    "两者兼得：由数据库解析引用。",
  ],
};

const tables: Readonly<Partial<Record<Language, Comments>>> = { "zh-Hans": chinese };

/** A comment of a script: at the beginning of its line, or behind code and two spaces' worth of text. */
const COMMENT = /(^|\s)\/\/ .*$/gm;

/** The comments of a script, without their slashes. */
export function commentsOf(script: string): readonly string[] {
  return (script.match(COMMENT) ?? []).map((comment) => comment.trim().replace(/^\/\/ /, ""));
}

/** An example's script with its comments in a language. */
export function exampleIn(language: Language, id: string, script: string): string {
  const comments = tables[language]?.[id];
  if (comments === undefined) return script;
  let next = 0;
  return script.replace(COMMENT, (own, before: string) => {
    const text = comments[next++];
    return text === undefined ? own : `${before}// ${text}`;
  });
}
