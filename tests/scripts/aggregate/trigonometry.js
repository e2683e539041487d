// Trigonometry over a sensor's angles: exact points, null and missing, bounds and types. Rounded to what every libm agrees on.
//
// Manual: reference/operator/aggregation/#trigonometry-expression-operators
const ev = (e) => { try { const r = db.angles.aggregate([{$project: {_id: 0, r: e}}]).toArray()[0]; return "r" in r ? r.r : "missing" } catch (x) { return x.code + " " + x.message.replace(/^.* :: caused by :: /, "") } }
const round = (e) => ev({$round: [e, 10]})
db.angles.insertOne({_id: "vane", deg: 60, half: 0.5, one: 1, long: Long(1), dec: Decimal128("0.5"), inf: Infinity, nan: NaN, n: null, s: "north"}).acknowledged
//> true
[round({$sin: {$degreesToRadians: 30}}), round({$cos: {$degreesToRadians: "$deg"}}), round({$tan: {$degreesToRadians: 45}}), ev({$sin: 0}), ev({$cos: 0}), ev({$tan: 0})]
//> [ 0.5, 0.5, 1, 0, 1, 0 ]
[round({$radiansToDegrees: {$asin: "$half"}}), round({$radiansToDegrees: {$acos: "$half"}}), round({$radiansToDegrees: {$atan: "$long"}}), round({$radiansToDegrees: {$atan2: [1, -1]}}), ev({$atan2: [0, 1]})]
//> [ 30, 60, 45, 135, 0 ]
[ev({$sinh: 0}), ev({$cosh: 0}), ev({$tanh: 0}), round({$sinh: "$one"}), round({$cosh: "$one"}), round({$tanh: "$one"}), ev({$asinh: 0}), ev({$acosh: 1}), ev({$atanh: 0}), round({$asinh: "$one"}), round({$acosh: 2}), round({$atanh: "$half"}), ev({$atanh: 1}), ev({$atanh: -1})]
//> [
//>              0,            1,
//>              0, 1.1752011936,
//>   1.5430806348,  0.761594156,
//>              0,            0,
//>              0,  0.881373587,
//>   1.3169578969, 0.5493061443,
//>       Infinity,    -Infinity
//> ]
// A decimal argument gives a decimal.
[ev({$type: {$sin: "$dec"}}), round({$sin: "$dec"}), round({$cos: "$dec"}), round({$acos: "$dec"}), round({$atan2: ["$dec", "$half"]}), round({$degreesToRadians: Decimal128("180")})]
//> [
//>   'decimal',
//>   Decimal128('0.4794255386'),
//>   Decimal128('0.8775825619'),
//>   Decimal128('1.0471975512'),
//>   Decimal128('0.7853981634'),
//>   Decimal128('3.1415926536')
//> ]
const names = ["$acos", "$acosh", "$asin", "$asinh", "$atan", "$atanh", "$cos", "$cosh", "$degreesToRadians", "$radiansToDegrees", "$sin", "$sinh", "$tan", "$tanh"]
// Null and missing give null.
names.map((name) => ev({[name]: "$n"})).concat(names.map((name) => ev({[name]: "$nowhere"}))).every((r) => r === null)
//> true
[ev({$atan2: ["$n", 1]}), ev({$atan2: [1, "$nowhere"]}), ev({$atan2: [1]}), ev({$atan2: ["$s", 1]}), ev({$atan2: [1, "$s"]})]
//> [
//>   null,
//>   null,
//>   '16020 Expression $atan2 takes exactly 2 arguments. 1 were passed in.',
//>   '51044 $atan2 only supports numeric types, not string',
//>   '51045 $atan2 only supports numeric types, not string'
//> ]
// NaN stays NaN.
names.every((name) => Number.isNaN(ev({[name]: "$nan"})))
//> true
// Anything but a number is refused.
names.map((name) => ev({[name]: "$s"}))
//> [
//>   '28765 $acos only supports numeric types, not string',
//>   '28765 $acosh only supports numeric types, not string',
//>   '28765 $asin only supports numeric types, not string',
//>   '28765 $asinh only supports numeric types, not string',
//>   '28765 $atan only supports numeric types, not string',
//>   '28765 $atanh only supports numeric types, not string',
//>   '28765 $cos only supports numeric types, not string',
//>   '28765 $cosh only supports numeric types, not string',
//>   '28765 $degreesToRadians only supports numeric types, not string',
//>   '28765 $radiansToDegrees only supports numeric types, not string',
//>   '28765 $sin only supports numeric types, not string',
//>   '28765 $sinh only supports numeric types, not string',
//>   '28765 $tan only supports numeric types, not string',
//>   '28765 $tanh only supports numeric types, not string'
//> ]
names.map((name) => ev({[name]: [1, 2]}))
//> [
//>   '16020 Expression $acos takes exactly 1 argument. 2 were passed in.',
//>   '16020 Expression $acosh takes exactly 1 argument. 2 were passed in.',
//>   '16020 Expression $asin takes exactly 1 argument. 2 were passed in.',
//>   '16020 Expression $asinh takes exactly 1 argument. 2 were passed in.',
//>   '16020 Expression $atan takes exactly 1 argument. 2 were passed in.',
//>   '16020 Expression $atanh takes exactly 1 argument. 2 were passed in.',
//>   '16020 Expression $cos takes exactly 1 argument. 2 were passed in.',
//>   '16020 Expression $cosh takes exactly 1 argument. 2 were passed in.',
//>   '16020 Expression $degreesToRadians takes exactly 1 argument. 2 were passed in.',
//>   '16020 Expression $radiansToDegrees takes exactly 1 argument. 2 were passed in.',
//>   '16020 Expression $sin takes exactly 1 argument. 2 were passed in.',
//>   '16020 Expression $sinh takes exactly 1 argument. 2 were passed in.',
//>   '16020 Expression $tan takes exactly 1 argument. 2 were passed in.',
//>   '16020 Expression $tanh takes exactly 1 argument. 2 were passed in.'
//> ]
// Infinity is outside the domain of some, and so are numbers beyond a bound.
names.map((name) => ev({[name]: "$inf"}))
//> [
//>   '50989 cannot apply $acos to inf, value must in [-1,1]',
//>   Infinity,
//>   '50989 cannot apply $asin to inf, value must in [-1,1]',
//>   Infinity,
//>   1.5707963267948966,
//>   '50989 cannot apply $atanh to inf, value must in [-1,1]',
//>   '50989 cannot apply $cos to inf, value must in (-inf,inf)',
//>   Infinity,
//>   Infinity,
//>   Infinity,
//>   '50989 cannot apply $sin to inf, value must in (-inf,inf)',
//>   Infinity,
//>   '50989 cannot apply $tan to inf, value must in (-inf,inf)',
//>   1
//> ]
[ev({$acos: 1.5}), ev({$asin: -1.5}), ev({$acosh: 0.5}), ev({$atanh: 2}), ev({$acos: Decimal128("1.5")})]
//> [
//>   '50989 cannot apply $acos to 1.5, value must in [-1,1]',
//>   '50989 cannot apply $asin to -1.5, value must in [-1,1]',
//>   '50989 cannot apply $acosh to 0.5, value must in [1,inf]',
//>   '50989 cannot apply $atanh to 2, value must in [-1,1]',
//>   '50989 cannot apply $acos to 1.5, value must in [-1,1]'
//> ]
// Decimals have 34 digits.
db.dec.insertOne({_id: 1, h: NumberDecimal("0.5"), two: NumberDecimal("2"), big: NumberDecimal("123456.789")}).acknowledged
//> true
const dec = (e) => { try { return db.dec.aggregate([{$project: {_id: 0, r: e}}]).toArray()[0].r.toString() } catch (x) { return x.code + " " + x.message } };
["$sin", "$cos", "$tan", "$asin", "$acos", "$atan", "$sinh", "$cosh", "$tanh", "$asinh", "$atanh", "$exp", "$ln", "$log10", "$degreesToRadians", "$radiansToDegrees"].map((op) => [op, dec({[op]: "$h"}), op === "$asin" || op === "$acos" || op === "$atanh" || op === "$exp" || op.endsWith("h") ? "" : dec({[op]: "$big"})])
//> [
//>   [
//>     '$sin',
//>     '0.4794255386042030002732879352155714',
//>     '-0.9986640823434470978675991225831434'
//>   ],
//>   [
//>     '$cos',
//>     '0.8775825618903727161162815826038297',
//>     '0.05167253271439977004278587443845058'
//>   ],
//>   [
//>     '$tan',
//>     '0.5463024898437905132551794657802854',
//>     '-19.32678794482906768369753891156664'
//>   ],
//>   [ '$asin', '0.5235987755982988730771072305465838', '' ],
//>   [ '$acos', '1.047197551196597746154214461093168', '' ],
//>   [
//>     '$atan',
//>     '0.4636476090008061162142562314612144',
//>     '1.570788226794823086377655759773266'
//>   ],
//>   [ '$sinh', '0.5210953054937473616224256264114916', '' ],
//>   [ '$cosh', '1.127625965206380785226225161402672', '' ],
//>   [ '$tanh', '0.4621171572600097585023184836436725', '' ],
//>   [ '$asinh', '0.4812118250596034474977589134243684', '' ],
//>   [ '$atanh', '0.5493061443340548456976226184612629', '' ],
//>   [ '$exp', '1.648721270700128146848650787814164', '' ],
//>   [
//>     '$ln',
//>     '-0.6931471805599453094172321214581766',
//>     '11.72364648718588098113995898391011'
//>   ],
//>   [
//>     '$log10',
//>     '-0.3010299956639811952137388947244930',
//>     '5.091514977169270447518333623059547'
//>   ],
//>   [
//>     '$degreesToRadians',
//>     '0.008726646259971647884618453842443065',
//>     '2154.727451989917757747273603065465'
//>   ],
//>   [
//>     '$radiansToDegrees',
//>     '28.64788975654116043839907740705258',
//>     '7073552.961937126828117164794474316'
//>   ]
//> ]
[dec({$acosh: "$two"}), dec({$atan2: ["$h", -1]}), dec({$pow: ["$two", "$h"]}), dec({$pow: ["$two", -3]}), dec({$log: ["$big", "$two"]}), dec({$exp: 0}), dec({$exp: NumberDecimal("1000")}), dec({$asin: "$two"})]
//> [
//>   '1.316957896924816708625046347307968',
//>   '2.677945044588987122248387151818288',
//>   '1.414213562373095048801688724209698',
//>   '0.1250000000000000000000000000000000',
//>   '16.91364664819838677745292469326057',
//>   '1',
//>   '1.970071114017046993888879352243323E+434',
//>   '50989 Executor error during aggregate command on namespace: test.dec :: caused by :: cannot apply $asin to 2, value must in [-1,1]'
//> ]
db.sig.insertMany([{ _id: 1, x: 0 }, { _id: 2, x: -1000 }, { _id: 3, x: NumberDecimal("0") }, { _id: 4 }])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2, '2': 3, '3': 4 } }
db.sig.aggregate([{ $project: { s: { $sigmoid: "$x" } } }])
//> [
//>   { _id: 1, s: 0.5 },
//>   { _id: 2, s: 0 },
//>   { _id: 3, s: Decimal128('0.5') },
//>   { _id: 4, s: null }
//> ]
db.sig.aggregate([{ $project: { s: { $sigmoid: "x" } } }])
//> MongoServerError[TypeMismatch]: Failed to optimize pipeline :: caused by :: $multiply only supports numeric types, not string
