// Bitwise expressions, constants, UUIDs and timestamps' parts: types in and out, null and missing, refusals.
//
// Manual: reference/operator/aggregation
const ev = (e) => { try { const r = db.valves.aggregate([{$project: {_id: 0, r: e}}]).toArray()[0]; return "r" in r ? r.r : "missing" } catch (x) { return x.code + " " + x.message.replace(/^.* :: caused by :: /, "") } }
db.valves.insertOne({_id: 1, open: 12, mask: 10, wide: Long("4294967296"), d: 1.5, n: null, s: "shut", ts: Timestamp({t: 1700000000, i: 7}), when: new Date(0), uuid: "a1b2c3d4-0000-4000-8000-1234567890ab"}).acknowledged
//> true
[ev({$bitXor: ["$open", "$mask"]}), ev({$bitXor: ["$open", "$wide"]}), ev({$bitXor: ["$open", "$open"]}), ev({$bitXor: [1, 2, 4]}), ev({$bitXor: []}), ev({$bitXor: "$open"}), ev({$bitXor: ["$open", "$n"]}), ev({$bitXor: ["$nowhere", 1]}), ev({$bitAnd: ["$open", "$mask"]}), ev({$bitOr: ["$open", "$mask"]}), ev({$bitNot: "$open"})]
//> [ 6, Long('4294967308'), 0, 7, 0, 12, null, null, 8, 14, -13 ]
[ev({$bitXor: ["$open", "$d"]}), ev({$bitXor: ["$open", "$s"]}), ev({$bitXor: [2.0, Decimal128("1")]}), ev({$bitNot: "$d"}), ev({$bitNot: [1, 2]})]
//> [
//>   '14 $bitXor only supports int and long operands.',
//>   '14 $bitXor only supports int and long operands.',
//>   '14 $bitXor only supports int and long operands.',
//>   '14 $bitNot only supports int and long, not: double.',
//>   '16020 Expression $bitNot takes exactly 1 argument. 2 were passed in.'
//> ]
// $const is $literal's other name: nothing within it is evaluated.
[ev({$const: "$open"}), ev({$const: {$add: [1, 2]}}), ev({$const: null}), ev({$const: [1, "$open"]}), ev({$literal: "$open"}), ev({$eq: [{$const: 12}, "$open"]})]
//> [ '$open', { '$add': [ 1, 2 ] }, null, [ 1, '$open' ], '$open', true ]
[ev({$toUUID: "$uuid"}), ev({$type: {$toUUID: "$uuid"}}), ev({$toUUID: "$n"}), ev({$toUUID: "$nowhere"}), ev({$toUUID: UUID("00112233-4455-6677-8899-aabbccddeeff")})]
//> [
//>   UUID('a1b2c3d4-0000-4000-8000-1234567890ab'),
//>   'binData',
//>   null,
//>   null,
//>   UUID('00112233-4455-6677-8899-aabbccddeeff')
//> ]
[ev({$toUUID: "$s"}), ev({$toUUID: 5}), ev({$toUUID: ["a", "b"]})]
//> [
//>   "241 Failed to parse BinData 'shut' in $convert with no onError value: Invalid UUID string: shut",
//>   '241 Unsupported conversion from int to binData in $convert with no onError value',
//>   '50723 $toUUID requires a single argument, got 2'
//> ]
[ev({$tsIncrement: "$ts"}), ev({$tsSecond: "$ts"}), ev({$tsIncrement: "$n"}), ev({$tsIncrement: "$nowhere"}), ev({$type: {$tsIncrement: "$ts"}}), ev({$tsIncrement: "$when"}), ev({$tsIncrement: "$s"}), ev({$tsSecond: 5}), ev({$tsIncrement: ["$ts", "$ts"]})]
//> [
//>   Long('7'),
//>   Long('1700000000'),
//>   null,
//>   null,
//>   'long',
//>   '5687302  Argument to $tsIncrement must be a timestamp, but is date',
//>   '5687302  Argument to $tsIncrement must be a timestamp, but is string',
//>   '5687301  Argument to $tsSecond must be a timestamp, but is int',
//>   '16020 Expression $tsIncrement takes exactly 1 argument. 2 were passed in.'
//> ]
// Arguments are looked at up to the first that is null or missing.
const bits = (expression) => { try { return db.aggregate([{$documents: [{}]}, {$project: {r: expression}}]).toArray()[0].r } catch (error) { return error.code } }
;[{$bitAnd: [null, "x"]}, {$bitOr: ["x", null]}, {$bitXor: ["$missing", "x"]}, {$bitXor: [1, null, "x"]}].map(bits)
//> [ null, 14, null, null ]
