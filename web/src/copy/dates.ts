/**
 * The parts of a moment that languages build dates of: year, month, day, hour, minute, second and microsecond, in UTC.
 */

/** The parts, without the zeros at the end behind the day. */
export function dateParts(date: Date): readonly number[] {
  const parts = [
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    date.getUTCMilliseconds() * 1000,
  ];
  while (parts.length > 3 && parts.at(-1) === 0) parts.pop();
  return parts;
}
