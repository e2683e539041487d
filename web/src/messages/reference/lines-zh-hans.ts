/**
 * One sentence in Simplified Chinese on each command, projection, form of an update and index option; see
 * `lines-en.ts`.
 *
 * Invariant: names of operators, options and variables stay as they are typed.
 */
import type { ReferenceLines } from "./lines.ts";

export const zhHans: ReferenceLines = {
  command: `
abortTransaction 撤销一个事务中各命令所做的一切。
aggregate 在集合或数据库上运行管道，返回游标的第一批结果。
buildInfo 给出服务器报告的版本及其限制。
buildinfo buildInfo 的旧写法。
bulkWrite 用一条命令在多个集合中插入、更新和删除。
cloneCollectionAsCapped 把集合复制成一个新的固定大小集合。
collMod 修改集合、视图或索引的选项。
collStats 给出集合的数量和大小。
collstats collStats 的旧写法。
commitTransaction 让事务所做的一切同时可见。
compact 把页移到一起，以便归还存储空间。
connectionStatus 给出本连接的登录用户；这里没有用户，因此总为空。
convertToCapped 把集合变为给定字节数的固定大小集合。
count 统计符合条件的文档数；不给条件时取集合自己的计数。
create 按选项新建集合或视图。
createIndexes 新建一个或多个索引。
createRole 保存一个角色及其权限和所含角色；这里没有什么会查询它。
createUser 保存一个用户及其角色，但不保存密码：没有人能登录。
currentOp 给出服务器此刻正在做的事。
dataSize 给出集合的文档或两个键之间的文档占多少字节。
datasize dataSize 的旧写法。
dbHash 每个集合和整个数据库的摘要，用来比较两份数据。
dbStats 给出数据库的数量和大小。
dbhash dbHash 的旧写法。
dbstats dbStats 的旧写法。
delete 删除符合条件的文档：每个条件只删第一个，或全部删除。
deleteIndexes dropIndexes 的旧名。
distinct 给出某字段的不同值。
drop 删除集合及其索引。
dropAllRolesFromDatabase 删除一个数据库中保存的所有角色。
dropAllUsersFromDatabase 删除一个数据库中保存的所有用户。
dropDatabase 删除数据库及其所有集合。
dropIndexes 删除一个、多个或除 _id 以外的全部索引。
dropRole 删除一个角色，也从拥有它的用户和角色中去掉。
dropUser 删除一个用户。
endSessions 结束会话，并关闭其游标。
explain 说明命令会如何执行，或执行时用了多少。
features 告诉旧驱动程序服务器能做什么。
find 查找文档，返回游标的第一批结果。
findAndModify 修改或删除一个文档，并返回修改前或修改后的文档。
findandmodify findAndModify 的旧写法。
fsync 先把所有更改存好，再作答复。
fsyncUnlock 解除 fsync 的锁；这里不会加锁。
getClusterParameter 与数据一起保存的参数。
getCmdLineOpts 命令行选项：这里没有。
getDefaultRWConcern 未指明关注级别的命令所用的读写关注。
getLog 日志中最新的几行，或各日志的名称。
getMore 取游标的下一批结果。
getParameter 服务器参数的值。
grantPrivilegesToRole 把权限（对资源的操作）授予一个角色。
grantRolesToRole 把其他角色授予一个角色。
grantRolesToUser 把角色授予一个用户。
hello 说明服务器是什么、有哪些限制。
hostInfo 说明所在机器的情况，限于 WebAssembly 能看到的部分。
insert 插入文档。
isMaster 即旧式的 hello。
ismaster 即旧式的 hello。
killAllSessions 结束用户会话的游标和事务。
killAllSessionsByPattern 结束匹配模式的会话的游标和事务。
killCursors 不等读完就关闭游标。
killOp 请求结束一个操作；同一时刻只运行一个，所以它已结束。
killSessions 立即结束会话，并关闭其游标。
listCollections 列出数据库的集合和视图及其选项。
listCommands 列出服务器支持的命令。
listDatabases 列出所有数据库及其大小。
listIndexes 列出集合的索引。
lockInfo 当前持有的锁：没有，因为一个线程只服务一个客户端。
mapReduce 用 JavaScript 函数对文档分组；$group 能更快地做同样的事。
mapreduce mapReduce 的旧写法。
ping 只作答复，不做别的。
planCacheClear 清除为集合或某一形状的查询缓存的计划。
planCacheClearFilters 去掉集合或某一形状的查询的索引过滤条件。
planCacheListFilters 列出集合的索引过滤条件。
planCacheSetFilter 让某一形状的查询只考虑指定的索引。
profile 设定或给出数据库的哪些命令会记入 system.profile。
quireAt 在保留的某个时刻的数据上运行只读命令。
quireClock 把引擎的时钟拨快，或拨回真实时间。
quireDifference 给出两个时刻之间，或某个时刻与现在之间的差别。
quireDropMoment 丢弃保留的时刻，释放只属于它的页。
quireFork 在全部数据的分叉上运行命令，完毕后分叉即消失。
quireMoment 保留全部数据的当前状态，可以命名。
quireMoments 列出保留的时刻。
quireNameMoment 给保留的时刻命名，或去掉名称。
quireObserve 运行命令，并给出它检查的键、文档、页和执行计划。
quireOplog 开始或结束供变更流读取的变更列表，并给出其大小。
quirePage 显示引擎存储中的一页：字段、记录和字节。
quirePages 给出所有页的分布：各存什么，属于哪个集合或索引。
quireRestore 把全部数据、一个数据库或一个集合恢复到保留的时刻。
quireRun 开始或结束一组命令，前后的状态保留为时刻。
quireSalvage 说明带损坏打开的部署丢失了什么。
quireTree 显示索引或集合的 B+ 树，以及到某个键的路径。
reIndex 重建集合的所有索引。
refreshSessions 把会话标记为使用过，使其不过期。
removeQuerySettings 移除某一查询形状的设置。
renameCollection 给集合改名，也可移到另一个数据库。
replSetGetConfig 副本集的配置；这里是唯一成员。
replSetGetStatus 副本集及其唯一成员的状态。
replSetInitiate 开始一个副本集；这里从一开始就有，所以被拒绝。
revokePrivilegesFromRole 收回一个角色的权限。
revokeRolesFromRole 收回一个角色所含的其他角色。
revokeRolesFromUser 收回一个用户的角色。
rolesInfo 保存的角色，以及每个数据库自带角色的名称。
serverStatus 服务器的状态和各项计数。
setClusterParameter 设置与数据一起保存的参数。
setDefaultRWConcern 设置未指明关注级别的命令所用的读写关注。
setFeatureCompatibilityVersion 说明使用哪个版本的功能：8.2 的。
setParameter 设定服务器参数，例如 notablescan。
setQuerySettings 让某一形状的所有查询只考虑指定的索引，或拒绝这些查询。
startSession 开始一个会话，返回其标识。
top 每个集合被使用的次数和时间。
update 更新或替换文档；找不到时可按要求插入。
updateRole 更改一个角色的权限或所含角色。
updateUser 更改一个用户的角色或自定义数据。
usersInfo 保存的用户。
validate 检查集合及其索引是否有损坏，可按要求修复。
validateDBMetadata 列出稳定 API 第 1 版不支持的视图和索引。
whatsmyuri 服务器所知的本客户端的地址。`,

  projection: `
$ 只保留数组中第一个符合查询条件的元素。
$elemMatch 只保留数组中第一个满足该条件的元素。
$meta 加入文档之外该行的信息，例如 recordId。
$slice 保留数组的一段：前若干个、末尾若干个（负数），或从某处起的若干个。
exclusion 去掉写为 0 的字段，其余全部保留。
expressions 用聚合表达式计算字段，在 find 中与在 $project 中相同。
inclusion 保留写为 1 的字段；_id 也保留，除非写为 0。`,

  update: `
$ 数组中第一个符合查询条件的元素。
$[<identifier>] 数组中满足同名数组过滤条件的每个元素。
$[] 数组的每个元素。
arrayFilters 用条件给出 $[<identifier>] 所指的元素。
pipeline 写成若干阶段的更新，可由文档的其他字段计算。
replacement 不含运算符的文档取代原文档，_id 不变。
upsert 找不到符合条件的文档时，插入由条件和更新组成的文档。`,

  index: `
2dsphereIndexVersion 键的版本：3，或旧服务器的 1 和 2。
background 为旧脚本保留，不改变任何东西。
bits 2d 索引的键中每个坐标的位数：默认 26，可为 1 到 32。
coarsestIndexedLevel 覆盖几何图形的最大单元的级别。
collation 让索引按某种语言的规则给字符串排序。
default_language 文本索引的语言，决定停用词和词干；none 两者都没有。
expireAfterSeconds 字段中的日期过去若干秒后删除文档。
finestIndexedLevel 覆盖几何图形的最小单元的级别。
hidden 对查询计划隐藏索引，但仍保持更新。
kind:2d 存储平面上的点，用于平面上的距离和图形。
kind:2dsphere 存储球面上的位置（GeoJSON 或坐标对），用于球面上的距离和图形。
kind:clustered 文档按 _id 的次序存放，不另设索引。
kind:compound 依次按多个字段排序。
kind:hashed 存储字段值的哈希：适合等值查询，不能用于范围查询。
kind:multikey 字段为数组时每个元素各有一个键；索引会自动如此。
kind:single 按一个字段排序。
kind:text 为字段文本中的每个词建一个键，供 $text 使用；每个集合一个。
kind:wildcard 包含所有字段或某路径下所有字段的键，不论字段叫什么。
language_override 文档用来注明其文本语言的字段。
max 2d 索引能容纳的最大坐标，默认 180。
min 2d 索引能容纳的最小坐标，默认 -180。
name 索引自己的名称，代替由字段组成的名称。
partialFilterExpression 只收录符合该条件的文档。
prepareUnique 拒绝新的重复值，之后可用 collMod 把索引变为唯一。
sparse 不收录缺少这些字段的文档。
textIndexVersion 文本索引的版本：3 或更早。
unique 拒绝键相同的第二个文档。
v 索引格式的版本。
weights 文本索引各字段中词的权重，未写时为 1。
wildcardProjection 选取或去掉通配符索引的字段。`,

  bulk: `
execute 发送收集的全部写操作，并给出结果。
find 开始对符合条件的文档做更新或删除。
find.arrayFilters 给出下一个更新中 $[<identifier>] 所指的元素。
find.collation 下一个写操作按某种语言的规则比较字符串。
find.delete 收集一个删除：所有符合条件的文档。
find.deleteOne 收集一个删除：第一个符合条件的文档。
find.hint 指定下一个写操作使用的索引。
find.remove find.delete 的旧名。
find.removeOne find.deleteOne 的旧名。
find.replaceOne 收集一个替换：第一个符合条件的文档。
find.update 收集一个更新：所有符合条件的文档。
find.updateOne 收集一个更新：第一个符合条件的文档。
find.upsert 下一个更新找不到文档时插入一个。
insert 收集一个插入。
toJSON 已收集的各类写操作的数目。`,

  mongo: `
adminCommand 在 admin 数据库上运行命令。
bulkWrite 在多个集合中插入、更新和删除。
getDB 本连接的一个数据库。
getDBNames 各数据库的名称。
getDBs 各数据库及其大小。
getReadPrefMode 已设定的读取成员。
setReadPref 设定从哪个成员读取；这里只有一个。
startSession 开始一个会话，可在其中执行事务。
watch 逐一告知所有数据库发生的变更。`,

  planCache: `
clear 清除集合的全部计划。
clearPlansByQuery 清除某一形状的查询的计划。
list 缓存的计划，每种查询形状一个。`,

  clock: `
advance 把引擎的时钟拨快，让 TTL 索引立即到期。
now 引擎时钟的时间。
offset 时钟被拨动的毫秒数。
reset 把时钟拨回真实时间。`,

  global: `
BSONRegExp 存储形式的正则表达式，可带 JavaScript 没有的标志。
BSONSymbol 符号：BSON 的旧类型，类似字符串。
BinData 由 base64 文本得到某子类型的二进制数据。
Binary 由字节得到二进制数据。
Code 作为值的 JavaScript 代码。
DBQuery 旧 shell 的设置：shellBatchSize 是一次显示的文档数。
DBRef 对另一集合中某文档的引用。
Date 日期；不带 new 的 Date() 是文本。
Decimal128 34 位的十进制小数，由文本得到。
Double 存为双精度浮点数的数字，即使是整数。
EJSON 扩展 JSON：stringify 和 parse 保留 BSON 类型。
HexData 由十六进制数字得到某子类型的二进制数据。
ISODate 由 ISO 格式的文本得到日期，不给则为当前时间。
Int32 32 位整数。
Long 64 位整数。
MD5 由十六进制数字得到 MD5 子类型的二进制数据。
MaxKey 大于其他一切值的值。
MinKey 小于其他一切值的值。
Mongo shell 的连接。
NumberDecimal 34 位的十进制小数，与 Decimal128 相同。
NumberInt 32 位整数，与 Int32 相同。
NumberLong 64 位整数，与 Long 相同。
ObjectID ObjectId 的另一种写法。
ObjectId 新的 ObjectId，或由 24 位十六进制数字得到。
Timestamp 由秒数和计数组成的时间戳。
UUID 新的 UUID，或由文本得到。
assert 值不为真时抛出错误。
bsonsize 文档编码为 BSON 后的字节数。
cls 在 mongosh 中清屏；在这里不改变任何东西。
config shell 的设置；其中 displayBatchSize 在这里有效。
connect 本地地址所指的数据库；这里只有一个部署。
console 打印，与 print 相同。
doassert 抛出带该消息的错误。
exit 结束脚本；页面保持打开。
help 列出 shell 的功能；db.help() 等列出方法。
hex_md5 文本的 MD5 摘要，十六进制。
isInteractive 是否有人在输入；在这里总为真。
it 显示上一个游标的后续文档。
load 打印一行说明这里不能读取文件，返回 false。
passwordPrompt 打印一行说明不会询问密码，因为不保存密码。
print 按 shell 的写法打印值。
printjson 排版后打印值。
printjsononeline 打印值，与 printjson 相同。
quit 结束脚本；页面保持打开。
rs 副本集：状态和配置。
sh 分片集群；这里不是。
show 列出数据库或集合。
sleep 等待若干毫秒。
tojson 旧 shell 格式的文本。
tojsononeline 同上，写在一行。
use 切换当前数据库。
version 服务器报告的版本。`,

  option: `
allowDiskUse 允许大的排序超出内存上限。
allowPartialResults 用于部分分片不可用的集群；在这里不改变任何东西。
arrayFilters 用条件给出 $[<identifier>] 所指的元素。
authorizedCollections 只列出用户可读的集合；这里没有用户，因此列出全部。
authorizedDatabases 只列出用户可读的数据库；这里没有用户，因此列出全部。
awaitData 可追加游标在给出空批之前等待新文档。
batchSize 设置每次取多少个文档。
bypassDocumentValidation 写入集合的校验规则会拒绝的文档。
capped 新建固定大小集合，最旧的文档为新文档让位。
changeStreamPreAndPostImages 为变更流保留变更前后的文档。
clusteredIndex 文档按 _id 的次序存放。
collation 按某种语言的规则比较字符串。
comment 随命令附带的说明，不影响结果。
commitQuorum 需要多少成员完成构建；这里只有一个。
cursor batchSize 的旧写法。
dropTarget 新名称已有集合时将其删除。
expireAfterSeconds 聚簇集合的文档在 _id 中的日期过去若干秒后删除。
explain 说明管道如何执行，而不执行。
filter 只列出符合条件的数据库。
freeStorage 加上已分配而空闲的字节数。
fullDocument 更新事件是否附带文档，以及何时的文档。
fullDocumentBeforeChange 事件是否附带变更前的文档。
hint 指定使用的索引。
includeResultMetadata 返回命令的完整答复，而不只是文档。
indexOptionDefaults 接受不提任何要求的 WiredTiger 索引选项。
j 写入存储之后才确认。
let 给值命名，在表达式中以 $$name 使用。
limit 最多给出或统计若干个文档。
max find：索引范围的上界（不含）；createCollection：最多的文档数。
maxAwaitTimeMS 可追加游标等待新文档的时长。
maxTimeMS 超过若干毫秒就放弃。
min 索引范围的下界（含），需要 hint。
nameOnly 只给出名称和类型，更快。
noCursorTimeout 长时间无人读取也不关闭游标。
ordered false：某个写入失败后，其余的继续。
pipeline 视图的各个阶段。
projection 选取或去掉字段。
readConcern 设置读关注，例如 local。
resumeAfter 从带有此标记的事件之后继续。
returnDocument "after"：返回修改后的文档，而不是修改前的。
returnKey 给出索引的键，而不是文档。
scale 以若干字节为单位给出大小。
showExpandedEvents 还告知新建集合、索引和其他选项的变更。
showRecordId 加上每个文档在存储中的位置 $recordId。
singleBatch 给出第一批之后就关闭游标。
size 固定大小集合可占的字节数。
skip 跳过前若干个文档。
sort 给文档排序，或决定多个文档中哪个是第一个。
startAfter 从带有此标记的事件之后继续，即使它结束了变更流。
startAtOperationTime 告知从此时刻起的变更。
storageEngine 接受不提任何要求的 WiredTiger 选项。
tailable 读到固定大小集合末尾后不关闭，等待新文档。
timeseries 按时间把测量值收进桶里：timeField、metaField 和 granularity。
upsert 找不到符合条件的文档时插入一个。
validationAction 不合规的文档是拒绝（error、errorAndLog）还是存入（warn）。
validationLevel 原本不合规的文档在更新时是否校验：strict 校验，moderate 不校验。
validator 文档必须满足的条件或 JSON Schema。
verboseResults 给出每个写入各自的结果。
viewOn 视图读取的集合。
w 由多少个成员确认写入；0：不确认，也不给出结果。
writeConcern 写入何时算完成：w、j 和 wtimeout。
wtimeout 等待成员确认写入的时长。`,
};
