// bsonsize and Object.bsonsize count the bytes of a document as it is stored: what $bsonSize says of it.
//
// Manual: reference/operator/aggregation/bsonSize, reference/method (Object.bsonsize)
bsonsize({})
//> 5
bsonsize({ a: NumberInt(1), b: "text" })
//> 24
[bsonsize([]), bsonsize([1, "two"]), Object.bsonsize({ a: [1] }), Object.bsonsize(null), typeof bsonsize({})]
//> [ 5, 23, 20, 0, 'number' ]
const values = {
  int: 7, double: 1.5, zero: -0, large: 2 ** 31, Int32: NumberInt(5), Double: Double(5), Long: NumberLong(5), bigint: 5n, Decimal128: NumberDecimal("1.5"),
  empty: "", text: "plain", accents: "naïve é", wide: "水 你好", pair: "🌱 x", half: "a\ud83d", escapes: 'q"\\\n\u0001',
  yes: true, none: null, undef: undefined, nan: NaN, infinite: -Infinity,
  id: ObjectId("507f1f77bcf86cd799439011"), date: new Date(5), early: new Date(-1), stamp: Timestamp({ t: 1, i: 2 }), min: MinKey(), max: MaxKey(),
  binary: BinData(0, "AAEC"), binary1: BinData(0, "AA=="), binary2: BinData(0, "AAE="), nothing: BinData(0, ""), old: BinData(2, "AAECAw=="), uuid: UUID("00112233-4455-6677-8899-aabbccddeeff"), md5: MD5("00112233445566778899aabbccddeeff"),
  pattern: /ab+é/gims, bsonPattern: BSONRegExp("a{1,}b", "ix"), code: Code("function () { return 1 }"), scoped: Code("return x", { x: 1, y: "é" }), fn: function () { return 1 }, symbol: BSONSymbol("sym"),
  ref: DBRef("c", 1), refs: DBRef("c", ObjectId("507f1f77bcf86cd799439011"), "other"),
  list: [1, 2.5, "x", [], {}, [[1]]], long: Array(120).fill(1), nested: { a: { b: { c: [{ d: 1 }, null] } } }, map: new Map([["x", 1], ["y", "z"]]), toBSON: { toBSON: () => ({ a: 1 }) },
}
const stored = (id) => db.sizes.aggregate([{ $match: { _id: id } }, { $project: { size: { $bsonSize: "$$ROOT" } } }]).next().size
const counts = Object.entries(values).map(([name, value]) => {
  const document = { _id: name, value, [name + " é"]: value }
  db.sizes.insertOne(document)
  const size = stored(name)
  return [name, size, bsonsize(document) - size, Object.bsonsize(document) - size, bsonsize(db.sizes.findOne({ _id: name })) - size]
})
counts.filter(([, size, ...differences]) => !(size > 0) || differences.some((one) => one !== 0))
//> []
counts.map(([name, size]) => name + " " + size).join(", ")
//> int 41, double 55, zero 51, large 53, Int32 45, Double 55, Long 51, bigint 55, Decimal128 79, empty 47, text 55, accents 69, wide 65, pair 57, half 53, escapes 61, yes 35, none 35, undef 37, nan 49, infinite 59, id 55, date 51, early 53, stamp 53, min 33, max 33, binary 55, binary1 53, binary2 55, nothing 51, old 59, uuid 77, md5 75, pattern 61, bsonPattern 69, code 93, scoped 117, fn 89, symbol 55, ref 85, refs 133, list 177, long 1985, nested 133, map 75, toBSON 63
// What came from the engine counts as it is stored there, until it is changed.
db.sizes.insertOne({ _id: "whole", a: Double(5), b: [Double(6), 6.5] })
//> { acknowledged: true, insertedId: 'whole' }
const whole = db.sizes.findOne({ _id: "whole" })
whole.b.push(7);
[stored("whole"), bsonsize(db.sizes.findOne({ _id: "whole" })), bsonsize(whole), bsonsize({ ...whole, a: 6 })]
//> [ 61, 61, 68, 64 ]
// A server's functions have Object.bsonsize, of their own document as of any other.
db.sizes.find({ _id: { $ne: "half" }, $where: function () { return Object.bsonsize(this) >= 700 } }, { _id: 1 }).toArray()
//> [ { _id: 'long' } ]
db.sizes.aggregate([{ $match: { _id: { $in: ["whole", "text", "list"] } } }, { $sort: { _id: 1 } }, { $project: { size: { $function: { body: "function(document) { return [Object.bsonsize(document), Object.bsonsize({ a: document._id }), Object.bsonsize(null)] }", args: ["$$ROOT"], lang: "js" } }, said: { $bsonSize: "$$ROOT" } } }]).toArray()
//> [
//>   { _id: 'list', size: [ 177, 17, 0 ], said: 177 },
//>   { _id: 'text', size: [ 55, 17, 0 ], said: 55 },
//>   { _id: 'whole', size: [ 61, 18, 0 ], said: 61 }
//> ]
// What is no document.
const error = (f) => { try { return f() } catch (e) { return e.name + ": " + e.message } }
error(() => bsonsize())
//> MongoshInvalidInputError: [COMMON-10001] Missing required argument at position 0 (bsonsize)
error(() => bsonsize(5))
//> MongoshInvalidInputError: [COMMON-10001] Argument at position 0 must be of type object, got number instead (bsonsize)
error(() => bsonsize("text"))
//> MongoshInvalidInputError: [COMMON-10001] Argument at position 0 must be of type object, got string instead (bsonsize)
error(() => bsonsize(null))
//> MongoshInvalidInputError: [COMMON-10001] Argument at position 0 must be of type object, got null instead (bsonsize)
error(() => bsonsize(ObjectId()))
//> MongoshInvalidInputError: [COMMON-10001] Argument at position 0 must be of type object, got ObjectId instead (bsonsize)
error(() => bsonsize(new Date()))
//> MongoshInvalidInputError: [COMMON-10001] Argument at position 0 must be of type object, got Date instead (bsonsize)
error(() => Object.bsonsize())
//> Error: bsonsize needs 1 argument
error(() => Object.bsonsize({}, {}))
//> Error: bsonsize needs 1 argument
error(() => Object.bsonsize(5))
//> Error: argument to bsonsize has to be an object
error(() => { const loop = {}; loop.loop = loop; return bsonsize(loop) })
//> RangeError: the document is nested too deeply, or refers to itself (at loop.loop.loop.loop.loop.loop.loop.loop.loop.loop.loop.loop…)
// It is no name of a document, and the next script finds it as it was.
Object.bsonsize = null
//> null
[Object.keys(Object), Object.bsonsize({})]
//> [ [], 5 ]
