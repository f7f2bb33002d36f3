/** Words for the address that a call comes from, and for nothing else that has an address. */
const CALLER_ADDRESS = [
  // Ranges of addresses: nothing but networks has them.
  /\bCIDRs?\b/i,
  // An IP address, however it is put.
  /\bIP(v[46])?[ -]?(address(es)?|ranges?|allow-?list|white-?list|restrictions?)\b/i,
  /\b(this|your|client|caller|source|remote|request)('s)? IP\b/i,
  /\bIP (\d+\.\d+\.\d+\.\d+|[\da-f]*:[\da-f:]+)/i,
  /\bIP (is |was |may |can ?)?not (be )?(allowed|permitted|accepted)\b/i,
  // A key that is used from an address. Without the key it could be the address that goods are sent from.
  /\bkey (may|can|must|is|was|does|cannot|can't|isn't)\b[^.]*\bfrom (this|that|your|the (client|caller|source|remote|request)('s)?) (address|network|host)\b/i,
];

/**
 * Whether the words of a refusal say that the key may not be used from the address of the caller, which for the upstream is the graph. An assumption: the
 * upstream documents that keys may be bound to addresses and that this is refused with 403, and not in which words or by which code.
 */
export const isAddressRefusal = (message: string | null): boolean =>
  message !== null && CALLER_ADDRESS.some((words) => words.test(message));
