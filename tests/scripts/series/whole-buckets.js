// A filter of the time cuts the first and the last bucket and lets those between pass whole (Manual: core/timeseries-collections)

db.createCollection("readings", { timeseries: { timeField: "at", metaField: "sensor", granularity: "minutes" } });
db.createCollection("plain");
for (let hour = 0; hour < 96; hour++)
  for (const sensor of ["a", "b"])
    for (const name of ["readings", "plain"])
      db[name].insertOne({ at: new Date(Date.UTC(2025, 0, 1, hour, 30)), sensor, value: hour * (sensor === "a" ? 1 : 100) });
db.system.buckets.readings.countDocuments()
//> 8

function ask(filter) {
  const pipeline = [
    { $match: filter },
    { $group: { _id: "$sensor", count: { $sum: 1 }, sum: { $sum: "$value" } } },
    { $sort: { _id: 1 } },
  ];
  const [series, plain] = ["readings", "plain"].map((name) => db[name].aggregate(pipeline).toArray());
  assert.eq(series, plain);
  return series;
}
const [from, until] = [ISODate("2025-01-01T10:30:00Z"), ISODate("2025-01-03T20:30:00Z")];
ask({ at: { $gte: from, $lt: until } })
//> [
//>   { _id: 'a', count: 58, sum: 2233 },
//>   { _id: 'b', count: 58, sum: 223300 }
//> ]

ask({ at: { $gt: from, $lte: until } })
//> [
//>   { _id: 'a', count: 58, sum: 2291 },
//>   { _id: 'b', count: 58, sum: 229100 }
//> ]

ask({ at: { $gte: from, $lt: until }, sensor: "b" })
//> [ { _id: 'b', count: 58, sum: 223300 } ]

ask({ at: { $gte: from, $lt: until }, value: { $gt: 20 } })
//> [
//>   { _id: 'a', count: 47, sum: 2068 },
//>   { _id: 'b', count: 58, sum: 223300 }
//> ]

ask({ $or: [{ at: { $lt: from } }, { at: { $gte: until } }] })
//> [
//>   { _id: 'a', count: 38, sum: 2327 },
//>   { _id: 'b', count: 38, sum: 232700 }
//> ]

ask({ at: { $gte: ISODate("2025-01-02T00:00:00Z") }, $and: [{ at: { $lt: ISODate("2025-01-03T00:00:00Z") } }, { sensor: { $in: ["a", "b"] } }] })
//> [
//>   { _id: 'a', count: 24, sum: 852 },
//>   { _id: 'b', count: 24, sum: 85200 }
//> ]

ask({ at: ISODate("2025-01-02T00:30:00Z") })
//> [ { _id: 'a', count: 1, sum: 24 }, { _id: 'b', count: 1, sum: 2400 } ]

ask({ at: { $gte: 5 } })
//> []
