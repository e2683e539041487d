/**
 * Randomness that a seed decides wholly. Invariant: the same seed gives the same numbers everywhere and always
 * (xoshiro128**, seeded by splitmix32), so a failure is told by its seed alone.
 */

export class Random {
  #state;

  /** A seed is a whole number from 0 up to 2^32. */
  constructor(seed) {
    let last = seed >>> 0;
    const next = () => {
      last = (last + 0x9e3779b9) >>> 0;
      let mixed = last ^ (last >>> 16);
      mixed = Math.imul(mixed, 0x21f0aaad);
      mixed ^= mixed >>> 15;
      mixed = Math.imul(mixed, 0x735a2d97);
      return (mixed ^ (mixed >>> 15)) >>> 0;
    };
    this.#state = [next(), next(), next(), next()];
  }

  /** A whole number of 32 bits. */
  next() {
    const state = this.#state;
    const scrambled = Math.imul(state[1], 5);
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0;
    const shifted = state[1] << 9;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = (state[3] << 11) | (state[3] >>> 21);
    return result;
  }

  /** A number from 0 up to 1, without 1. */
  fraction() {
    return this.next() / 2 ** 32;
  }

  /** A whole number below a limit. */
  below(limit) {
    return Math.floor(this.fraction() * limit);
  }

  /** Whether something of this probability happens. */
  chance(probability) {
    return this.fraction() < probability;
  }

  /** One of a list. */
  pick(list) {
    return list[this.below(list.length)];
  }

  /** A duration in milliseconds: mostly short, seldom long. */
  delay(usual) {
    return -Math.log(1 - this.fraction()) * usual;
  }
}
