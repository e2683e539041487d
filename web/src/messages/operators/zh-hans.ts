/**
 * One line in Simplified Chinese on each `$` operator and each of the shell's methods; see `en.ts` for how the lines
 * are written.
 *
 * Invariant: names of operators, options and variables stay as they are typed.
 */
import type { OperatorTexts } from "./texts.ts";

export const zhHans: OperatorTexts = {
  kinds: {
    query: "查询",
    update: "更新",
    stage: "阶段",
    accumulator: "累加器",
    window: "窗口",
    expression: "表达式",
    database: "数据库方法",
    collection: "集合方法",
    cursor: "游标方法",
    explain: "执行计划",
    quire: "quire 的方法",
  },
  example: "示例",
  more: "参考手册",

  query: `
$all 数组包含列出的每一个值，顺序不限。
$alwaysFalse 没有文档匹配，写作 $alwaysFalse: 1。
$alwaysTrue 所有文档都匹配，写作 $alwaysTrue: 1。
$and 所有条件都成立。
$bitsAllClear 数字中指定的位全部为 0。
$bitsAllSet 数字中指定的位全部为 1。
$bitsAnyClear 指定的位中至少有一位为 0。
$bitsAnySet 指定的位中至少有一位为 1。
$comment 随查询进入日志的说明，不影响结果。
$elemMatch 数组中有同一个元素满足所有这些条件。
$eq 等于该值，或数组包含该值。
$exists true：字段存在，值为 null 也算；false：字段不存在。
$expr 结果须为真的聚合表达式，可比较同一文档的两个字段。
$geoIntersects 位置与该图形有公共点。
$geoNear 由近到远；$near 的旧名称。
$geoWithin 位置在该图形之内。
$gt 大于该值，只与同类型的值比较。
$gte 大于或等于该值，只与同类型的值比较。
$in 等于列出的某个值，或匹配列出的某个正则表达式。
$jsonSchema 文档符合给出的 JSON Schema。
$lt 小于该值，只与同类型的值比较。
$lte 小于或等于该值，只与同类型的值比较。
$mod [除数, 余数]：数字除以除数得到该余数。
$ne 不等于该值；缺少字段的文档也算。
$near 从该点由近到远；字段上需要 2dsphere 或 2d 索引。
$nearSphere 在球面上从该点由近到远；字段上需要 2dsphere 或 2d 索引。
$nin 不等于列出的任何值；缺少字段的文档也算。
$nor 所有条件都不成立。
$not 该字段的条件不成立；缺少字段的文档也算。
$options $regex 的选项：i 不分大小写，m 按行匹配首尾，s 让点匹配换行，x 允许空白。
$or 至少有一个条件成立。
$regex 字符串匹配该正则表达式。
$sampleRate 以 0 到 1 的概率选取每个文档。
$size 数组的元素个数恰好为该值。
$text 集合的文本索引中，该文档的文本含有所查找的词。
$type 值属于该 BSON 类型，可写名称或编号，也可列出多个。
$where 由 JavaScript 函数或表达式判断，this 为文档；较慢，用不上索引。
$within 位置在该图形之内；$geoWithin 的旧名称。`,

  update: `
$addToSet 数组中没有该值时将其加入；配合 $each 可加多个。
$bit 对整数字段做 and、or、xor 按位运算。
$currentDate 将字段设为当前时间，存为日期或时间戳。
$each 供 $push 或 $addToSet 逐个加入的值。
$inc 给字段加上一个数；缺少的字段从 0 算起。
$max 给出的值大于现有值时才写入字段。
$min 给出的值小于现有值时才写入字段。
$mul 将字段乘以一个数；缺少的字段变为 0。
$pop 从数组取下一个元素：1 为末尾，-1 为开头。
$position $push 配合 $each 时插入的位置；负数从末尾数起。
$pull 删除数组中等于某值或满足条件的所有元素。
$pullAll 删除数组中等于任一列出值的所有元素。
$push 在数组末尾添加值；可配合 $each、$sort、$slice、$position。
$rename 给字段改名。
$set 将字段设为该值，没有则新建。
$setOnInsert 仅在 upsert 插入新文档时设置字段。
$slice $push 配合 $each 后只保留前若干个元素，负数则保留末尾若干个。
$sort $push 配合 $each 后给数组排序：1、-1，或按元素的字段。
$unset 删除字段。`,

  stage: `
$_internalRank 把每个文档放入一个字段，并附上名次；$rankFusion 的 explain 会显示它。
$_internalUnpackBucket 给出时间序列各个桶里的测量值；explain 会显示它。
$addFields 用计算值新增或替换字段，其余字段保留。
$bucket 按给定的边界把文档分到各个区间。
$bucketAuto 把文档自动分成若干个大小相近的区间。
$changeStream 为每次变更给出一个事件；必须是第一个阶段。
$changeStreamSplitLargeEvent 拆分超过文档大小上限的事件；必须是最后一个阶段。
$collStats 给出集合的数量和大小；必须是第一个阶段。
$count 输出一个文档，以该字段名给出文档数。
$currentOp 列出服务器正在做的事；在 admin 数据库上，必须是第一个阶段。
$densify 用新文档补上数字或日期序列中的空缺。
$documents 以写在管道里的文档开始，不用集合。
$facet 对同一批文档运行多条管道，各自存入一个数组字段。
$fill 用固定值、最近的值或插值填补 null 和缺少的字段。
$geoNear 由近到远给出文档，并写入距离；只能是管道的第一个阶段。
$graphLookup 在集合中逐步追踪关联，收集到达的所有文档。
$group 把 _id 相同的文档归为一组，并对每组做累加。
$indexStats 给出每个索引被使用的次数；必须是第一个阶段。
$limit 只让前若干个文档通过。
$listClusterCatalog 列出数据库的集合及其选项；必须是第一个阶段。
$listLocalSessions 列出本服务器知道的会话；必须是第一个阶段。
$listSessions 列出存储的会话，用于 config.system.sessions；必须是第一个阶段。
$lookup 关联另一个集合，把匹配的文档放入数组字段。
$match 只让符合条件的文档通过；放在管道前部可使用索引。
$merge 把结果写入集合：插入、合并、替换或报错，由选项决定。
$out 用结果替换一个集合；必须是最后一个阶段。
$planCacheStats 列出集合缓存的查询计划；必须是第一个阶段。
$project 选取、去掉或计算要传下去的字段。
$querySettings 列出各查询形状的设置；必须是第一个阶段，且聚合不针对任何集合。
$rankFusion 合并多个有序的管道：文档在各管道中排得越靠前，得分越高。
$redact 以 $$KEEP、$$PRUNE 或 $$DESCEND 决定文档每一层的去留。
$replaceRoot 用嵌入的或计算出的文档 newRoot 替换每个文档。
$replaceWith 用该文档替换每个文档，是 $replaceRoot 的简写。
$sample 随机抽取若干个文档。
$score 给每个文档一个得分，用 { $meta: "score" } 读取。
$scoreFusion 合并多个有得分的管道，取得分的平均值或用表达式计算。
$set 用计算值新增或替换字段，与 $addFields 相同。
$setMetadata 为每个文档附上得分或得分详情；混合检索的 explain 会显示它。
$setWindowFields 逐个分区在相邻文档的窗口上计算，每个文档都保留。
$skip 跳过前若干个文档。
$sort 按字段给文档排序：1 升序，-1 降序。
$sortByCount 按值统计文档数，从多到少输出。
$unionWith 接上另一个集合或管道的文档。
$unset 去掉这些字段。
$unwind 把数组字段的每个元素展开成一个文档。`,

  accumulator: `
$accumulator 由 JavaScript 函数 init、accumulate、merge、finalize 算出的值。
$addToSet 组内不重复的值组成的数组，顺序不定。
$avg 数字的平均值，忽略非数字。
$bottom 按 sortBy 排序后最后一个文档的输出。
$bottomN 按 sortBy 排序后最后 n 个文档的输出。
$concatArrays 按文档到来的顺序，把所有数组的元素接成一个数组。
$count 文档数，写作 $count: {}。
$first 组内第一个文档的值。
$firstN 组内前 n 个文档的值。
$last 组内最后一个文档的值。
$lastN 组内最后 n 个文档的值。
$max 最大值，忽略 null 和缺少的值。
$maxN 最大的 n 个值，从大到小。
$median 数字的中位数，结果为 double。
$mergeObjects 把所有字段合并成一个文档，同名时后者优先。
$min 最小值，忽略 null 和缺少的值。
$minN 最小的 n 个值，从小到大。
$percentile 数字在各百分位 p 上的值，p 取 0 到 1。
$push 所有值组成的数组，按文档到来的顺序。
$setUnion 所有数组中不重复的元素，顺序不定。
$stdDevPop 标准差，把这些数字当作总体。
$stdDevSamp 标准差，把这些数字当作样本。
$sum 数字之和；$sum: 1 可统计文档数。
$top 按 sortBy 排序后第一个文档的输出。
$topN 按 sortBy 排序后前 n 个文档的输出。`,

  window: `
$covariancePop 窗口内两个数值的总体协方差。
$covarianceSamp 窗口内两个数值的样本协方差。
$denseRank 名次；并列者名次相同，其后不留空名次。
$derivative 窗口内的平均变化率，可按时间单位计算。
$documentNumber 文档在分区内的序号，从 1 开始。
$expMovingAvg 指数移动平均，权重由文档数 N 或 alpha 决定。
$integral 窗口内数值曲线下的面积，可按时间单位计算。
$linearFill 在前后已知值之间按直线填补 null 和缺少的值。
$locf 用最近的已知值填补 null 和缺少的值。
$minMaxScaler 该数在窗口内最小值（0）与最大值（1）之间的位置。
$rank 名次；并列者名次相同，其后空出相应的名次。
$shift 取本文档之后（负数为之前）若干个位置的文档的值。`,

  expression: `
$abs 数字的绝对值。
$acos 反余弦，单位为弧度。
$acosh 反双曲余弦。
$add 数字之和，或把日期后移若干毫秒。
$allElementsTrue 数组中是否没有 false、0、null 或 undefined。
$and 是否全部为真。
$anyElementTrue 数组中是否有元素为真。
$arrayElemAt 数组中某个下标的元素，负数从末尾数起。
$arrayToObject 由 [名, 值] 对或 { k, v } 文档的数组得到文档。
$asin 反正弦，单位为弧度。
$asinh 反双曲正弦。
$atan 反正切，单位为弧度。
$atan2 y / x 的反正切，单位为弧度，并按象限取值。
$atanh 反双曲正切。
$avg 列出的数字或数组中数字的平均值，忽略非数字。
$binarySize 字符串按 UTF-8 计或二进制数据的字节数。
$bitAnd 整数按位与。
$bitNot 整数按位取反。
$bitOr 整数按位或。
$bitXor 整数按位异或。
$bsonSize 文档编码为 BSON 后的字节数。
$ceil 向上取整。
$cmp 前者小于、等于、大于后者时分别为 -1、0、1。
$concat 把字符串依次连接；有 null 则为 null。
$concatArrays 把数组依次连接；有 null 则为 null。
$cond 按条件在两个值中选一个：if、then、else。
$const 原样的值，与 $literal 相同。
$convert 把值转换为另一种类型，可用 onError 和 onNull 兜底。
$cos 角的余弦，角以弧度计。
$cosh 双曲余弦。
$createObjectId 新的 ObjectId，每个文档各不相同。
$currentDate 求值那一刻的时间；$$NOW 在整个命令中不变。
$dateAdd 把日期向后移若干个单位。
$dateDiff 两个日期之间跨过多少个单位的分界。
$dateFromParts 由年、月、日等或 ISO 周组成日期。
$dateFromString 把字符串解析为日期，可指定格式。
$dateSubtract 把日期向前移若干个单位。
$dateToParts 把日期拆成年、月、日等字段的文档。
$dateToString 按格式和时区把日期写成字符串。
$dateTrunc 把日期截到一个或若干个单位的起点。
$dayOfMonth 当月的第几天，1 到 31。
$dayOfWeek 星期几，1（星期日）到 7（星期六）。
$dayOfYear 当年的第几天，1 到 366。
$degreesToRadians 把角度换算为弧度。
$deserializeEJSON Extended JSON 所表示的值。
$divide 前者除以后者的商。
$eq 两个值是否相等。
$exp e 的这个数次幂。
$filter 数组中使 cond 为真的元素。
$first 数组的第一个元素。
$firstN 数组的前 n 个元素。
$floor 向下取整。
$function JavaScript 函数对这些参数的返回值。
$getField 按名称取文档的字段，名称带点或以美元符号开头也可以。
$gt 前者是否大于后者。
$gte 前者是否大于或等于后者。
$hash 字符串或字节的摘要，结果为字节：md5、sha256 或 xxh64。
$hexHash 字符串或字节的摘要，结果为十六进制数字：md5、sha256 或 xxh64。
$hour 小时，0 到 23。
$ifNull 第一个既不是 null 也不缺少的值。
$in 数组是否包含该值。
$indexOfArray 值在数组中首次出现的下标，没有则为 -1。
$indexOfBytes 子串首次出现的位置，按 UTF-8 字节计，没有则为 -1。
$indexOfCP 子串首次出现的位置，按码点计，没有则为 -1。
$isArray 值是否为数组。
$isNumber 值是否为 int、long、double 或 decimal。
$isoDayOfWeek ISO 星期几，1（星期一）到 7（星期日）。
$isoWeek ISO 周数，1 到 53。
$isoWeekYear ISO 周所属的年份。
$last 数组的最后一个元素。
$lastN 数组的最后 n 个元素。
$let 用 vars 给值命名，供 in 使用。
$literal 原样的值，不解释美元符号。
$ln 自然对数。
$log 数字以给定底数的对数。
$log10 以 10 为底的对数。
$lt 前者是否小于后者。
$lte 前者是否小于或等于后者。
$ltrim 去掉字符串开头的空白或指定字符。
$map 对每个元素计算 in，组成新数组。
$max 列出的值或数组中的最大值。
$maxN 数组中最大的 n 个元素。
$median 数字的中位数，结果为 double。
$mergeObjects 把多个文档合并成一个，同名时后者优先。
$meta 文档之外该行的信息：recordId、indexKey、sortKey 或 randVal。
$millisecond 毫秒，0 到 999。
$min 列出的值或数组中的最小值。
$minN 数组中最小的 n 个元素。
$minute 分钟，0 到 59。
$mod 前者除以后者的余数。
$month 月份，1 到 12。
$multiply 数字的乘积。
$ne 两个值是否不同。
$not 取反：值是否不为真。
$objectToArray 把文档的字段变成 { k, v } 文档的数组。
$or 是否至少有一个为真。
$percentile 数字在各百分位 p 上的值，p 取 0 到 1。
$pow 数字的乘方。
$radiansToDegrees 把弧度换算为角度。
$rand 0 到 1（不含）的随机数，每次不同。
$range 从起点到终点（不含）按步长排列的整数。
$reduce 把数组归并为一个值：逐个元素对 $$value 和 $$this 计算 in。
$regexFind 正则表达式的第一个匹配：match、idx、captures；没有则为 null。
$regexFindAll 正则表达式的所有匹配，各有 match、idx、captures。
$regexMatch 字符串是否匹配正则表达式。
$replaceAll 替换字符串中出现的每一处 find。
$replaceOne 替换字符串中第一处 find。
$reverseArray 把数组前后颠倒。
$round 舍入到若干位小数，恰为一半时取偶数。
$rtrim 去掉字符串末尾的空白或指定字符。
$second 秒数，0 到 60。
$serializeEJSON 值的 Extended JSON 形式；relaxed: false 标明每个数的类型。
$setDifference 在第一个集合而不在第二个集合中的元素。
$setEquals 各数组不重复的元素是否相同。
$setField 设置文档的字段，名称带点或以美元符号开头也可以。
$setIntersection 所有集合共有的元素。
$setIsSubset 第一个集合的元素是否都在第二个集合中。
$setUnion 所有集合中不重复的元素。
$sigmoid 逻辑函数：把任意数变成 0 到 1 之间的数。
$sin 角的正弦，角以弧度计。
$sinh 双曲正弦。
$size 数组的元素个数。
$slice 数组的一段：取若干个元素，可指定起点。
$sortArray 给数组元素排序：1、-1，或按元素的字段。
$split 按分隔符把字符串切成数组。
$sqrt 平方根。
$stdDevPop 标准差，把这些数字当作总体。
$stdDevSamp 标准差，把这些数字当作样本。
$strLenBytes 字符串的长度，按 UTF-8 字节计。
$strLenCP 字符串的长度，按码点计。
$strcasecmp 不分大小写比较两个字符串，得 -1、0 或 1。
$substr 按 UTF-8 字节取子串，是 $substrBytes 的旧名。
$substrBytes 从某处起取若干 UTF-8 字节的子串。
$substrCP 从某处起取若干码点的子串。
$subtract 两个数字或日期之差，或把日期前移若干毫秒。
$subtype 二进制数据的子类型。
$sum 列出的数字或数组中数字之和，忽略非数字。
$switch 第一个 case 为真的分支的 then，否则为 default。
$tan 角的正切，角以弧度计。
$tanh 双曲正切。
$toArray 把 JSON 文本转换为数组。
$toBool 转换为布尔值。
$toDate 转换为日期。
$toDecimal 转换为 128 位十进制数。
$toDouble 转换为 double。
$toHashedIndexKey 哈希索引为该值存储的键。
$toInt 转换为 32 位整数。
$toLong 转换为 64 位整数。
$toLower 转换为小写。
$toObject 把 JSON 文本转换为文档。
$toObjectId 把 24 位十六进制字符串转换为 ObjectId。
$toString 转换为字符串。
$toUUID 把字符串转换为 UUID。
$toUpper 转换为大写。
$trim 去掉字符串两端的空白或指定字符。
$trunc 保留若干位小数，其余截去。
$tsIncrement 时间戳中的计数，结果为 long。
$tsSecond 时间戳中的秒数，结果为 long。
$type 值的 BSON 类型名，缺少时为 "missing"。
$unsetField 去掉文档的字段，名称带点或以美元符号开头也可以。
$week 当年的第几周，0 到 53，每周从星期日开始。
$year 年份。
$zip 数组转置：各数组的第一个元素在一起，第二个在一起，依此类推。`,

  database: `
adminCommand 在 admin 数据库上运行命令。
aggregate 运行不需要集合的管道，例如以 $documents 开头的管道。
changeUserPassword 更改用户的密码；密码不会保存。
commandHelp 按命令的名称给出它的一行说明。
createCollection 新建集合，可带 capped、validator 等选项。
createRole 保存一个角色及其权限和所含角色。
createUser 保存一个用户及其角色；这里没有人能登录。
createView 新建视图：架在集合上的管道，可像集合一样读取。
currentOp 给出服务器此刻正在做的事。
dropAllRoles 删除数据库中保存的所有角色。
dropAllUsers 删除数据库中保存的所有用户。
dropDatabase 删除数据库及其所有集合。
dropRole 删除一个角色。
dropUser 删除一个用户。
getCollection 按名称取集合，名称可含任何字符。
getCollectionInfos 集合和视图及其选项。
getCollectionNames 集合和视图的名称。
getLogComponents 各组件的日志详细程度。
getMongo 到达本数据库的连接。
getName 数据库的名称。
getProfilingLevel 分析器的级别：0、1 或 2。
getProfilingStatus 分析器的级别，以及多久算慢命令。
getRole 按名称取得一个角色；没有则为 null。
getRoles 数据库中保存的角色。
getSiblingDB 取另一个数据库，但不切换过去。
getSisterDB getSiblingDB 的旧名。
getUser 按名称取得一个用户；没有则为 null。
getUsers 数据库中保存的用户。
grantPrivilegesToRole 把权限授予一个角色。
grantRolesToRole 把其他角色授予一个角色。
grantRolesToUser 把角色授予一个用户。
hello 说明服务器是什么、有哪些限制。
hostInfo 说明所在机器的情况，限于能看到的部分。
isMaster 即旧式的 hello。
killOp 按编号请求结束一个操作。
listCommands 服务器支持的命令。
printCollectionStats 打印每个集合的大小和数量。
revokePrivilegesFromRole 收回一个角色的权限。
revokeRolesFromRole 收回一个角色所含的其他角色。
revokeRolesFromUser 收回一个用户的角色。
runCommand 在本数据库上运行命令并返回其答复。
serverBuildInfo 给出服务器报告的版本及其限制。
serverCmdLineOpts 命令行选项：这里没有。
serverStatus 服务器的状态和各项计数。
setLogLevel 设定全部或某个组件的日志详细程度。
setProfilingLevel 设定哪些命令会记入 system.profile。
stats 数据库的大小和数量，以 scale 字节为单位。
updateRole 更改一个角色的权限或所含角色。
updateUser 更改一个用户的角色或自定义数据。
version 服务器报告的版本。
watch 逐一告知数据库发生的变更。`,

  collection: `
aggregate 运行管道，返回结果的游标。
bulkWrite 一次完成多个插入、更新和删除。
convertToCapped 把集合变为给定字节数的固定大小集合。
count 统计文档数；已由 countDocuments 和 estimatedDocumentCount 取代。
countDocuments 统计符合条件的文档数。
createIndex 新建索引，例如 { name: 1, year: -1 }。
createIndexes 以相同选项新建多个索引。
dataSize 所有文档的字节数。
deleteMany 删除所有符合条件的文档。
deleteOne 删除第一个符合条件的文档。
distinct 符合条件的文档中某字段的不同值。
drop 删除集合及其索引。
dropIndex 按名称或键删除索引。
dropIndexes 删除指定的索引，不指定则删除 _id 以外的全部索引。
ensureIndex 即旧式的 createIndex。
estimatedDocumentCount 文档数，不逐个查看文档。
exists 集合在集合列表中的条目，没有则为 null。
explain 说明其后的方法如何执行。
find 查找符合条件的文档，返回游标。
findAndModify 修改或删除一个文档，并返回修改前或修改后的文档。
findOne 第一个符合条件的文档，没有则为 null。
findOneAndDelete 删除一个文档并将其返回。
findOneAndReplace 替换一个文档，并返回替换前或替换后的文档。
findOneAndUpdate 更新一个文档，并返回更新前或更新后的文档。
getCollection 名称接在本集合名称之后的集合。
getDB 集合所在的数据库。
getFullName 集合的全名，含数据库名称。
getIndexKeys 集合各索引的键。
getIndexSpecs getIndexes 的旧名。
getIndexes 集合的索引。
getIndices getIndexes 的旧名。
getMongo 到达本集合的连接。
getName 集合的名称。
getPlanCache 集合的查询计划缓存。
hideIndex 对查询计划隐藏索引，但仍保持更新。
initializeOrderedBulkOp 收集写操作，按顺序执行，出错即停。
initializeUnorderedBulkOp 收集写操作，顺序不限，出错也继续。
insert 插入一个或多个文档；已由 insertOne 和 insertMany 取代。
insertMany 插入多个文档。
insertOne 插入一个文档，没有 _id 时补上 ObjectId。
isCapped 集合是否为固定大小。
latencyStats 集合上读、写和命令所用的时间。
mapReduce 用 JavaScript 函数对文档分组；$group 能更快地做同样的事。
remove 删除文档；已由 deleteOne 和 deleteMany 取代。
renameCollection 给集合改名。
replaceOne 替换第一个符合条件的文档，_id 不变。
runCommand 运行首字段为本集合的命令。
save 插入文档，或替换 _id 相同的文档。
stats 集合的大小和数量。
storageSize 存储为文档分配的字节数。
totalIndexSize 所有索引的字节数。
totalSize 文档和索引占用存储的字节数。
unhideIndex 让查询计划重新看到索引。
update 更新文档；已由 updateOne 和 updateMany 取代。
updateMany 更新所有符合条件的文档。
updateOne 更新第一个符合条件的文档。
validate 检查集合及其索引是否有损坏。
watch 逐一告知集合发生的变更。`,

  cursor: `
addOption 按编号设置旧脚本使用的选项。
allowDiskUse 允许大的排序超出内存上限。
allowPartialResults 用于部分分片不可用的集群；在这里不改变任何东西。
batchSize 设置每次取多少个文档。
close 不等读完就关闭游标。
collation 按某种语言的规则比较字符串。
comment 给查询加上说明。
count 统计查到的文档数，默认不计 skip 和 limit。
explain 说明查询如何执行。
forEach 对每个文档调用函数。
getId 游标在服务器上的编号，读完后为 0。
hasNext 是否还有下一个文档。
hint 指定使用的索引。
isClosed 游标在服务器上是否已关闭。
isExhausted 是否已全部读完。
itcount 逐个读取来统计文档数。
length 逐个读取来统计文档数，与 itcount 相同。
limit 最多给出若干个文档。
map 给出函数对每个文档的结果。
max 索引范围的上界（不含），需要 hint。
maxAwaitTimeMS 可追加游标等待新文档的时长。
maxTimeMS 超过若干毫秒就放弃。
min 索引范围的下界（含），需要 hint。
next 下一个文档。
noCursorTimeout 长时间无人读取也不关闭游标。
objsLeftInBatch 已取来而未读的文档数。
pretty 不改变任何东西：文档总会排好版。
projection 选取或去掉字段。
readConcern 设置读关注，例如 local。
readPref 从哪个成员读取；这里只有一个。
returnKey 给出索引的键，而不是文档。
showDiskLoc showRecordId 的旧名。
showRecordId 加上每个文档在存储中的位置 $recordId。
size 统计查到的文档数，计入 skip 和 limit。
skip 跳过前若干个文档。
sort 给文档排序，例如 { year: -1, name: 1 }。
tailable 读到固定大小集合末尾后不关闭，等待新文档。
toArray 所有文档组成的数组。
tryNext 下一个文档，暂时没有则为 null。`,

  quire: `
bookmark 用一个名称保留所有数据库的当前状态，刷新后仍在。
moments 列出保留的时刻：编号、名称、时间、所做的操作、页数。
restore 按书签恢复全部数据、一个数据库或一个集合。`,

  explain: `
* 说明如何执行，不做任何更改。`,
};
