/** Patterns for the IP address of the caller. They don't match other addresses, such as those for deliveries. */
const CALLER_ADDRESS = [
  // Only networks have CIDR ranges.
  /\bCIDRs?\b/i,
  // An IP address, in various phrasings.
  /\bIP(v[46])?[ -]?(address(es)?|ranges?|allow-?list|white-?list|restrictions?)\b/i,
  /\b(this|your|client|caller|source|remote|request)('s)? IP\b/i,
  /\bIP (\d+\.\d+\.\d+\.\d+|[\da-f]*:[\da-f:]+)/i,
  /\bIP (is |was |may |can ?)?not (be )?(allowed|permitted|accepted)\b/i,
  // A key used from an address. Without the word "key", the text could be about the address that goods are shipped from.
  /\bkey (may|can|must|is|was|does|cannot|can't|isn't)\b[^.]*\bfrom (this|that|your|the (client|caller|source|remote|request)('s)?) (address|network|host)\b/i,
];

/**
 * Whether an error message says that the key can't be used from the caller's IP address, which is that of the graph. Heuristic: the upstream documents that
 * keys can be bound to IP addresses, and the status 403, but neither the message nor the code.
 */
export const isIpRestriction = (message: string | null): boolean => message !== null && CALLER_ADDRESS.some((words) => words.test(message));
