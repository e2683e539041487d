/**
 * The notes of COMPAT.md in Simplified Chinese, by their English text; a list of methods is no note.
 *
 * Invariant: a note that changes in COMPAT.md loses its Chinese, and `test/reference.test.ts` says so; code stays as it
 * is typed.
 */

const pairs: readonly (readonly [string, string])[] = [
  [
    "not of a measurement of a time series (67); of its `metaField`",
    "不能建在时间序列的测量字段上（67）；可以建在其 `metaField` 上",
  ],
  ["words are searched by `$text`, over a text index", "文本用 `$text` 来搜索，在文本索引上进行"],
  [
    "a text index, which `createIndexes` makes, is what `$text` searches in",
    "`$text` 在文本索引里搜索，文本索引由 `createIndexes` 创建",
  ],
  ["the one member; no `settings`", "只有一个成员；没有 `settings`"],
  ["the one member; no `electionCandidateMetrics`", "只有一个成员；没有 `electionCandidateMetrics`"],
  ["always refused: the set of one is there from the start", "总是被拒绝：单成员的副本集从一开始就有"],
  [
    "`status`, `conf`, `config`, `hello`, `isMaster`; what would change the set is refused",
    "支持 `status`、`conf`、`config`、`hello`、`isMaster`；会改变副本集的方法被拒绝",
  ],
  ["its methods say that this is no sharded cluster", "其方法说明这不是分片集群"],
  [
    "in a page no password is kept and no SCRAM credentials are made: nobody signs in there",
    "在网页中不保存密码，也不生成 SCRAM 凭据：没有人登录",
  ],
  ["as `createUser`", "与 `createUser` 相同"],
  ["`showPrivileges` is refused", "拒绝 `showPrivileges`"],
  ["`showPrivileges` is refused where built-in roles are held", "含有内置角色时拒绝 `showPrivileges`"],
  [
    "stores all changes; `lock` is refused, as the next write would wait for ever",
    "存好所有更改；拒绝 `lock`，否则下一次写入会永远等待",
  ],
  ["always refused, since nothing is locked", "总是被拒绝，因为没有加锁"],
  [
    "what WebAssembly lets be seen: no memory, frequency or kernel",
    "只有 WebAssembly 能看到的内容：没有内存、频率和内核",
  ],
  ["the parameters that mean something here", "只有在这里有意义的参数"],
  [
    "`queryFramework` is kept and shown, for one engine runs all; `$lookup` by `localField` heeds no index hints",
    "`queryFramework` 会保存并显示，因为只有一个引擎；以 `localField` 连接的 `$lookup` 不理会索引提示",
  ],
  [
    "the parameters that mean something here; `notablescan` leaves collections alone that stages look up",
    "只有在这里有意义的参数；`notablescan` 不管各阶段所查询的集合",
  ],
  [
    "lines of slow commands and of changed parameters; all commands from `logLevel` 1 on",
    "慢命令和参数更改的行；`logLevel` 为 1 起记录所有命令",
  ],
  [
    "`locks`, `flowControl` and `storage` of an entry are empty; a `bulkWrite` has one entry, of `admin`",
    "条目的 `locks`、`flowControl` 和 `storage` 为空；一个 `bulkWrite` 只有一个条目，属于 `admin`",
  ],
  ["views and indexes; validators are not looked at", "检查视图和索引；不检查校验规则"],
  ["no collection is temporary, so `stayTemp` has nothing to keep", "没有临时集合，因此 `stayTemp` 没有可保留的东西"],
  ['`"8.2"` alone', '只接受 `"8.2"`'],
  ["on a standalone, as on a server", "只在单机部署上可用，与服务器一致"],
  ["as `dbHash`", "与 `dbHash` 相同"],
  ["collections of the server's own are left out", "不包括服务器自己的集合"],
  ["in a page the password is not kept: nobody signs in there", "在网页中不保存密码：没有人登录"],
  ["`shellBatchSize`", "只有 `shellBatchSize`"],
  [
    "`displayBatchSize`, with `get`, `set` and `reset`; others are told not to be there",
    "支持 `displayBatchSize` 及 `get`、`set`、`reset`；其他设置会提示不存在",
  ],
  [
    "an address of this machine is the page's own deployment; any other is refused",
    "本机地址指页面自己的部署；其他地址会被拒绝",
  ],
  ["ends the script; the page stays open", "结束脚本；页面保持打开"],
  ["prints that a script cannot read files, and gives false", "打印说明脚本不能读取文件，并返回 false"],
  ["nothing is asked, since a page keeps no password", "不会询问，因为网页不保存密码"],
  [
    "`log`, `info`, `warn`, `error` and `debug` print alike; `table`",
    "`log`、`info`、`warn`、`error`、`debug` 的打印方式相同；支持 `table`",
  ],
  [
    "`dbs`, `databases`, `collections`, `tables`, `users`, `roles`, `profile`, `log`, `logs`; others are refused",
    "支持 `dbs`、`databases`、`collections`、`tables`、`users`、`roles`、`profile`、`log`、`logs`，其他的会被拒绝",
  ],
  [
    "As the expression; a `find` alone with `sortKey` must have a sort. In `findAndModify` `indexKey` is that of the " +
      "key by which the document was found, `recordId` is missing and `sortKey` refused, as on the server.",
    "与表达式 `$meta` 相同；单独的 `find` 使用 `sortKey` 时必须有排序。在 `findAndModify` 中，`indexKey` 是找到文档所用的键，" +
      "没有 `recordId`，`sortKey` 会被拒绝，与服务器一致。",
  ],
  [
    "Behind other stages bounded at 100 MB: nothing spills to disk. Of `$meta` only `randVal` can be had.",
    "在其他阶段之后最多占用 100 MB，不会写到磁盘。`$meta` 只支持 `randVal`。",
  ],
  ["Bounded at 100 MB: nothing spills to disk.", "最多占用 100 MB，不会写到磁盘。"],
  [
    "Refused inside another stage's pipeline; `config.system.sessions` itself cannot be read",
    "不能用在其他阶段的管道里；`config.system.sessions` 本身不可读取",
  ],
  [
    "Without a format: ISO 8601 forms, `y/m/d`, `m/d/y` and English month names.",
    "不给格式时，可识别 ISO 8601 各种写法、`y/m/d`、`m/d/y` 和英文月份名。",
  ],
  [
    "`$_requestResumeToken`, `$_resumeAfter`, `$_startAt`, `readOnce` and `term` are refused; `collation`" +
      ": strength 1 to 3",
    "拒绝 `$_requestResumeToken`、`$_resumeAfter`、`$_startAt`、`readOnce` 和 `term`；`collation` 支持强度 1 到 3",
  ],
  ["`collation`: strength 1 to 3", "`collation` 支持强度 1 到 3"],
  [
    "`collation`: strength 1 to 3; read from the keys of an index, an absent field is given as null and " +
      "an empty array " +
      "as undefined, as a server gives them",
    "`collation` 支持强度 1 到 3；由索引的键读取时，缺少的字段给出 null，空数组给出 undefined，与服务器一致",
  ],
  ["`encryptionInformation` is refused", "拒绝 `encryptionInformation`"],
  [
    "`fixMultikey`, `metadata` and `logDiagnostics` are refused; errors name damaged pages with their records and " +
      "indexes; `repair` keeps the records that can be read, builds damaged indexes and the free list from " +
      "them, says " +
      "in `warnings` what it dropped, and gives `numRecoveredDocuments` (found below lost branch pages)",
    "拒绝 `fixMultikey`、`metadata` 和 `logDiagnostics`；错误信息会指出损坏的页及其中的记录和索引；`repair` 保留可读的记录，" +
      "据此重建损坏的索引和空闲列表，在 `warnings` 中说明丢弃了什么，并给出 `numRecoveredDocuments`（在丢失的分支页之下找回的）",
  ],
  ["a configuration of WiredTiger that asks for nothing", "只接受不提任何要求的 WiredTiger 配置"],
  ["of text indexes; 67 for others", "用于文本索引；其他索引报错 67"],
  ["of text indexes; others keep it, as on the server", "用于文本索引；其他索引照样保存，与服务器一致"],
  [
    "of text indexes, others keep it, as on the server; stop words are Snowball's lists, with few words that differ " +
      "from the server's",
    "用于文本索引，其他索引照样保存，与服务器一致；停用词取自 Snowball 的词表，与服务器略有出入",
  ],
  [
    "over a text index; where scores are asked for, documents come in the order in which they were inserted unless " +
      "they are sorted",
    "使用文本索引；求分数而不排序时，文档按插入的次序给出",
  ],
  [
    "versions 1 to 3; ideographs of the compatibility blocks stay as they are, and a Rust program in a page has " +
      "`none` alone for a language",
    "支持版本 1 到 3；兼容区的表意文字保持原样；网页中的 Rust 程序只有语言 `none`",
  ],
  ["see the deviations", "参见 COMPAT.md 的差异说明"],
  ["begins and ends the oplog, and tells its size", "开始和结束 oplog，并给出它的大小"],
  ["`help: true` of any command; see the deviations", "任何命令都接受 `help: true`；参见 COMPAT.md 的差异说明"],
  [
    "`recordId`, `indexKey`, `randVal` (after `$sample`), `textScore` (of a `$text`) and `sortKey`: that of the " +
      "`$sort` that the collection read does, or `[]` where it does none, as on the server; a `$sort` that " +
      "runs behind other stages does not change it. " +
      "`geoNearDistance` and `geoNearPoint` are those of `$near` and `$geoNear`, and refused without one " +
      "(40218); what else only searches and time series have is missing, and " +
      "so is everything in a `$match` and after a stage that makes documents. Under a collation the server gives the " +
      "bytes that ICU compares by, which no browser tells: `sortKey`, and `indexKey` of an index with a " +
      "collation, are " +
      "refused there.",
    "支持 `recordId`、`indexKey`、`randVal`（在 `$sample` 之后）、`textScore`（有 `$text` 时）和 `sortKey`：后者来自读取集合时所做的 `$sort`，" +
      "没有排序时为 `[]`，与服务器一致；其他阶段之后的 `$sort` 不会改变它。" +
      "`geoNearDistance` 和 `geoNearPoint` 来自 `$near` 和 `$geoNear`，没有它们时被拒绝（40218）；" +
      "只有搜索和时间序列才有的其他信息没有，在 `$match` 里和生成新文档的阶段之后也都没有。使用 collation 时，服务器给出 ICU 用于比较的字节，" +
      "而浏览器不提供：此时 `sortKey` 和带 collation 的索引的 `indexKey` 会被拒绝。",
  ],
  ["`term` and `lastKnownCommittedOpTime` are refused", "拒绝 `term` 和 `lastKnownCommittedOpTime`"],
  [
    "`verbose` and `numericOnly` of `storageStats` are refused; no `wiredTiger` sections",
    "拒绝 `storageStats` 的 `verbose` 和 `numericOnly`；没有 `wiredTiger` 部分",
  ],
  ["an older spelling of `findAndModify`", "`findAndModify` 的旧写法"],
  ["as `buildInfo`", "与 `buildInfo` 相同"],
  [
    "`admin`, `config` and `local` are empty until something is put there",
    "`admin`、`config` 和 `local` 在放入内容之前是空的",
  ],
  ["as `collStats`", "与 `collStats` 相同"],
  ["as `dbStats`", "与 `dbStats` 相同"],
  ["as `hello`", "与 `hello` 相同"],
  ["as `mapReduce`", "与 `mapReduce` 相同"],
  [
    "capped limits, validators, an index's `expireAfterSeconds`, `hidden`, `prepareUnique` and `unique` (with " +
      "`dryRun`), the `expireAfterSeconds` of a clustered collection or a time series, `timeseries`, and views; " +
      "`recordPreImages` is refused",
    "支持固定大小集合的上限、校验规则、索引的 `expireAfterSeconds`、`hidden`、`prepareUnique` 和 `unique`（可带 `dryRun`）、" +
      "聚簇集合或时间序列的 `expireAfterSeconds`、`timeseries` 以及视图；拒绝 `recordPreImages`",
  ],
  ["changes nothing: each run has output of its own", "不改变任何东西：每次运行都有自己的输出"],
  ["in the sandbox, as `$function`", "在沙箱中运行，与 `$function` 相同"],
  [
    "in the sandbox, as `$where`; `out` to sharded collections is refused, and values of all keys together are " +
      "bounded at 100 MB",
    "在沙箱中运行，与 `$where` 相同；拒绝 `out` 到分片集合，所有键的值合计不超过 100 MB",
  ],
  [
    "in the sandbox, as `$where`; a whole number that fits comes back as `int`",
    "在沙箱中运行，与 `$where` 相同；放得下的整数返回为 `int`",
  ],
  ["in the sandbox, as the command", "在沙箱中运行，与同名命令相同"],
  [
    "in the sandbox: in a page's worker, in a `MongoClient` whose engine is in the caller's thread (as in Node), and " +
      'in an `Engine` made with `{ functions: "sandbox" }`; any other engine refuses it (139); what a ' +
      "server's functions " +
      "may call is there, but a stored DBPointer comes to them as a `DBRef`",
    "在沙箱中运行：页面的 worker、引擎在调用者线程中的 `MongoClient`（例如在 Node 中），以及以 " +
      '`{ functions: "sandbox" }` 创建的 `Engine`；其他引擎会拒绝（139）。服务器函数可以调用的都有，但存储的 DBPointer ' +
      "在函数中是 `DBRef`",
  ],
  ["kept and listed; like the server, it changes nothing", "会保留并列出；与服务器一样，不改变任何东西"],
  [
    "moves pages of all collections, which share one page space, so that its end can be released; `" +
      "bytesFreed` counts " +
      "what is released once the move is stored and no open cursor sees it; without `freeSpaceTargetMB` (20 on the " +
      "server) whatever can be gained is",
    "所有集合共用一个页空间；此命令移动它们的页，以便释放末尾的空间。`bytesFreed` 是移动已存储、且没有打开的游标再看到旧页之后释放的字节数；" +
      "不给 `freeSpaceTargetMB`（服务器上为 20）时，能释放多少就释放多少",
  ],
  ["no `fsUsedSize` and `fsTotalSize`", "没有 `fsUsedSize` 和 `fsTotalSize`"],
  ["no `openssl`, `buildEnvironment` and feature flags", "没有 `openssl`、`buildEnvironment` 和功能标志"],
  ["no `wiredTiger` sections; `indexDetails` is empty", "没有 `wiredTiger` 部分；`indexDetails` 为空"],
  ["numbers to and from bytes came with 8.1", "数字与字节的互相转换是 8.1 才有的"],
  [
    "of `find`, `aggregate`, `count`, `distinct`, `mapReduce`, `findAndModify`, updates and deletes",
    "可用于 `find`、`aggregate`、`count`、`distinct`、`mapReduce`、`findAndModify` 以及更新和删除",
  ],
  [
    "of `mapReduce` too: the pipeline that a server makes of it, after its functions have run. What the server plans " +
      "but a unique index answers with one look-up (a write by such a key, a read with a projection or a " +
      "sort) is shown " +
      "as the server's plan",
    "也可用于 `mapReduce`：先运行其函数，再给出服务器由它生成的管道。服务器需要规划、而这里由唯一索引一次查到的操作" +
      "（按唯一键写入，带投影或排序的读取），按服务器的计划显示",
  ],
  [
    "of the older shell; with `assert.eq` and its kin, `assert.throws`, `assert.commandWorked`, `assert.commandFailed`",
    "来自旧 shell；还有 `assert.eq` 等比较、`assert.throws`、`assert.commandWorked`、`assert.commandFailed`",
  ],
  [
    "on `_id`; stored beside an index that is shown as the clustered one",
    "只能建在 `_id` 上；存储时另有一个索引，显示为聚簇索引",
  ],
  [
    "one thread serves one connection: the operation that asks, and idle cursors",
    "一个线程服务一个连接：只有发问的操作本身和空闲的游标",
  ],
  [
    "the sections that mean something in a page, and `quire`; others may be switched off, not on",
    "在页面中有意义的部分，以及 `quire`；其他部分可以关闭，不能打开",
  ],
  ["`changeStreamOptions` alone", "只有 `changeStreamOptions`"],
  [
    "an index of version 1 refuses decimals (12), collations and wildcards; its keys are those of version 2",
    "版本 1 的索引不接受十进制数（12）、排序规则和通配符；它的键与版本 2 的相同",
  ],
  [
    "plain, capped and clustered collections, time series, validators, views and default collations; encrypted " +
      "collections are refused",
    "支持普通集合、固定大小集合、聚簇集合、时间序列集合、校验规则、视图和默认 collation；拒绝加密集合",
  ],
  ["see the stages; `collation`: strength 1 to 3", "参见各个阶段；`collation` 支持强度 1 到 3"],
  [
    "strength 1 to 3, by the host's tables; see the deviations",
    "支持强度 1 到 3，按宿主的排序表比较；参见 COMPAT.md 的差异说明",
  ],
  [
    "every user is unknown to it; `internalClient` is refused; `compression` names none that this server has",
    "它不认识任何用户；拒绝 `internalClient`；`compression` 中没有本服务器支持的算法",
  ],
  [
    "this engine's own: a command that reads, on the state of a moment (`docs/moments.md`)",
    "本引擎特有：在某个时刻的状态上运行只读命令（`docs/moments.md`）",
  ],
  ["this engine's own: begins and ends commands that belong together", "本引擎特有：一组相关命令的开始与结束"],
  ["this engine's own: drops a moment", "本引擎特有：丢弃一个时刻"],
  ["this engine's own: gives a moment a name, or takes it away", "本引擎特有：给时刻命名，或去掉名称"],
  ["this engine's own: keeps the state as it is", "本引擎特有：保留当前状态"],
  [
    "this engine's own: makes everything, a database or a collection what it was at a moment",
    "本引擎特有：把全部数据、一个数据库或一个集合恢复到某个时刻",
  ],
  [
    "this engine's own: the documents that differ between two moments, or a moment and the present",
    "本引擎特有：两个时刻之间，或某个时刻与现在之间有差别的文档",
  ],
  ["this engine's own: the moments that are kept", "本引擎特有：保留的时刻"],
  [
    "this engine's own: what was lost of a deployment that was opened damaged; documents whose collection cannot be " +
      "named are in `lost.collection_<n>`",
    "本引擎特有：带损坏打开的部署丢失了什么；查不出所属集合的文档放在 `lost.collection_<n>` 中",
  ],
  ["this shell's own (`docs/moments.md`)", "本 shell 特有（`docs/moments.md`）"],
  ["this shell's own: what it moves is the engine's clock", "本 shell 特有：拨动的是引擎的时钟"],
  ["of every method that runs a command", "用于每个运行命令的方法"],
  ["the second argument of `renameCollection`", "`renameCollection` 的第二个参数"],
  ["of every method that writes, in `writeConcern`", "用于每个写入的方法，写在 `writeConcern` 中"],
  ["of every method that reads", "用于每个读取的方法"],
  ["of every method that writes", "用于每个写入的方法"],
];

const notes: ReadonlyMap<string, string> = new Map(pairs);

/** Notes that have their own Chinese. */
export const notesInChinese: readonly string[] = [...notes.keys()];

/** A note in Chinese, by its English; undefined where there is none. */
export const noteInChinese = (note: string): string | undefined => notes.get(note);
