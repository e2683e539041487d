/**
 * Texts of products, and the words that are searched, the same for the same seed.
 *
 * Words are made of syllables and chosen as often as words of a language are, the second half as often as the first;
 * a quarter are English words that say nothing. No stemmer changes them, so each library has the same answers.
 */
import { generator } from "./products.mjs";
import { repeat } from "./workload.mjs";

const BEST = 20;
const SYLLABLES = "ba,be,bo,da,do,fe,fi,ga,go,ka,ke,ko,la,lo,ma,me,mo,na,ne,no,pa,po,ra,ro,sa,so,ta,to,va,zo".split(
  ",",
);
const ENDS = "k,m,p,b,g".split(",");
const NOTHING = "the,and,for,with,of,in,to,a,is,on,it,this,that,by,from".split(",");
const WORDS = 6000;
/** Of what rank the words of each question are. */
const RANKS = {
  rare: [[2000, 5000]],
  common: [[5, 50]],
  two: [
    [50, 300],
    [300, 2000],
  ],
};

const words = Array.from({ length: WORDS }, (_, i) => {
  const part = (at) => SYLLABLES[Math.floor(i / SYLLABLES.length ** at + at * 7) % SYLLABLES.length];
  return `${part(0)}${part(1)}${part(2)}${ENDS[i % ENDS.length]}`;
});

/** `count` products with a name of four words and a description of forty. */
export function makeTexts(count) {
  const random = generator(29);
  const span = Math.log((WORDS + 10) / 10);
  const word = () => words[Math.min(WORDS - 1, Math.floor(10 * Math.exp(random() * span) - 10))];
  const any = () => (random() < 0.25 ? NOTHING[Math.floor(random() * NOTHING.length)] : word());
  const some = (length, one) => Array.from({ length }, one).join(" ");
  return Array.from({ length: count }, (_, _id) => ({
    _id,
    name: some(4, word),
    description: `${some(40, any)}.`,
    price: Math.round(random() * 50000) / 100,
  }));
}

/** A hundred questions of each kind: lists of words. */
export function questionsOf() {
  const random = generator(41);
  const question = (ranks) => ranks.map(([low, high]) => words[low + Math.floor(random() * (high - low))]);
  return Object.fromEntries(
    Object.entries(RANKS).map(([name, ranks]) => [name, Array.from({ length: 100 }, () => question(ranks))]),
  );
}

/** Rows of an adapter over texts that are indexed. */
export async function measureTexts(adapter, texts, budget, row, check) {
  const random = generator(3);
  const holders = new Map();
  for (const { _id, name, description } of texts)
    for (const word of new Set(`${name} ${description.slice(0, -1)}`.split(" ")))
      holders.set(word, [...(holders.get(word) ?? []), _id].slice(-BEST));
  for (const [name, questions] of Object.entries(questionsOf())) {
    for (const asked of questions.slice(0, 20)) {
      const found = await adapter.search(asked.join(" "), BEST);
      const wanted = Math.min(BEST, new Set(asked.flatMap((word) => holders.get(word) ?? [])).size);
      check(found.length === wanted, `${name}: ${found.length} for ${asked} and not ${wanted}`);
      check(
        found.every((one) => asked.some((word) => `${one.name} ${one.description}`.includes(word))),
        `${name}: a text without ${asked}`,
      );
    }
    let at = 0;
    await row(name, () => repeat(2000, budget, () => adapter.search(questions[at++ % 100].join(" "), BEST)));
  }
  if (adapter.twenty)
    await row("twentyTexts", () =>
      repeat(2000, budget, () => adapter.twenty(Math.floor(random() * (texts.length - 20)))),
    );
}
