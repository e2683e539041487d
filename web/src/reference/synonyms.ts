/**
 * What learners ask for, in English and in Chinese, with the entries that answer: "group by" is called `$group`.
 *
 * Invariants: pure; a line is the questions, a colon, and the entries with the best first; `search.test.ts` holds that
 * every entry named is there. Words of an entry's own name or sentence are found without a line here.
 */
const LINES = `
group by | grouping | aggregate by | 分组 | 按字段分组 | 分组统计: stage/$group stage/$sortByCount
count by | count per group | 分组计数: stage/$sortByCount stage/$group
sum | total | add up | 求和 | 合计 | 总和: accumulator/$sum expression/$sum stage/$group
average | mean | 平均 | 平均值 | 求平均: accumulator/$avg expression/$avg
increment | counter | add to a number | plus one | 加一 | 自增 | 递增 | 计数器: update/$inc
decrement | subtract from | 减一 | 递减: update/$inc
ttl | ttl index | expire | expire documents | time to live: index/expireAfterSeconds
auto delete | 过期 | 自动删除 | ttl 索引 | 过期时间: index/expireAfterSeconds
array contains | contains | list contains | value in array: query/$all query/$elemMatch query/$in
数组包含 | 数组中包含 | 包含某个元素: query/$all query/$elemMatch query/$in
any of | one of | in list | 属于 | 多个值之一: query/$in
pagination | paging | page | next page: cursor/cursor.limit() cursor/cursor.skip() stage/$skip stage/$limit
分页 | 翻页 | 下一页: cursor/cursor.limit() cursor/cursor.skip() stage/$skip stage/$limit
unique index | unique | no duplicates | unique constraint | 唯一索引 | 唯一 | 唯一约束: index/unique
capped collection | ring buffer | fixed size | 固定集合 | 固定大小集合 | 封顶集合: option/capped command/convertToCapped
join | left join | join collections | lookup | 关联 | 联表 | 连接查询 | 多表查询: stage/$lookup stage/$unionWith
union | combine collections | 合并集合 | 并集: stage/$unionWith expression/$setUnion
order by | sort by | sorting | 排序 | 升序 | 降序: cursor/cursor.sort() stage/$sort
limit results | top n | first n | 前几个 | 前几条 | 限制数量: cursor/cursor.limit() stage/$limit
distinct values | unique values | deduplicate | 去重 | 不同的值: collection/db.collection.distinct() stage/$group
like | wildcard search | starts with | text match | 模糊查询 | 模糊匹配 | 正则: query/$regex expression/$regexMatch
between | range | 范围 | 范围查询 | 区间: query/$gte query/$lte
not equal | different from | 不等于: query/$ne
greater than | more than | larger | 大于: query/$gt query/$gte
less than | smaller | 小于: query/$lt query/$lte
is null | missing field | field exists | has field | 字段存在 | 为空 | 缺少字段: query/$exists
insert or update | upsert | create if missing | 不存在则插入 | 存在则更新: update/upsert update/$setOnInsert
append to array | add to array | push | 追加到数组 | 数组追加 | 添加元素: update/$push update/$addToSet
remove from array | delete from array | 从数组删除 | 删除元素: update/$pull update/$pop
update array element | change one element | 更新数组元素 | 修改数组元素: update/$[<identifier>] update/$ update/arrayFilters
rename field | rename a field | 重命名字段 | 字段改名: update/$rename
remove field | delete field | drop column | 删除字段 | 去掉字段: update/$unset stage/$unset
add column | add field | computed field | 新增字段 | 添加字段 | 计算字段: stage/$addFields update/$set
select fields | select columns | only some fields | 选择字段 | 返回部分字段 | 只返回字段: projection/inclusion stage/$project
flatten array | explode array | unwind | 展开数组 | 拆分数组: stage/$unwind
if then else | if else | case when | conditional | condition | 条件 | 条件判断 | 如果: expression/$cond expression/$switch
conditional count | count if | sumif | 条件计数 | 条件求和: expression/$cond accumulator/$sum
default value | coalesce | if null | nvl | 默认值 | 空值替换: expression/$ifNull
format date | date to string | date format | 日期格式 | 日期转字符串 | 格式化日期: expression/$dateToString
parse date | string to date | 字符串转日期 | 解析日期: expression/$dateFromString expression/$toDate
time zone | timezone | 时区: expression/$dateToString expression/$dateTrunc
days between | date difference | 日期差 | 相差几天: expression/$dateDiff
current time | now | timestamp on update | 当前时间: update/$currentDate global/ISODate()
concatenate | join strings | concat | 拼接 | 字符串拼接 | 连接字符串: expression/$concat
length of array | array size | count elements | 数组长度 | 元素个数: query/$size expression/$size
length of string | string length | 字符串长度: expression/$strLenCP
upper case | lower case | 大写 | 小写: expression/$toUpper expression/$toLower
case insensitive | ignore case | 不区分大小写 | 忽略大小写: option/collation index/collation
explain plan | query plan | slow query | why slow: collection/db.collection.explain() command/explain
执行计划 | 查询计划 | 慢查询: collection/db.collection.explain() command/explain
create table | new collection | 建表 | 创建集合: collection/db.collection.insertOne() database/db.createCollection()
drop table | delete collection | 删除集合 | 删表: collection/db.collection.drop()
rename collection | rename table | 重命名集合 | 集合改名: collection/db.collection.renameCollection()
delete all | truncate | empty collection | 清空集合 | 删除所有: collection/db.collection.deleteMany()
validation | schema | json schema | constraint | required fields | 校验 | 模式校验 | 约束: option/validator query/$jsonSchema
view | create view | 视图 | 创建视图: database/db.createView() option/viewOn
bulk | batch insert: collection/db.collection.bulkWrite() collection/db.collection.insertMany()
many writes | insert many: collection/db.collection.bulkWrite() collection/db.collection.insertMany()
批量 | 批量写入 | 批量插入: collection/db.collection.bulkWrite() collection/db.collection.insertMany()
transaction | commit | rollback | 事务 | 提交 | 回滚: command/commitTransaction command/abortTransaction
tree | hierarchy | recursive | graph | 树 | 递归 | 层级: stage/$graphLookup
nearest | nearby | distance | near me | 附近 | 最近 | 距离: query/$near stage/$geoNear index/kind:2dsphere
location | gps | 位置: query/$near stage/$geoNear index/kind:2dsphere
within area | point in polygon | map | 区域内 | 多边形 | 地图: query/$geoWithin query/$geoIntersects
geo | geospatial | spatial | location query | where on the map: query/$geoWithin query/$near index/kind:2dsphere
地理 | 地理位置 | 地理空间 | 空间查询: query/$geoWithin query/$near index/kind:2dsphere
geojson | longitude | latitude | coordinates: index/kind:2dsphere query/$near query/$geoWithin query/$geoIntersects
经度 | 纬度 | 经纬度 | 坐标: index/kind:2dsphere query/$near query/$geoWithin query/$geoIntersects
legacy | legacy coordinates | coordinate pair | planar: index/kind:2d query/$near query/$geoWithin
传统坐标 | 旧式坐标 | 坐标对 | 平面坐标: index/kind:2d query/$near query/$geoWithin
geospatial index | geo index | sphere | spherical | 地理索引 | 空间索引: index/kind:2dsphere index/kind:2d
polygon | circle | radius | rectangle | 圆形 | 半径 | 矩形: query/$geoWithin query/$geoIntersects
metres | meters | kilometres | kilometers | miles | 公里 | 千米 | 方圆: query/$near stage/$geoNear
full text | fulltext | full-text search | text search | search: query/$text index/kind:text stage/$search
keyword | keywords | search words | atlas search: query/$text index/kind:text stage/$search
全文 | 全文搜索 | 全文检索 | 文本搜索 | 搜索 | 检索 | 关键词: query/$text index/kind:text stage/$search
full text index | 全文索引 | 文本索引: index/kind:text query/$text
$search | stage search: stage/$search query/$text index/kind:text
phrase | exact phrase | 短语: query/$text
stemming | stemmer | 词干 | 分词: index/default_language index/kind:text
relevance | text score | 相关度 | 相关性: projection/$meta query/$text
time series | sensor data | readings | measurements | iot: option/timeseries database/db.createCollection()
时间序列 | 时序 | 传感器 | 测量值 | 粒度: option/timeseries database/db.createCollection()
random document | random sample | sample | 随机 | 随机抽样 | 抽样: stage/$sample
running total | moving average | window function | over | 累计 | 移动平均 | 窗口函数: stage/$setWindowFields
rank | row number | 排名 | 行号: window/$rank window/$documentNumber
histogram | buckets | 直方图 | 分桶: stage/$bucket stage/$bucketAuto
compound index | index on two fields | 复合索引 | 联合索引: index/kind:compound
partial index | index with condition | 部分索引 | 条件索引: index/partialFilterExpression
list indexes | show indexes | 查看索引 | 列出索引: collection/db.collection.getIndexes()
drop index | delete index | 删除索引: collection/db.collection.dropIndex()
watch changes | trigger | change stream | 监听变更 | 变更流 | 触发器: collection/db.collection.watch() stage/$changeStream
atomic counter | sequence | auto increment: collection/db.collection.findOneAndUpdate() update/$inc
autoincrement | 自增编号 | 序列: collection/db.collection.findOneAndUpdate() update/$inc
convert type | cast | to number | string to number | 类型转换 | 转换类型 | 字符串转数字: expression/$convert expression/$toInt
tail | follow | tailable cursor | 可追加游标: cursor/cursor.tailable() option/tailable
javascript condition | where | 脚本条件: query/$where
money | decimal | exact numbers | 金额 | 小数 | 十进制: global/Decimal128()
`;

