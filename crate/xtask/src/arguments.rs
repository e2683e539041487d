//! The options after a verb: `--name value` and flags `--name`.

/// Parsed options of one verb.
#[derive(Debug, Default)]
pub struct Arguments {
    values: Vec<(String, String)>,
}

impl Arguments {
    /// Parses the words after the verb. A word that is not one of `options` is an error.
    pub fn parse(words: &[String], options: &[(&str, &str, &str)]) -> Result<Self, String> {
        let mut values = Vec::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let body = word
                .strip_prefix("--")
                .ok_or_else(|| format!("unexpected `{word}`"))?;
            let (name, inline) = match body.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (body, None),
            };
            let (_, placeholder, _) = options
                .iter()
                .find(|option| option.0 == name)
                .ok_or_else(|| format!("there is no option `--{name}`"))?;
            let value = match (placeholder.is_empty(), inline) {
                (true, None) => String::new(),
                (true, Some(_)) => return Err(format!("`--{name}` takes no value")),
                (false, Some(value)) => value,
                (false, None) => words
                    .next()
                    .ok_or_else(|| format!("`--{name}` needs a value"))?
                    .clone(),
            };
            values.push((name.to_owned(), value));
        }
        Ok(Self { values })
    }

    /// Whether a flag was given.
    pub fn flag(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// The value of an option; the last one counts.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values
            .iter()
            .rev()
            .find(|(given, _)| given == name)
            .map(|(_, value)| value.as_str())
    }

    /// The value of an option as a number.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, String> {
        self.value(name)
            .map(|value| {
                value
                    .parse()
                    .map_err(|_| format!("`--{name} {value}` is not a number"))
            })
            .transpose()
    }

    /// The comma-separated values of an option.
    pub fn list(&self, name: &str) -> Vec<&str> {
        self.value(name)
            .map(|value| value.split(',').map(str::trim).collect())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: &[(&str, &str, &str)] = &[("force", "", ""), ("port", "N", "")];

    fn parse(text: &str) -> Result<Arguments, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        Arguments::parse(&words, OPTIONS)
    }

    #[test]
    fn values_and_flags() {
        let arguments = parse("--port 80 --force --port=81").expect("these are good options");
        assert!(arguments.flag("force"));
        assert_eq!(arguments.number::<u16>("port"), Ok(Some(81)));
    }

    #[test]
    fn bad_options_are_errors() {
        for text in ["--prot 1", "--port", "port", "--force=1"] {
            assert!(parse(text).is_err(), "{text}");
        }
        let arguments = parse("--port x").expect("the value is read later");
        assert!(arguments.number::<u16>("port").is_err());
    }
}
