/** Whether a number fits in the 64 bits that the wire format has for it. */
export const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;
