//! The proleptic Gregorian calendar over milliseconds since the Unix epoch.
//!
//! Invariant: pure integer arithmetic over the whole 64-bit range of dates; a local time is given
//! as the milliseconds its wall clock would show in UTC.

pub const DAY: i64 = 86_400_000;
pub const HOUR: i64 = 3_600_000;
pub const MINUTE: i64 = 60_000;
pub const SECOND: i64 = 1000;

/// The parts of a local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    pub year: i64,
    /// 1 to 12.
    pub month: i64,
    /// 1 to 31.
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
    pub millisecond: i64,
}

impl Parts {
    /// Cuts a local time into its parts.
    pub fn of(millis: i64) -> Self {
        let (year, month, day) = civil(millis.div_euclid(DAY));
        let rest = millis.rem_euclid(DAY);
        Self {
            year,
            month,
            day,
            hour: rest / HOUR,
            minute: rest / MINUTE % 60,
            second: rest / SECOND % 60,
            millisecond: rest % 1000,
        }
    }
}

/// The days since the epoch of a date; months and days may lie outside their ranges.
pub fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year + (month - 1).div_euclid(12);
    let month = (month - 1).rem_euclid(12) + 1;
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year + day - 719_469
}

/// Year, month and day of a number of days since the epoch.
pub fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// How many days a month has.
pub fn month_length(year: i64, month: i64) -> i64 {
    days(year, month + 1, 1) - days(year, month, 1)
}

/// The day of the week, 0 for Sunday.
pub fn weekday(days: i64) -> i64 {
    (days + 4).rem_euclid(7)
}

/// The day of the year, from 1.
pub fn day_of_year(millis: i64) -> i64 {
    let number = millis.div_euclid(DAY);
    number - days(civil(number).0, 1, 1) + 1
}

/// The week of the year, 0 to 53, where weeks begin on Sundays and week 1 on the first of them.
pub fn week(millis: i64) -> i64 {
    let number = millis.div_euclid(DAY);
    (day_of_year(millis) + 6 - weekday(number)) / 7
}

/// The ISO 8601 week year, week and day of the week (1 for Monday).
pub fn iso_week(millis: i64) -> (i64, i64, i64) {
    let number = millis.div_euclid(DAY);
    let weekday = (weekday(number) + 6) % 7;
    let (year, _, _) = civil(number - weekday + 3);
    let first = iso_year_start(year);
    (year, (number - first) / 7 + 1, weekday + 1)
}

/// The Monday on which an ISO 8601 week year begins, in days since the epoch.
pub fn iso_year_start(year: i64) -> i64 {
    let fourth = days(year, 1, 4);
    fourth - (weekday(fourth) + 6) % 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_civil_agree() {
        for number in (-800_000..800_000).step_by(97) {
            let (year, month, day) = civil(number);
            assert_eq!(days(year, month, day), number);
        }
        assert_eq!(days(1970, 1, 1), 0);
        assert_eq!(civil(-1), (1969, 12, 31));
        assert_eq!(month_length(2024, 2), 29);
        assert_eq!(days(2020, 14, 1), days(2021, 2, 1));
    }

    #[test]
    fn weeks_follow_their_rules() {
        let at = |year, month, day| days(year, month, day) * DAY;
        assert_eq!(iso_week(at(2016, 1, 1)), (2015, 53, 5));
        assert_eq!(iso_week(at(2016, 1, 4)), (2016, 1, 1));
        assert_eq!(week(at(2016, 1, 1)), 0);
        assert_eq!(week(at(2016, 1, 3)), 1);
        assert_eq!(day_of_year(at(2016, 12, 31)), 366);
    }
}
