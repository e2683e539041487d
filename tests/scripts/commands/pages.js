// quirePages, quirePage, quireTree: the map of a deployment, a page's bytes, a B+tree. See docs/xray.md
const run = (c) => { try { return db.runCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
db.teas.insertMany([...Array(5000)].map((_, i) => ({ _id: i, name: "tea " + String(i).padStart(5, "0"), price: i % 50, tags: ["t" + i % 3, "u" + i % 5], long: i % 2500 === 0 ? "x".repeat(40000) : "" })))
db.teas.createIndex({ price: 1, name: -1 })
db.teas.createIndex({ tags: 1 })
db.teas.createIndex({ name: "hashed" })
db.teas.createIndex({ "$**": 1 }, { wildcardProjection: { price: 1 }, name: "all" })
db.teas.createIndex({ price: 1 }, { name: "cheap", partialFilterExpression: { price: { $lt: 3 } } })
db.teas.createIndex({ name: 1 }, { name: "folded", collation: { locale: "en", strength: 1 } })
//> folded
const map = run({ quirePages: 1 })
const u16 = (bytes, at) => bytes[at] | bytes[at + 1] << 8
const bytesOf = (binary) => (binary.toString("hex").match(/../g) ?? []).map((digits) => parseInt(digits, 16))
const owner = bytesOf(map.owner), kind = bytesOf(map.kind)
const counts = {}
for (let page = 0; page < map.count; page++) {
  const { kind: what, ns, index, pages } = map.owners[u16(owner, page * 2)]
  const name = [what, index ?? ""].join(" ").trim()
  counts[name] ??= { pages, found: 0, kinds: {} }
  counts[name].found += 1
  counts[name].kinds[kind[page]] = (counts[name].kinds[kind[page]] ?? 0) + 1
}
Object.entries(counts).filter(([name]) => !/^(free|waiting|freeList|catalog)$/.test(name)).map(([name, { pages, found }]) => [name, pages === found]).sort()
//> [
//>   [ 'collection', true ],
//>   [ 'index _id_', true ],
//>   [ 'index all', true ],
//>   [ 'index cheap', true ],
//>   [ 'index folded', true ],
//>   [ 'index name_hashed', true ],
//>   [ 'index price_1_name_-1', true ],
//>   [ 'index tags_1', true ],
//>   [ 'labels folded', true ]
//> ]
;[map.owners.filter((one) => one.kind === "unreached").length, "unreached" in counts, counts["collection"].kinds[3] > 0, map.flags.length() === map.count, map.born.length() === 4 * map.count]
//> [ 1, false, true, true, true ]
run({ quirePages: 1, from: 3, limit: 2 }).count
//> 2
const brief = ({ key, recordId, isCut, slot }) => EJSON.stringify({ slot, ...key, recordId: recordId && Number(recordId), isCut })
const short = (tree) => ({ kind: tree.kind, index: tree.index, entries: tree.entries, height: tree.height, leaves: tree.leafPages, nodes: tree.nodes.length, waiting: tree.waiting,
  root: [tree.nodes[0].count, tree.nodes[0].children?.length], keys: tree.nodes[0].children?.slice(0, 3).map(brief), first: tree.nodes[1] && brief(tree.nodes[1].first), last: tree.nodes.at(-1).last && brief(tree.nodes.at(-1).last),
  descent: tree.descent?.map((step) => ({ level: step.level, compared: step.compared.length, near: brief(step.compared.at(-1)), slot: step.slot })), walk: tree.walk?.map(brief) })
short(run({ quireTree: "teas" }))
//> {
//>   kind: 'collection',
//>   index: undefined,
//>   entries: 5000,
//>   height: 2,
//>   leaves: 33,
//>   nodes: 34,
//>   waiting: 0,
//>   root: [ 32, 33 ],
//>   keys: [
//>     '{"slot":null,"recordId":null,"isCut":null}',
//>     '{"slot":null,"recordId":157,"isCut":null}',
//>     '{"slot":null,"recordId":312,"isCut":null}'
//>   ],
//>   first: '{"slot":null,"recordId":1,"isCut":null}',
//>   last: '{"slot":null,"recordId":5000,"isCut":null}',
//>   descent: undefined,
//>   walk: undefined
//> }
short(run({ quireTree: "teas", descend: 777, walk: 2 }))
//> {
//>   kind: 'collection',
//>   index: undefined,
//>   entries: 5000,
//>   height: 2,
//>   leaves: 33,
//>   nodes: 34,
//>   waiting: 0,
//>   root: [ 32, 33 ],
//>   keys: [
//>     '{"slot":null,"recordId":null,"isCut":null}',
//>     '{"slot":null,"recordId":157,"isCut":null}',
//>     '{"slot":null,"recordId":312,"isCut":null}'
//>   ],
//>   first: '{"slot":null,"recordId":1,"isCut":null}',
//>   last: '{"slot":null,"recordId":5000,"isCut":null}',
//>   descent: [
//>     {
//>       level: 1,
//>       compared: 3,
//>       near: '{"slot":4,"recordId":777,"isCut":null}',
//>       slot: 5
//>     },
//>     {
//>       level: 0,
//>       compared: 8,
//>       near: '{"slot":0,"recordId":777,"isCut":null}',
//>       slot: 0
//>     }
//>   ],
//>   walk: [
//>     '{"slot":0,"recordId":777,"isCut":null}',
//>     '{"slot":1,"recordId":778,"isCut":null}'
//>   ]
//> }
short(run({ quireTree: "teas", index: "price_1_name_-1", descend: { price: 7, name: "tea 04000" }, walk: 3 }))
//> {
//>   kind: 'index',
//>   index: 'price_1_name_-1',
//>   entries: 5000,
//>   height: 2,
//>   leaves: 10,
//>   nodes: 11,
//>   waiting: 0,
//>   root: [ 9, 10 ],
//>   keys: [
//>     '{"slot":null,"recordId":null,"isCut":null}',
//>     '{"slot":null,"price":5,"recordId":null,"isCut":true}',
//>     '{"slot":null,"price":10,"recordId":null,"isCut":true}'
//>   ],
//>   first: '{"slot":null,"price":0,"name":"tea 04950","recordId":4951,"isCut":null}',
//>   last: '{"slot":null,"price":49,"name":"tea 00049","recordId":50,"isCut":null}',
//>   descent: [
//>     {
//>       level: 1,
//>       compared: 4,
//>       near: '{"slot":0,"price":5,"recordId":null,"isCut":true}',
//>       slot: 1
//>     },
//>     {
//>       level: 0,
//>       compared: 9,
//>       near: '{"slot":190,"price":7,"name":"tea 03957","recordId":3958,"isCut":null}',
//>       slot: 190
//>     }
//>   ],
//>   walk: [
//>     '{"slot":190,"price":7,"name":"tea 03957","recordId":3958,"isCut":null}',
//>     '{"slot":191,"price":7,"name":"tea 03907","recordId":3908,"isCut":null}',
//>     '{"slot":192,"price":7,"name":"tea 03857","recordId":3858,"isCut":null}'
//>   ]
//> }
short(run({ quireTree: "teas", index: "tags_1", descend: { tags: "u3" }, walk: 1 }))
//> {
//>   kind: 'index',
//>   index: 'tags_1',
//>   entries: 10000,
//>   height: 2,
//>   leaves: 14,
//>   nodes: 15,
//>   waiting: 0,
//>   root: [ 13, 14 ],
//>   keys: [
//>     '{"slot":null,"recordId":null,"isCut":null}',
//>     '{"slot":null,"tags":"t0","recordId":2227,"isCut":null}',
//>     '{"slot":null,"tags":"t0","recordId":4453,"isCut":null}'
//>   ],
//>   first: '{"slot":null,"tags":"t0","recordId":1,"isCut":null}',
//>   last: '{"slot":null,"tags":"u4","recordId":5000,"isCut":null}',
//>   descent: [
//>     {
//>       level: 1,
//>       compared: 4,
//>       near: '{"slot":9,"tags":"u2","recordId":2103,"isCut":null}',
//>       slot: 10
//>     },
//>     {
//>       level: 0,
//>       compared: 10,
//>       near: '{"slot":579,"tags":"u2","recordId":4998,"isCut":null}',
//>       slot: 580
//>     }
//>   ],
//>   walk: [ '{"slot":580,"tags":"u3","recordId":4,"isCut":null}' ]
//> }
short(run({ quireTree: "teas", index: "name_hashed", descend: { name: "tea 00007" }, walk: 1 })).walk
//> [
//>   '{"slot":178,"name":-3840336805701849000,"recordId":8,"isCut":null}'
//> ]
short(run({ quireTree: "teas", index: "all", descend: { price: 4 }, walk: 1 })).walk
//> [ '{"slot":400,"price":4,"recordId":5,"isCut":null}' ]
short(run({ quireTree: "teas", index: "cheap", descend: { price: 1 }, walk: 1 }))
//> {
//>   kind: 'index',
//>   index: 'cheap',
//>   entries: 300,
//>   height: 1,
//>   leaves: 1,
//>   nodes: 1,
//>   waiting: 0,
//>   root: [ 300, undefined ],
//>   keys: undefined,
//>   first: undefined,
//>   last: '{"slot":null,"price":2,"recordId":4953,"isCut":null}',
//>   descent: [
//>     {
//>       level: 0,
//>       compared: 9,
//>       near: '{"slot":100,"price":1,"recordId":2,"isCut":null}',
//>       slot: 100
//>     }
//>   ],
//>   walk: [ '{"slot":100,"price":1,"recordId":2,"isCut":null}' ]
//> }
short(run({ quireTree: "teas", index: "folded", descend: { name: "TEA 00012" }, walk: 2 })).walk
//> [
//>   '{"slot":12,"name":"tea 00012","recordId":13,"isCut":null}',
//>   '{"slot":13,"name":"tea 00013","recordId":14,"isCut":null}'
//> ]
const tree = run({ quireTree: "teas", index: "price_1_name_-1", limit: 1 })
const below = run({ quireTree: "teas", index: "price_1_name_-1", page: tree.nodes[0].children[2].page })
;[tree.nodes.length, tree.waiting === tree.nodes[0].children.length, below.nodes[0].level, below.nodes.length]
//> [ 1, true, 0, 1 ]
const page = run({ quirePage: below.nodes[0].page })
page.fields.map(({ at, length, name, value }) => [at, length, name, /deployment|checksum|number|born|magic/.test(name) ? "…" : value])
//> [
//>   [ 0, 8, 'checksum', '…' ],
//>   [ 8, 8, 'number', '…' ],
//>   [ 16, 8, 'born', '…' ],
//>   [ 24, 2, 'magic', '…' ],
//>   [ 26, 1, 'kind', 1 ],
//>   [ 27, 1, 'level', 0 ],
//>   [ 28, 2, 'count', 526 ],
//>   [ 30, 2, 'lowestCell', 3234 ],
//>   [ 32, 2, 'garbage', 0 ],
//>   [ 34, 2, 'shared', 1 ],
//>   [ 36, 4, 'deployment', '…' ],
//>   [ 40, 4, 'link', 0 ],
//>   [ 44, 4, 'linkBorn', 0 ]
//> ]
;[page.owner, page.bytes.length(), page.cells.length === below.nodes[0].count, page.used === below.nodes[0].used, page.isOfMoment]
//> [
//>   { kind: 'index', ns: 'test.teas', index: 'price_1_name_-1' },
//>   16384,
//>   true,
//>   true,
//>   false
//> ]
const { at, length, head, ...cell } = page.cells[1]
cell
//> {
//>   keyLength: 21,
//>   key: { price: 10, name: 'tea 02110' },
//>   recordId: Long('2111'),
//>   valueLength: 0
//> }
const documents = run({ quirePage: run({ quireTree: "teas", limit: 2 }).nodes[1].page })
documents.cells.slice(0, 2).map(({ recordId, valueLength, overflow, value }) => [recordId, valueLength, typeof overflow, value])
//> [
//>   [ Long('1'), 40087, 'number', { _id: 0 } ],
//>   [
//>     Long('2'),
//>     87,
//>     'undefined',
//>     {
//>       _id: 1,
//>       name: 'tea 00001',
//>       price: 1,
//>       tags: [ 't1', 'u1' ],
//>       long: ''
//>     }
//>   ]
//> ]
const header = run({ quirePage: 0 })
;[header.owner.kind, header.fields.map((field) => field.at + " " + field.name), header.fields.find((field) => field.name === "pageCount").value == map.pages + 1]
//> [
//>   'header',
//>   [
//>     '0 magic',        '8 version',
//>     '12 pageSize',    '16 checksum',
//>     '24 sequence',    '32 pageCount',
//>     '40 freeFirst',   '44 freeBorn',
//>     '48 freePages',   '104 lineage',
//>     '208 deployment', '216 unmarked',
//>     '224 time',       '56 catalog',
//>     '112 moments',    '160 lists',
//>     '232 freeDelta'
//>   ],
//>   true
//> ]
run({ quireMoment: 1 })
db.teas.updateOne({ _id: 1 }, { $set: { price: 2 } })
const after = run({ quirePages: 1 })
const flags = bytesOf(after.flags), owners = bytesOf(after.owner)
const shared = [...Array(after.count).keys()].filter((page) => flags[page] & 2 && u16(owners, page * 2) >= 7).length
const kept = [...Array(after.count).keys()].filter((page) => u16(owners, page * 2) === 5).length
;[shared > 0, kept > 3, run({ quirePage: shared }).ok]
//> [ true, true, 1 ]
;[{ quireTree: "teas", index: "none" }, { quireTree: "none" }, { quireTree: "teas", page: 99999 }, { quireTree: "teas", descend: { a: 1 } }, { quireTree: "teas", index: "tags_1", descend: 5 },
  { quireTree: "teas", index: "cheap", descend: { price: 40 } }, { quirePage: 99999 }, { quirePage: -1 }, { quirePage: "x" }, { quirePages: 1, other: 1 }].map(run)
//> [
//>   '27 IndexNotFound index not found with name [none]',
//>   '26 NamespaceNotFound ns does not exist: test.none',
//>   '2 BadValue page 99999 is no page of this tree',
//>   "2 BadValue a collection's own tree is descended by a record's number",
//>   '2 BadValue an index is descended by the values of a document',
//>   '2 BadValue a document of these values has no key in the index',
//>   '2 BadValue the deployment has no page 99999',
//>   "14 TypeMismatch quirePage takes a page's number, or 0 for the header",
//>   "14 TypeMismatch quirePage takes a page's number, or 0 for the header",
//>   "40415 IDLUnknownField BSON field 'quirePages.other' is an unknown field."
//> ]
