// $convert between text and bytes: formats, subtypes, and what is refused; $toString and $toUUID beside it.
//
// Manual: reference/operator/aggregation/convert
const ev = (e) => { try { return db.bytes.aggregate([{$project: {_id: 0, r: e}}]).toArray()[0].r } catch (x) { return x.code + " " + x.message.replace(/^.* :: caused by :: (?=[^:]*$|Failed|Format)/, "") } }
const conv = (input, to, format, more = {}) => ev({$convert: {input, to, ...(format === undefined ? {} : {format}), ...more}})
db.bytes.insertOne({_id: 1, text: "hn3uUsMxSE6S0cVkebjmfg==", uuid: UUID("867dee52-c331-484e-92d1-c56479b8e67e"), raw: BinData(0, "hn3uUsMxSE6S0cVkebjmfg=="), word: BinData(0, "xb5sdcWl"), n: 5}).acknowledged
//> true
[conv("$text", "binData", "base64"), conv("hn3uUsMxSE6S0cVkebjmfg", {type: "binData"}, "base64url"), conv("867DEE52", {type: 5, subtype: 128}, "hex"), conv("žluť", "binData", "utf8"), conv("867dee52-c331-484e-92d1-c56479b8e67e", {type: "binData", subtype: 4}, "uuid")]
//> [
//>   Binary.createFromBase64('hn3uUsMxSE6S0cVkebjmfg==', 0),
//>   Binary.createFromBase64('hn3uUsMxSE6S0cVkebjmfg==', 0),
//>   Binary.createFromBase64('hn3uUg==', 128),
//>   Binary.createFromBase64('xb5sdcWl', 0),
//>   UUID('867dee52-c331-484e-92d1-c56479b8e67e')
//> ]
[conv("$raw", "string", "base64"), conv("$raw", "string", "base64url"), conv("$raw", "string", "hex"), conv("$word", "string", "utf8"), conv("$uuid", "string", "uuid"), conv("$uuid", "string", "auto"), conv("$raw", "string", "auto"), conv("$uuid", "string", "base64")]
//> [
//>   'hn3uUsMxSE6S0cVkebjmfg==',
//>   'hn3uUsMxSE6S0cVkebjmfg',
//>   '867DEE52C331484E92D1C56479B8E67E',
//>   'žluť',
//>   '867dee52-c331-484e-92d1-c56479b8e67e',
//>   '867dee52-c331-484e-92d1-c56479b8e67e',
//>   'hn3uUsMxSE6S0cVkebjmfg==',
//>   'hn3uUsMxSE6S0cVkebjmfg=='
//> ]
[conv("$raw", "binData"), conv("$uuid", {type: "binData", subtype: 4}), conv("$uuid", "binData"), conv("$raw", {type: "binData", subtype: 4})]
//> [
//>   Binary.createFromBase64('hn3uUsMxSE6S0cVkebjmfg==', 0),
//>   UUID('867dee52-c331-484e-92d1-c56479b8e67e'),
//>   '241 Conversions between different BinData subtypes are not supported',
//>   '241 Conversions between different BinData subtypes are not supported'
//> ]
[ev({$toString: "$uuid"}), ev({$toString: "$raw"}), ev({$toUUID: "867dee52-c331-484e-92d1-c56479b8e67e"}), ev({$toUUID: "$raw"}), ev({$toUUID: "867dee--52"}), conv("$raw", "bool")]
//> [
//>   '867dee52-c331-484e-92d1-c56479b8e67e',
//>   'hn3uUsMxSE6S0cVkebjmfg==',
//>   UUID('867dee52-c331-484e-92d1-c56479b8e67e'),
//>   '241 Conversions between different BinData subtypes are not supported',
//>   "241 Failed to parse BinData '867dee--52' in $convert with no onError value: Invalid UUID string: 867dee--52",
//>   true
//> ]
// The format must be there, and fit; onError catches what the value's content refuses.
[conv("$text", "binData"), conv("$raw", "string"), conv("$text", "binData", 5), conv("$text", "binData", "base32"), conv("$text", "binData", null), conv("$missing", "binData"), conv("$missing", "binData", undefined, {onNull: "none"})]
//> [
//>   "4341115 Format must be speficied when converting from 'string' to 'binData'",
//>   "4341115 Format must be speficied when converting from 'binData' to 'string'",
//>   "4341114 Executor error during aggregate command on namespace: test.bytes :: caused by :: $convert requires that 'format' be a string, found: int with value 5",
//>   "4341125 Executor error during aggregate command on namespace: test.bytes :: caused by :: Invalid 'format' argument for $convert: base32",
//>   "4341115 Format must be speficied when converting from 'string' to 'binData'",
//>   null,
//>   'none'
//> ]
[conv("$text", "binData", "auto"), conv("$text", "binData", "uuid"), conv("$text", {type: "binData", subtype: 4}, "base64"), conv("867dee--52", "binData", "hex"), conv("abc", "binData", "base64"), conv("a+b=", "binData", "base64url"), conv("$raw", "string", "uuid"), conv("$raw", "string", "utf8")]
//> [
//>   "241 Failed to parse BinData 'hn3uUsMxSE6S0cVkebjmfg==' in $convert with no onError value: Invalid format 'auto'",
//>   "241 Failed to parse BinData 'hn3uUsMxSE6S0cVkebjmfg==' in $convert with no onError value: Only the 'uuid' format is allowed with the UUID subtype",
//>   "241 Failed to parse BinData 'hn3uUsMxSE6S0cVkebjmfg==' in $convert with no onError value: Only the 'uuid' format is allowed with the UUID subtype",
//>   "241 Failed to parse BinData '867dee--52' in $convert with no onError value: Invalid hexadecimal string: 867dee--52",
//>   "241 Failed to parse BinData 'abc' in $convert with no onError value: invalid base64",
//>   "241 Failed to parse BinData 'a+b=' in $convert with no onError value: invalid base64",
//>   "241 Failed to convert 'BinData(0, 867DEE52C331484E92D1C56479B8E67E)' to string in $convert with no onError value: BinData does not represent a valid UUID",
//>   "241 Failed to convert 'BinData(0, 867DEE52C331484E92D1C56479B8E67E)' to string in $convert with no onError value: BinData does not represent a valid UTF-8 string"
//> ]
[conv("abc", "binData", "base64", {onError: "bad"}), conv("$n", "binData", "base64", {onError: "bad"}), conv("$raw", "int", undefined, {onError: "bad"}), conv("$text", "binData", undefined, {onError: "bad"})]
//> [
//>   'bad',
//>   Binary.createFromBase64('BQAAAA==', 0),
//>   'bad',
//>   "4341115 Format must be speficied when converting from 'string' to 'binData'"
//> ]
[conv("$text", {type: "binData", subtype: 9}, "base64"), conv("$text", {type: "binData", subtype: 1.5}, "base64"), conv("$text", {type: "binData", subtype: "x"}, "base64"), conv("$text", {subtype: 0}, "base64"), conv("$text", {type: "binData", kind: 1}, "base64"), conv("$n", {type: "string"}), conv("$n", "binData", "base64"), ev({$convert: {input: 1, to: "binData", byteOrder: "little"}})]
//> [
//>   Binary.createFromBase64('hn3uUsMxSE6S0cVkebjmfg==', 9),
//>   "4341106 In $convert, numeric 'subtype' argument is not an integer",
//>   "4341108 For BinData, $convert's 'subtype' argument must be a number, but is string",
//>   "9 $convert's 'to' argument must be a string or number, but is missing",
//>   Binary.createFromBase64('hn3uUsMxSE6S0cVkebjmfg==', 0),
//>   '5',
//>   Binary.createFromBase64('BQAAAA==', 0),
//>   Binary.createFromBase64('AQAAAA==', 0)
//> ]
