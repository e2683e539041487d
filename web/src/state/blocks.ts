/**
 * Heights of things laid below each other, of which few have been measured: an unknown height is taken to be the mean
 * of the known ones.
 *
 * Invariants: pure; `at` and `top` agree: `at(top(index))` is `index`.
 */
export class Blocks {
  #heights = new Float64Array(0);
  #tops = new Float64Array(1);
  #count = 0;
  #measured = 0;
  #sum = 0;
  #stale = false;

  /** The number of blocks; heights of blocks beyond it are forgotten. */
  set count(count: number) {
    if (count === this.#count) return;
    if (count > this.#heights.length) {
      const larger = new Float64Array(Math.max(count, this.#heights.length * 2));
      larger.set(this.#heights.subarray(0, this.#count));
      this.#heights = larger;
    }
    for (let index = count; index < this.#count; index++) this.set(index, 0);
    this.#count = count;
    this.#stale = true;
  }

  get count(): number {
    return this.#count;
  }

  /** Says how high one is; zero takes that back. */
  set(index: number, height: number): void {
    const before = this.#heights[index] ?? 0;
    if (before === height) return;
    this.#measured += Number(height > 0) - Number(before > 0);
    this.#sum += height - before;
    this.#heights[index] = height;
    this.#stale = true;
  }

  isKnown(index: number): boolean {
    return (this.#heights[index] ?? 0) > 0;
  }

  /** The height at which a block begins; for the count of blocks the height at which the last one ends. */
  top(index: number): number {
    this.#lay();
    return this.#tops[Math.min(index, this.#count)] ?? 0;
  }

  /** The index of the block at a height. */
  at(height: number): number {
    this.#lay();
    let low = 0;
    let high = Math.max(0, this.#count - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#tops[middle] as number) <= height) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #lay(): void {
    if (!this.#stale) return;
    this.#stale = false;
    if (this.#tops.length < this.#count + 1) this.#tops = new Float64Array(this.#heights.length + 1);
    const usual = this.#measured === 0 ? 1 : this.#sum / this.#measured;
    let top = 0;
    for (let index = 0; index < this.#count; index++) {
      this.#tops[index] = top;
      top += this.#heights[index] || usual;
    }
    this.#tops[this.#count] = top;
  }
}
