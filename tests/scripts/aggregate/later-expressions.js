// Expressions that came with 8.2 and 8.3. Manual: release notes 8.2 and 8.3, $hash, $subtype, $serializeEJSON, $createObjectId
db.one.insertOne({_id: 1, name: "mint", bytes: BinData(128, "aGV5"), list: [0, 7, 2, 5, 4, 0], n: NumberLong(5)})
//> { acknowledged: true, insertedId: 1 }
db.one.aggregate([{$project: {_id: 0, at: {$currentDate: {}}, id: {$type: {$createObjectId: {}}}}}])
//> [ { at: ISODate('2026-01-01T00:00:00.000Z'), id: 'objectId' } ]
db.many.insertMany([{_id: 1}, {_id: 2}, {_id: 3}])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2, '2': 3 } }
db.many.aggregate([{$set: {id: {$createObjectId: {}}}}]).toArray().map(d => String(d.id)).filter((id, at, all) => all.indexOf(id) === at).length
//> 3
db.one.aggregate([{$project: {a: {$createObjectId: 1}}}])
//> MongoServerError[FailedToParse]: Invalid $project :: caused by :: $createObjectId does not accept arguments
db.one.aggregate([{$project: {a: {$currentDate: {a: 1}}}}])
//> MongoServerError[FailedToParse]: Invalid $project :: caused by :: $currentDate does not accept arguments
db.one.aggregate([{$project: {_id: 0, md5: {$hexHash: {input: "$name", algorithm: "md5"}}, sha: {$hexHash: {input: "$name", algorithm: "sha256"}}, xx: {$hexHash: {input: "$bytes", algorithm: "xxh64"}}, bytes: {$hash: {input: "$bytes", algorithm: "xxh64"}}, none: {$hash: {input: "$no", algorithm: "md5"}}}}])
//> [
//>   {
//>     md5: '8B823F49BA31CAA5CD88E520C2F82BDC',
//>     sha: 'DC6F17BBEC824FFF8F86587966B2047DB6AB736785840151F13D1DAB124E2A54',
//>     xx: '5AFE4CF2315E12FE',
//>     bytes: Binary.createFromBase64('Wv5M8jFeEv4=', 0),
//>     none: null
//>   }
//> ]
db.one.aggregate([{$project: {a: {$hash: {input: "$list", algorithm: "md5"}}}}])
//> MongoServerError[Location10754000]: Executor error during aggregate command on namespace: test.one :: caused by :: $hash requires that 'input' be a valid UTF-8 string or binData, found: array with value [ 0, 7, 2, 5, 4, 0 ]
db.one.aggregate([{$project: {a: {$hexHash: {input: "$name", algorithm: "sha1"}}}}])
//> MongoServerError[Location10754002]: Executor error during aggregate command on namespace: test.one :: caused by :: Currently, the only supported algorithms for $hash are 'md5', 'sha256' and 'xxh64', found: sha1
db.one.aggregate([{$project: {a: {$hexHash: {input: "$name", algorithm: "$no"}}}}])
//> MongoServerError[Location10754001]: Executor error during aggregate command on namespace: test.one :: caused by :: $hash requires that 'algorithm' be a string, found: missing with value missing
db.one.aggregate([{$project: {_id: 0, own: {$subtype: "$bytes"}, none: {$subtype: "$no"}, uuid: {$subtype: {$toUUID: "00112233-4455-6677-8899-aabbccddeeff"}}}}])
//> [ { own: 128, none: null, uuid: 4 } ]
db.one.aggregate([{$project: {a: {$subtype: "$name"}}}])
//> MongoServerError[Location10389300]: Executor error during aggregate command on namespace: test.one :: caused by :: $subtype requires a BinData argument, found: string
db.one.aggregate([{$project: {_id: 0, relaxed: {$toString: {$serializeEJSON: {input: "$$ROOT"}}}, canonical: {$toString: {$serializeEJSON: {input: "$$ROOT", relaxed: false}}}}}])
//> [
//>   {
//>     relaxed: '{"_id":1,"name":"mint","bytes":{"$binary":{"base64":"aGV5","subType":"80"}},"list":[0,7,2,5,4,0],"n":5}',
//>     canonical: '{"_id":{"$numberInt":"1"},"name":"mint","bytes":{"$binary":{"base64":"aGV5","subType":"80"}},"list":[{"$numberInt":"0"},{"$numberInt":"7"},{"$numberInt":"2"},{"$numberInt":"5"},{"$numberInt":"4"},{"$numberInt":"0"}],"n":{"$numberLong":"5"}}'
//>   }
//> ]
db.one.aggregate([{$project: {_id: 0, same: {$eq: ["$$ROOT", {$deserializeEJSON: {input: {$toObject: {$toString: {$serializeEJSON: {input: "$$ROOT", relaxed: false}}}}}}]}}}])
//> [ { same: true } ]
db.one.aggregate([{$project: {_id: 0, a: {$deserializeEJSON: {input: {$toObject: '{"$numberLong": 1}'}, onError: "bad"}}}}])
//> [ { a: 'bad' } ]
db.one.aggregate([{$project: {_id: 0, a: {$deserializeEJSON: {input: {$toObject: '{"$numberLong": 1}'}}}}}])
//> MongoServerError[ConversionFailure]: Failed to optimize pipeline :: caused by :: $numberLong value is not valid Extended JSON
db.one.aggregate([{$project: {_id: 0, a: {$serializeEJSON: {input: 1, relaxed: 1}}}}])
//> MongoServerError[BadValue]: Failed to optimize pipeline :: caused by :: Unexpected value for relaxed: 1
db.one.aggregate([{$project: {_id: 0, text: {$toString: {a: ["$name", 1.5, null], b: ISODate("2026-01-01")}}, regex: {$toString: {$literal: /^a/i}}, time: {$toString: Timestamp(1, 2)}, least: {$toString: MinKey()}}}])
//> [
//>   {
//>     text: '{"a":["mint",1.5,null],"b":"2026-01-01T00:00:00.000Z"}',
//>     regex: '/^a/i',
//>     time: 'Timestamp(1, 2)',
//>     least: 'MinKey'
//>   }
//> ]
db.one.aggregate([{$project: {_id: 0, object: {$toObject: '{"a": [1, 2.5], "a": {"b": null}}'}, array: {$toArray: "[true, \"x\"]"}, none: {$toArray: "$no"}}}])
//> [ { object: { a: { b: null } }, array: [ true, 'x' ], none: null } ]
db.one.aggregate([{$project: {a: {$toArray: "{}"}}}])
//> MongoServerError[ConversionFailure]: Failed to optimize pipeline :: caused by :: Input doesn't match expected type 'array'
db.one.aggregate([{$project: {a: {$toObject: "{'a': 1}"}}}])
//> MongoServerError[ConversionFailure]: Failed to optimize pipeline :: caused by :: Input doesn't represent valid JSON
db.one.aggregate([{$project: {_id: 0, hex: {$convert: {input: 255, to: "string", base: 16}}, back: {$convert: {input: "ff", to: "int", base: 16}}, bits: {$convert: {input: "$n", to: "string", base: 2}}, caught: {$convert: {input: 1.5, to: "string", base: 2, onError: "no"}}}}])
//> [ { hex: 'FF', back: 255, bits: '101', caught: 'no' } ]
db.one.aggregate([{$project: {a: {$convert: {input: "8", to: "int", base: 8}}}}])
//> MongoServerError[ConversionFailure]: Failed to optimize pipeline :: caused by :: Failed to parse number '8' in $convert with no onError value: Did not consume whole string.
db.one.aggregate([{$project: {a: {$convert: {input: "8", to: "int", base: 3}}}}])
//> MongoServerError[Location3501301]: Failed to optimize pipeline :: caused by :: In $convert, 'base' argument is not a valid base
db.one.aggregate([{$project: {a: {$convert: {input: "8", to: "int", base: "x"}}}}])
//> MongoServerError[Location3501300]: Failed to optimize pipeline :: caused by :: In $convert, 'base' argument is not an integer
db.one.aggregate([{$set: {vector: {$convert: {input: "$list", to: {type: "binData", subtype: 9}}}}}, {$project: {_id: 0, vector: 1, back: {$convert: {input: "$vector", to: "array"}}}}])
//> [
//>   {
//>     vector: Binary.createFromBase64('AwAABwIFBAA=', 9),
//>     back: [ 0, 7, 2, 5, 4, 0 ]
//>   }
//> ]
db.one.aggregate([{$project: {a: {$convert: {input: "$bytes", to: "array"}}}}])
//> MongoServerError[ConversionFailure]: Executor error during aggregate command on namespace: test.one :: caused by :: Unsupported conversion from binData to array in $convert with no onError value
db.one.aggregate([{$project: {_id: 0, fixed: {$filter: {input: "$list", cond: {$eq: ["$$this", "$$IDX"]}}}, numbered: {$map: {input: "$list", arrayIndexAs: "i", in: {$add: ["$$i", "$$this"]}}}, sum: {$reduce: {input: "$list", initialValue: 0, in: {$add: ["$$value", {$multiply: ["$$this", "$$IDX"]}]}}}, named: {$reduce: {input: "$list", initialValue: 0, as: "x", valueAs: "all", in: {$max: ["$$x", "$$all"]}}}}}])
//> [
//>   {
//>     fixed: [ 0, 2, 4 ],
//>     numbered: [ 0, 8, 4, 8, 8, 5 ],
//>     sum: 42,
//>     named: 7
//>   }
//> ]
db.one.aggregate([{$project: {a: {$map: {input: "$list", arrayIndexAs: "i", in: "$$IDX"}}}}])
//> MongoServerError[Location17276]: Invalid $project :: caused by :: Use of undefined variable: IDX
db.one.aggregate([{$project: {a: {$map: {input: "$list", as: "i", arrayIndexAs: "i", in: 1}}}}])
//> MongoServerError[Location9375801]: Invalid $project :: caused by :: The name 'i' was given to two variables
db.one.aggregate([{$project: {a: {$reduce: {input: "$list", initialValue: 0, as: "x", valueAs: "x", in: 1}}}}])
//> MongoServerError[Location9298401]: Invalid $project :: caused by :: The name 'x' was given to two variables
db.marks.insertMany([{_id: 1, a: 1, o: {x: 1}}, {_id: 2, a: 5, o: {y: 2}}, {_id: 3, a: 13, o: {x: 3}}, {_id: 4, a: 21}])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2, '2': 3, '3': 4 } }
db.marks.aggregate([{$setWindowFields: {sortBy: {a: 1}, output: {scaled: {$minMaxScaler: "$a"}, to100: {$minMaxScaler: {input: "$a", min: 0, max: 100}}, near: {$minMaxScaler: {input: "$a"}, window: {documents: [-1, 1]}}}}}, {$project: {_id: 0, o: 0}}])
//> [
//>   { a: 1, scaled: 0, to100: 0, near: 0 },
//>   { a: 5, scaled: 0.2, to100: 20, near: 0.3333333333333333 },
//>   { a: 13, scaled: 0.6, to100: 60, near: 0.5 },
//>   { a: 21, scaled: 1, to100: 100, near: 1 }
//> ]
db.marks.aggregate([{$setWindowFields: {sortBy: {a: 1}, output: {s: {$minMaxScaler: {input: "$a", min: 0}}}}}])
//> MongoServerError[FailedToParse]: Only one of 'min' and 'max' were specified as an argument to $minMaxScaler. Neither or both must be specified
db.marks.aggregate([{$setWindowFields: {sortBy: {a: 1}, output: {s: {$minMaxScaler: {input: "$a"}, window: {documents: [1, 2]}}}}}])
//> MongoServerError[FailedToParse]: The bounds of $minMaxScaler must have the current document between them: the lower must not be greater than 0, the upper not less
db.marks.aggregate([{$setWindowFields: {sortBy: {a: 1}, output: {s: {$minMaxScaler: {input: "$o"}}}}}])
//> MongoServerError[Location10487000]: Executor error during aggregate command on namespace: test.marks :: caused by :: 'input' argument to $minMaxScaler must evaluate to a numeric type, got: object
db.marks.aggregate([{$setWindowFields: {sortBy: {_id: 1}, output: {all: {$mergeObjects: "$o", window: {documents: ["unbounded", "current"]}}, near: {$mergeObjects: "$o", window: {documents: [-1, 0]}}}}}, {$project: {a: 0, o: 0}}])
//> [
//>   { _id: 1, all: { x: 1 }, near: { x: 1 } },
//>   { _id: 2, all: { x: 1, y: 2 }, near: { x: 1, y: 2 } },
//>   { _id: 3, all: { x: 3, y: 2 }, near: { y: 2, x: 3 } },
//>   { _id: 4, all: { x: 3, y: 2 }, near: { x: 3 } }
//> ]
