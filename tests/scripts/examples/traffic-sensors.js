// Four shapes for the same measurements, and what each one takes.
use traffic

for (const name of ["events", "minutes", "minutes_by_second", "hours"]) db[name].drop()
const start = Date.UTC(2024, 5, 1, 12), sensor = "A12", seconds = 2 * 60 * 60
const speedAt = (s) => 60 + ((s * 7) % 41)

// 1. A document for each event, here every ten seconds.
const events = []
for (let s = 0; s < seconds; s += 10) events.push({ sensor: sensor, time: new Date(start + s * 1000), speed: speedAt(s) })
db.events.insertMany(events)
db.events.createIndex({ sensor: 1, time: 1 })

// 2. A document a minute which holds the sum and the count: averages stay exact.
// 3. A document a minute which keeps every second's value.
// 4. A document an hour, its minutes nested.
db.minutes.createIndex({ sensor: 1, minute: 1 })
db.minutes_by_second.createIndex({ sensor: 1, minute: 1 })
db.hours.createIndex({ sensor: 1, hour: 1 })
for (let m = 0; m < seconds / 60; m++) {
  const minute = new Date(start + m * 60000), bySecond = {}
  let sum = 0, count = 0
  for (let s = 0; s < 60; s += 10) {
    const speed = speedAt(m * 60 + s)
    bySecond[s] = speed; sum += speed; count += 1
  }
  db.minutes.insertOne({ sensor: sensor, minute: minute, speed_sum: sum, speed_count: count })
  db.minutes_by_second.insertOne({ sensor: sensor, minute: minute, speeds: bySecond, speed_sum: sum, speed_count: count })
  db.hours.updateOne(
    { sensor: sensor, hour: new Date(start + Math.floor(m / 60) * 3600000) },
    { $set: { ["minutes." + (m % 60)]: { sum: sum, count: count } }, $inc: { speed_sum: sum, speed_count: count } },
    { upsert: true })
}

for (const name of ["events", "minutes", "minutes_by_second", "hours"]) {
  const stats = db[name].stats()
  print(name.padEnd(18), String(stats.count).padStart(4), "documents,", stats.size, "bytes of data,", stats.totalIndexSize, "of indexes")
}

// The same average from each shape.
const average = (name, sum, count) =>
  db[name].aggregate([{ $group: { _id: "$sensor", sum: { $sum: sum }, count: { $sum: count } } },
                      { $project: { average: { $divide: ["$sum", "$count"] } } }]).toArray()[0].average
print("average from events", average("events", "$speed", 1))
print("average from minutes", average("minutes", "$speed_sum", "$speed_count"))
print("average from hours", average("hours", "$speed_sum", "$speed_count"))

db.minutes.aggregate([
  { $group: { _id: { $hour: "$minute" }, sum: { $sum: "$speed_sum" }, count: { $sum: "$speed_count" } } },
  { $project: { average: { $divide: ["$sum", "$count"] } } },
  { $sort: { _id: 1 } },
])
//> events              720 documents, 45360 bytes of data, 98304 of indexes
//> minutes             120 documents, 10320 bytes of data, 32768 of indexes
//> minutes_by_second   120 documents, 17520 bytes of data, 32768 of indexes
//> hours                 2 documents, 3656 bytes of data, 32768 of indexes
//> average from events 79.98472222222222
//> average from minutes 79.98472222222222
//> average from hours 79.98472222222222
//> [
//>   { _id: 12, average: 80.025 },
//>   { _id: 13, average: 79.94444444444444 }
//> ]
