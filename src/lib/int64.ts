/** Whether an integer fits in 64 bits, the size of the wire format's integers. */
export const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;
