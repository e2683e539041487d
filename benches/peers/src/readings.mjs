/**
 * Readings of twenty sensors, one each in ten minutes for sixty days, in the order in which they come; and their
 * hourly averages.
 */
import { generator } from "./products.mjs";
import { each } from "./workload.mjs";

const SENSORS = 20;
const DAYS = 60;
const STEP = 600_000;
const HOUR = 3_600_000;
const BEGIN = Date.UTC(2025, 0, 1);
/** The month that is asked for. */
export const FROM = new Date(Date.UTC(2025, 0, 15));
export const UNTIL = new Date(Date.UTC(2025, 1, 14));

export function makeReadings() {
  const random = generator(5);
  const last = Array.from({ length: SENSORS }, () => 200);
  const readings = [];
  for (let at = BEGIN; at < BEGIN + DAYS * 24 * HOUR; at += STEP)
    for (let sensor = 0; sensor < SENSORS; sensor += 1) {
      last[sensor] += Math.floor(random() * 5) - 2;
      readings.push({
        at: new Date(at),
        sensor,
        temperature: last[sensor] / 10,
        humidity: 40 + Math.floor(random() * 9),
      });
    }
  return readings;
}

/** Averages of each hour, of one sensor or of all. */
export const hourly = (sensor) => [
  { $match: { ...(sensor === undefined ? {} : { sensor }), at: { $gte: FROM, $lt: UNTIL } } },
  { $group: { _id: { $dateTrunc: { date: "$at", unit: "hour" } }, average: { $avg: "$temperature" } } },
];

/** Rows of an adapter over readings that are stored. */
export async function measureReadings(adapter, readings, budget, row, check) {
  const over = async (name, sensor) => {
    const wanted = new Map();
    for (const reading of readings) {
      if (reading.at < FROM || reading.at >= UNTIL || (sensor !== undefined && reading.sensor !== sensor)) continue;
      const hour = reading.at - (reading.at % HOUR);
      const group = wanted.get(hour) ?? { sum: 0, count: 0 };
      group.sum += reading.temperature;
      group.count += 1;
      wanted.set(hour, group);
    }
    await row(name, () =>
      each(budget, async () => {
        const found = await adapter.hourly(sensor);
        const same = ({ _id, average }) => {
          const group = wanted.get(_id.valueOf());
          return group && Math.abs(average - group.sum / group.count) < 1e-9;
        };
        check(found.length === wanted.size && found.every(same), name);
      }),
    );
  };
  await over("hourlyOfOne", 7);
  await over("hourlyOfAll");
}
