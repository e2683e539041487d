/** Layouts of dates as Go reads them, and as mongoimport rewords those of others. */
import { expect, test } from "vitest";
import { fromMicrosoft, fromOracle, instantBy } from "./date-layouts.ts";

const iso = (layout: string, text: string): string => {
  const time = instantBy(layout, text);
  return Number.isNaN(time) ? "none" : new Date(time).toISOString();
};

test.each([
  ["2006-01-02", "2024-05-01", "2024-05-01T00:00:00.000Z"],
  ["2006-01-02T15:04:05Z07:00", "2024-05-01T10:20:30+02:00", "2024-05-01T08:20:30.000Z"],
  ["2006-01-02T15:04:05Z07:00", "2024-05-01T10:20:30.123456Z", "2024-05-01T10:20:30.123Z"],
  ["2006-01-02 15:04:05.000 -0700", "2024-05-01 10:20:30.007 -0130", "2024-05-01T11:50:30.007Z"],
  ["2006-01-02 15:04:05.999", "2024-05-01 10:20:30", "2024-05-01T10:20:30.000Z"],
  ["Monday, January 2, 2006", "Wednesday, May 1, 2024", "2024-05-01T00:00:00.000Z"],
  ["Mon Jan _2 15:04:05 MST 2006", "wed MAY  1 10:20:30 UTC 2024", "2024-05-01T10:20:30.000Z"],
  ["02 Jan 06 03:04PM", "01 May 24 12:05AM", "2024-05-01T00:05:00.000Z"],
  ["1/2/06 3:04pm", "5/1/69 12:05pm", "1969-05-01T12:05:00.000Z"],
  ["2006 002", "2024 060", "2024-02-29T00:00:00.000Z"],
  ["15:04", "09:30", "0000-01-01T09:30:00.000Z"],
])("%s reads %s", (layout, text, expected) => expect(iso(layout, text)).toBe(expected));

test.each([
  ["2006-01-02", "2024-02-30"],
  ["2006-01-02", "2023-02-29"],
  ["2006-01-02", "2024-13-01"],
  ["2006-01-02", "2024-5-1"],
  ["2006-01-02", "2024-05-01T00"],
  ["2006-01-02", "x2024-05-01"],
  ["2006 002", "2023 366"],
  ["15:04", "24:00"],
  ["03:04PM", "13:00PM"],
  ["2006-01-02 15:04:05.000", "2024-05-01 10:20:30.07"],
  ["", "2024"],
])("%s refuses %s", (layout, text) => expect(iso(layout, text)).toBe("none"));

test("layouts of Microsoft SQL Server and of Oracle", () => {
  expect(iso(fromMicrosoft("dddd d MMMM yyyy h:mm tt zzz"), "Wednesday 1 May 2024 1:05 PM +01:00")).toBe(
    "2024-05-01T12:05:00.000Z",
  );
  expect(iso(fromOracle("dd-mon-yyyy hh24:mi:ss"), "01-MAY-2024 23:05:06")).toBe("2024-05-01T23:05:06.000Z");
  expect(iso(fromOracle("Month DD, YYYY HH:MI AM"), "May 01, 2024 11:05 PM")).toBe("2024-05-01T23:05:00.000Z");
});
