//! Garden-shop products as BSON: the same documents, from the same seed, as the bench in the browser uses.

use quire::bson::{ArrayBuf, DocumentBuf, DocumentBuilder};

/// A small xorshift generator; `below` and `unit` draw as the browser's bench does.
pub struct Generator(u32);

impl Generator {
    pub fn new(seed: u32) -> Self {
        Self(seed | 1)
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        f64::from(self.0) / 4_294_967_296.0
    }

    pub fn below(&mut self, limit: u32) -> usize {
        (self.unit() * f64::from(limit)) as usize
    }

    fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len() as u32)]
    }

    fn hex(&mut self, length: usize) -> String {
        let mut text = String::new();
        while text.len() < length {
            text += &format!("{:06x}", self.below(0x100_0000));
        }
        text.truncate(length);
        text
    }
}

const ADJECTIVES: &[&str] = &[
    "Extra Large",
    "Small",
    "Compact",
    "Heavy Duty",
    "Organic",
    "Classic",
    "Folding",
    "Galvanized",
    "Wooden",
    "Premium",
];
const NOUNS: &[&str] = &[
    "Wheelbarrow",
    "Shovel",
    "Rake",
    "Hose",
    "Planter",
    "Trellis",
    "Bench",
    "Pruner",
    "Sprinkler",
    "Compost Bin",
    "Lantern",
    "Bird Bath",
    "Gloves",
    "Seed Tray",
    "Watering Can",
];
const COLOURS: &[&str] = &[
    "red", "green", "blue", "black", "grey", "natural", "white", "brown",
];
const THEMES: &[&str] = &[
    "tools",
    "gardening",
    "soil",
    "outdoor",
    "decor",
    "water",
    "plants",
    "seeds",
    "winter",
    "summer",
];

/// The number of different tags.
pub const TAGS: u32 = 200;

/// The name of a tag.
pub fn tag(number: usize) -> String {
    match number / THEMES.len() {
        0 => THEMES[number].to_owned(),
        round => format!("{}-{round}", THEMES[number % THEMES.len()]),
    }
}

/// A product's bytes, and the fields that the bench asks for.
pub struct Product {
    pub id: String,
    pub slug: String,
    pub weight: f64,
    pub document: DocumentBuf,
}

fn rounded(number: f64, parts: f64) -> f64 {
    (number * parts).round() / parts
}

fn strings(items: &[&str]) -> ArrayBuf {
    let mut array = quire::bson::ArrayBuilder::new();
    for item in items {
        array.push(*item);
    }
    array.finish()
}

/// `count` products.
pub fn products(count: usize, seed: u32) -> Vec<Product> {
    let mut random = Generator::new(seed);
    let categories: Vec<String> = (0..400).map(|_| random.hex(24)).collect();
    (0..count)
        .map(|number| product(&mut random, &categories, number))
        .collect()
}

fn product(random: &mut Generator, categories: &[String], number: usize) -> Product {
    let name = format!("{} {}", random.pick(ADJECTIVES), random.pick(NOUNS));
    let sku = format!("{}-{number:06}", 1000 + random.below(9000));
    let one = random.below(TAGS);
    let two = (one + 1 + random.below(198)) % 200;
    let mut three = random.below(TAGS);
    while three == one || three == two {
        three = (three + 1) % 200;
    }
    let sale = rounded(1.0 + random.unit() * 500.0, 100.0);
    let id = random.hex(24);
    let slug = format!("{}-{sku}", name.to_lowercase().replace(' ', "-"));
    let description = format!(
        "{name} for the demanding gardener, model {}; keeps its shape for years.",
        random.hex(8)
    );
    let weight = rounded(random.unit() * 100.0, 10.0);
    let tags = [tag(one), tag(two), tag(three)];

    let mut document = DocumentBuilder::new();
    document
        .append("_id", id.as_str())
        .append("slug", slug.as_str())
        .append("sku", sku.as_str())
        .append("name", name.as_str())
        .append("description", description.as_str())
        .append("tags", &strings(&tags.each_ref().map(String::as_str)));
    document
        .begin_document("details")
        .append("weight", weight)
        .append("weight_units", "lbs")
        .append("model_num", 4_000_000 + random.below(99_999) as i32);
    let maker = random.below(50);
    let maker = format!(
        "Maker {}{}",
        char::from(b'A' + (maker % 26) as u8),
        maker / 26
    );
    document
        .append("manufacturer", maker.as_str())
        .append("color", *random.pick(COLOURS))
        .end()
        .begin_document("pricing")
        .append("retail", rounded(sale * 1.25, 100.0))
        .append("sale", sale)
        .end()
        .append("total_reviews", random.below(500) as i32)
        .append("average_review", rounded(1.0 + random.unit() * 4.0, 10.0));
    let category_ids = [
        random.pick(categories).as_str(),
        random.pick(categories).as_str(),
    ];
    document.append("category_ids", &strings(&category_ids));
    Product {
        id,
        slug,
        weight,
        document: document.finish(),
    }
}
