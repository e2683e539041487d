//! Dates of the proleptic Gregorian calendar and ISO 8601 text, in UTC.
//!
//! Invariant: `to_millis` of `from_millis` is the identity for every `i64`.

/// An instant taken apart, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CivilTime {
    /// Astronomical: year 0 is 1 BC.
    pub year: i64,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    pub millisecond: u16,
}

const DAY_MILLIS: i64 = 86_400_000;
/// Days of 400 years.
const ERA_DAYS: i64 = 146_097;

/// Days from 1970-01-01 to a date. Months beyond 1..=12 carry into the year, and days into the
/// months, so that parts may be added to freely.
pub fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = year + (month - 1).div_euclid(12);
    let month = (month - 1).rem_euclid(12) + 1;
    // Years begin in March, so that the leap day is the last of its year.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * ERA_DAYS + day_of_era - 719_468 + day - 1
}

/// Year, month and day of a day counted from 1970-01-01.
pub fn civil_from_days(days: i64) -> (i64, u8, u8) {
    let days = days + 719_468;
    let era = days.div_euclid(ERA_DAYS);
    let day_of_era = days.rem_euclid(ERA_DAYS);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month as u8, day as u8)
}

/// Whether a year has a 29th of February.
pub fn is_leap_year(year: i64) -> bool {
    year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0)
}