/** The entries that answer each question. */
export const answers: ReadonlyMap<string, readonly string[]> = new Map(
  LINES.trim()
    .split("\n")
    .flatMap((line) => {
      const at = line.lastIndexOf(": ");
      const ids = line.slice(at + 2).split(" ");
      return line
        .slice(0, at)
        .split(" | ")
        .map((question) => [question, ids] as const);
    }),
);

/** A question as it is asked is answered first; one whose beginning or whose words are there, after that. */
const ASKED = 1000;
const BEGUN = 500;
const WITHIN = 250;
/** An entry's place among those that answer. */
const PLACE = 5;
/** Chinese is written without spaces: so many letters of it are a word. */
const LEAST = { latin: 3, han: 2 };

/** How well each entry answers a query, by its id; entries that no question leads to are left out. */
export function answersTo(query: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const asked = query.toLowerCase().trim().replace(/\s+/g, " ");
  const least = /\p{Script=Han}/u.test(asked) ? LEAST.han : LEAST.latin;
  if (asked.length < least) return found;
  for (const [question, ids] of answers) {
    const inWords = ` ${asked} `.includes(` ${question} `) || (least === LEAST.han && asked.includes(question));
    const score = question === asked ? ASKED : question.startsWith(asked) ? BEGUN : inWords ? WITHIN : 0;
    if (score === 0) continue;
    // A longer question that stands in the query says more than a shorter one.
    const exact = score === WITHIN ? question.length : 0;
    for (const [place, id] of ids.entries()) found.set(id, Math.max(found.get(id) ?? 0, score + exact - place * PLACE));
  }
  return found;
}
