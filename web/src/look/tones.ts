/** The tones by which the lines and bars of a drawing are told apart: a colour, a dash and a mark each. */

/** How many there are before the first comes again; styles name them `s0`, `s1` and so on. */
export const TONES = 6;

/** The class of a line's or bar's tone, by its place among its like. */
export const toneOf = (at: number): string => `s${at % TONES}`;