/// The days of a month (1 to 12).
pub fn days_in_month(year: i64, month: u8) -> u8 {
    match month {
        2 => 28 + u8::from(is_leap_year(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl CivilTime {
    /// Takes milliseconds since the epoch apart.
    pub fn from_millis(millis: i64) -> Self {
        let (year, month, day) = civil_from_days(millis.div_euclid(DAY_MILLIS));
        let rest = millis.rem_euclid(DAY_MILLIS);
        Self {
            year,
            month,
            day,
            hour: (rest / 3_600_000) as u8,
            minute: (rest / 60_000 % 60) as u8,
            second: (rest / 1000 % 60) as u8,
            millisecond: (rest % 1000) as u16,
        }
    }

    /// Milliseconds since the epoch, saturating at the ends of the range.
    pub fn to_millis(self) -> i64 {
        let days = days_from_civil(self.year, i64::from(self.month), i64::from(self.day));
        let within = i128::from(self.hour) * 3_600_000
            + i128::from(self.minute) * 60_000
            + i128::from(self.second) * 1000
            + i128::from(self.millisecond);
        let millis = i128::from(days) * i128::from(DAY_MILLIS) + within;
        millis.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
    }
}

/// Appends a number with leading zeros up to a width.
pub fn write_padded(out: &mut String, number: u64, width: usize) {
    let start = out.len();
    super::float::write_digits(out, u128::from(number));
    for _ in out.len() - start..width {
        out.insert(start, '0');
    }
}

/// Appends `2024-02-29T12:34:56.789Z`; years beyond 0..=9999 take a sign and six digits.
pub fn write_iso(out: &mut String, millis: i64) {
    let time = CivilTime::from_millis(millis);
    let year = time.year.unsigned_abs();
    match time.year {
        0..=9999 => write_padded(out, year, 4),
        _ => {
            out.push(if time.year < 0 { '-' } else { '+' });
            write_padded(out, year, 6);
        }
    }
    for (mark, part, width) in [
        ('-', u16::from(time.month), 2),
        ('-', u16::from(time.day), 2),
        ('T', u16::from(time.hour), 2),
        (':', u16::from(time.minute), 2),
        (':', u16::from(time.second), 2),
        ('.', time.millisecond, 3),
    ] {
        out.push(mark);
        write_padded(out, u64::from(part), width);
    }
    out.push('Z');
}

/// The ISO text of an instant.
pub fn to_iso(millis: i64) -> String {
    let mut out = String::with_capacity(24);
    write_iso(&mut out, millis);
    out
}

/// Reads `YYYY-MM-DD`, optionally followed by `T` (or a space), `HH:MM`, `:SS`, a fraction and a
/// zone (`Z`, `±HH`, `±HHMM`, `±HH:MM`; UTC when absent). Digits below a millisecond are cut off.
pub fn parse_iso(text: &str) -> Option<i64> {
    let mut cursor = DateText(text.as_bytes());
    let (sign, width) = match cursor.0.first()? {
        b'-' => (-1, 6),
        b'+' => (1, 6),
        _ => (1, 4),
    };
    cursor.0 = cursor.0.get(usize::from(width == 6)..)?;
    let year = sign * i64::from(cursor.digits(width)?);
    cursor.expect(b"-")?;
    let month = cursor.digits(2)? as u8;
    cursor.expect(b"-")?;
    let day = cursor.digits(2)? as u8;
    let mut time = CivilTime {
        year,
        month,
        day,
        hour: 0,
        minute: 0,
        second: 0,
        millisecond: 0,
    };
    let mut offset_minutes = 0;
    if !cursor.0.is_empty() {
        cursor.expect(b"Tt ")?;
        time.hour = cursor.digits(2)? as u8;
        cursor.expect(b":")?;
        time.minute = cursor.digits(2)? as u8;
        if cursor.expect(b":").is_some() {
            time.second = cursor.digits(2)? as u8;
            if cursor.expect(b".,").is_some() {
                time.millisecond = cursor.fraction()?;
            }
        }
        offset_minutes = cursor.zone()?;
    }
    let valid = (1..=12).contains(&month)
        && (1..=days_in_month(year, month)).contains(&day)
        && time.hour < 24
        && time.minute < 60
        && time.second < 60;
    (valid && cursor.0.is_empty()).then(|| time.to_millis() - offset_minutes * 60_000)
}

/// Reads a date's text from the left.
struct DateText<'a>(&'a [u8]);

impl DateText<'_> {
    fn expect(&mut self, any_of: &[u8]) -> Option<u8> {
        let byte = *self.0.first()?;
        if !any_of.contains(&byte) {
            return None;
        }
        self.0 = &self.0[1..];
        Some(byte)
    }

    fn digits(&mut self, count: usize) -> Option<u32> {
        let digits = self.0.get(..count)?;
        let mut number = 0;
        for digit in digits {
            number = number * 10 + char::from(*digit).to_digit(10)?;
        }
        self.0 = &self.0[count..];
        Some(number)
    }

    fn fraction(&mut self) -> Option<u16> {
        let mut millis = self.digits(1)? as u16 * 100;
        let mut unit = 10;
        while let Some(digit) = self.digits(1) {
            millis += digit as u16 * unit;
            unit /= 10;
        }
        Some(millis)
    }

    fn zone(&mut self) -> Option<i64> {
        if self.0.is_empty() || self.expect(b"Zz").is_some() {
            return Some(0);
        }
        let sign = if self.expect(b"+-")? == b'-' { -1 } else { 1 };
        let hours = i64::from(self.digits(2)?);
        let minutes = if self.0.is_empty() {
            0
        } else {
            let _ = self.expect(b":");
            i64::from(self.digits(2)?)
        };
        (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;

    #[test]
    fn writes_and_reads_iso_text() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (1_709_210_096_789, "2024-02-29T12:34:56.789Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
            (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(to_iso(millis), text);
            assert_eq!(parse_iso(text), Some(millis));
        }
    }

    #[test]
    fn reads_zones_and_short_forms_and_refuses_the_rest() {
        assert_eq!(parse_iso("1970-01-02"), Some(DAY_MILLIS));
        assert_eq!(parse_iso("1970-01-01T01:00+01:00"), Some(0));
        assert_eq!(parse_iso("1970-01-01T00:00:00.5-0030"), Some(1_800_500));
        assert_eq!(parse_iso("1970-01-01 00:00:01Z"), Some(1000));
        for bad in [
            "",
            "1970",
            "1970-13-01",
            "2023-02-29",
            "1970-01-01T24:00",
            "1970-01-01x",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T00:00Zx",
        ] {
            assert_eq!(parse_iso(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_instant_goes_both_ways() {
        let mut random = Random::new(5);
        for millis in [i64::MIN, i64::MAX, 0] {
            assert_eq!(CivilTime::from_millis(millis).to_millis(), millis);
        }
        for _ in 0..20_000 {
            let millis = random.next_u64() as i64 >> random.below(40);
            assert_eq!(CivilTime::from_millis(millis).to_millis(), millis);
        }
    }
}
