//! Reads dates from text: the usual forms, or by a format string.
//!
//! Deviation: without a format MongoDB takes anything its date library guesses; this reads ISO 8601
//! forms, `year/month/day`, `month/day/year`, and English month names with day and year.

use super::calendar::{DAY, HOUR, MINUTE, SECOND, days, iso_year_start, month_length};
use super::format::MONTHS;
use super::zone::{Zone, offset};
use crate::env::Env;

/// A local time and the zone its text names.
pub struct Scanned {
    pub local: i64,
    pub zone: Option<Zone>,
}

struct Scanner<'t> {
    rest: &'t str,
}

impl<'t> Scanner<'t> {
    fn eat(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// At least `least` and at most `most` digits.
    fn number(&mut self, least: usize, most: usize) -> Option<i64> {
        let count = { self.rest.bytes() }
            .take(most)
            .take_while(u8::is_ascii_digit)
            .count();
        if count < least {
            return None;
        }
        let (digits, rest) = self.rest.split_at(count);
        self.rest = rest;
        digits.parse().ok()
    }

    fn word(&mut self) -> &'t str {
        let end = { self.rest }
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn month_name(&mut self) -> Option<i64> {
        let before = self.rest;
        let word = self.word();
        let found = month_of(word);
        if found.is_none() {
            self.rest = before;
        }
        found
    }

    /// At least `least` and at most two digits, of a number below the limit.
    fn below(&mut self, limit: i64, least: usize) -> Option<i64> {
        self.number(least, 2).filter(|number| *number < limit)
    }

    /// A part of a second, of at most `most` digits.
    fn milliseconds(&mut self, most: usize) -> Option<i64> {
        let before = self.rest.len();
        let number = self.number(1, most)?;
        let digits = before - self.rest.len();
        Some(match digits {
            1..=3 => number * 10_i64.pow(3 - digits as u32),
            _ => number / 10_i64.pow(digits as u32 - 3),
        })
    }
}

fn month_of(word: &str) -> Option<i64> {
    if word.len() < 3 {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    MONTHS
        .iter()
        .position(|name| {
            let name = name.to_ascii_lowercase();
            name == lower || name[..3] == lower
        })
        .map(|position| position as i64 + 1)
}

fn date(year: i64, month: i64, day: i64) -> Option<i64> {
    let valid = (1..=12).contains(&month) && day >= 1 && day <= month_length(year, month);
    valid.then(|| days(year, month, day) * DAY)
}

/// Reads a date without a format.
pub fn guess(text: &str, env: &dyn Env) -> Option<Scanned> {
    let mut scanner = Scanner { rest: text.trim() };
    let mut local = guess_date(&mut scanner)?;
    if !scanner.eat("T") && !scanner.eat("t") {
        scanner.eat(",");
        scanner.skip_spaces();
    }
    if scanner.rest.is_empty() {
        return Some(Scanned { local, zone: None });
    }
    if scanner.rest.starts_with(|c: char| c.is_ascii_digit()) {
        let hour = scanner.number(1, 2)?;
        let colon = scanner.eat(":");
        let minute = scanner.number(2, 2)?;
        let mut second = 0;
        let mut millisecond = 0;
        let seconds_follow = if colon {
            scanner.eat(":")
        } else {
            scanner.rest.starts_with(|c: char| c.is_ascii_digit())
        };
        if seconds_follow {
            second = scanner.number(2, 2)?;
            if scanner.eat(".") || scanner.eat(",") {
                millisecond = scanner.milliseconds(9)?;
            }
        }
        if hour > 24 || minute > 59 || second > 60 {
            return None;
        }
        local += hour * HOUR + minute * MINUTE + second * SECOND + millisecond;
        scanner.skip_spaces();
    }
    let zone = match scanner.rest {
        "" => None,
        "Z" | "z" => Some(Zone::Fixed(0)),
        rest => Some(match offset(rest.trim()) {
            Some(seconds) => Zone::Fixed(seconds),
            None => Zone::parse(rest.trim(), env).ok()?,
        }),
    };
    Some(Scanned { local, zone })
}

fn guess_date(scanner: &mut Scanner<'_>) -> Option<i64> {
    if let Some(month) = scanner.month_name() {
        scanner.eat(".");
        scanner.skip_spaces();
        let day = scanner.number(1, 2)?;
        scanner.eat(",");
        scanner.skip_spaces();
        return date(scanner.number(4, 4)?, month, day);
    }
    let before = scanner.rest;
    let first = scanner.number(1, 4)?;
    let digits = before.len() - scanner.rest.len();
    if digits == 4 {
        let separator = if scanner.eat("-") {
            "-"
        } else if scanner.eat("/") {
            "/"
        } else {
            ""
        };
        if separator.is_empty() {
            let month = scanner.number(2, 2)?;
            return date(first, month, scanner.number(2, 2)?);
        }
        let month = match scanner.month_name() {
            Some(month) => month,
            None => scanner.number(1, 2)?,
        };
        if !scanner.eat(separator) {
            return date(first, month, 1);
        }
        return date(first, month, scanner.number(1, 2)?);
    }
    if scanner.eat("/") {
        let day = scanner.number(1, 2)?;
        scanner.eat("/").then_some(())?;
        return date(scanner.number(4, 4)?, first, day);
    }
    scanner.eat("-");
    scanner.skip_spaces();
    let month = scanner.month_name()?;
    scanner.eat("-");
    scanner.skip_spaces();
    date(scanner.number(4, 4)?, month, first)
}

/// Reads a date by a format; the error is the reason.
pub fn by_format(text: &str, format: &str) -> Result<Scanned, String> {
    let mut scanner = Scanner { rest: text };
    let (mut year, mut month, mut day) = (None, None, None);
    let (mut iso_year, mut iso_week, mut iso_day, mut of_year) = (None, None, None, None);
    let mut time = 0;
    let mut zone = None;
    let mut specifiers = format.chars();
    while let Some(c) = specifiers.next() {
        if c != '%' {
            let mut buffer = [0; 4];
            if !scanner.eat(c.encode_utf8(&mut buffer)) {
                return Err(format!("Format literal not found '{c}'"));
            }
            continue;
        }
        let specifier = specifiers.next().unwrap_or('%');
        let missing = || format!("no value found for '%{specifier}'");
        match specifier {
            'Y' => year = Some(scanner.number(4, 4).ok_or_else(missing)?),
            'm' => month = Some(scanner.number(1, 2).ok_or_else(missing)?),
            'b' | 'B' => month = Some(scanner.month_name().ok_or_else(missing)?),
            'd' => day = Some(scanner.number(1, 2).ok_or_else(missing)?),
            'G' => iso_year = Some(scanner.number(1, 4).ok_or_else(missing)?),
            'V' => iso_week = Some(scanner.number(1, 2).ok_or_else(missing)?),
            'u' => iso_day = Some(scanner.number(1, 1).ok_or_else(missing)?),
            'j' => of_year = Some(scanner.number(1, 3).ok_or_else(missing)?),
            'H' => time += scanner.below(24, 1).ok_or_else(missing)? * HOUR,
            'M' => time += scanner.below(60, 2).ok_or_else(missing)? * MINUTE,
            'S' => time += scanner.below(60, 2).ok_or_else(missing)? * SECOND,
            'L' => time += scanner.milliseconds(3).ok_or_else(missing)?,
            'z' | 'Z' => {
                if scanner.eat("Z") {
                    zone = Some(Zone::Fixed(0));
                    continue;
                }
                let end = { scanner.rest }
                    .find(|c: char| !"+-:0123456789".contains(c))
                    .unwrap_or(scanner.rest.len());
                let (part, rest) = scanner.rest.split_at(end);
                scanner.rest = rest;
                let seconds = match specifier {
                    'z' => offset(part),
                    _ => part.parse::<i64>().ok().map(|minutes| minutes * 60),
                };
                zone = Some(Zone::Fixed(seconds.ok_or_else(missing)?));
            }
            '%' => {
                if !scanner.eat("%") {
                    return Err("Format literal not found '%'".to_owned());
                }
            }
            _ => return Err(missing()),
        }
    }
    if !scanner.rest.is_empty() {
        return Err("Trailing data".to_owned());
    }
    let midnight = match (year, iso_year) {
        (Some(_), Some(_)) => {
            return Err("Mixing of ISO dates with natural dates is not allowed".to_owned());
        }
        (None, Some(year)) => {
            let week = iso_week.unwrap_or(1);
            (iso_year_start(year) + (week - 1) * 7 + iso_day.unwrap_or(1) - 1) * DAY
        }
        (Some(year), None) => match of_year {
            // Read, the days of the year count from 0; written, from 1.
            Some(number) => (days(year, 1, 1) + number) * DAY,
            None => date(year, month.unwrap_or(1), day.unwrap_or(1))
                .ok_or("the parsed date was invalid")?,
        },
        (None, None) => {
            return Err("an incomplete date/time string has been found".to_owned());
        }
    };
    Ok(Scanned {
        local: midnight + time,
        zone,
    })
}
