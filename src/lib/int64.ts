const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** Whether a number fits in the 64 bits that the wire has for it. */
export const isInt64 = (value: bigint): boolean => value >= MIN && value <= MAX;
