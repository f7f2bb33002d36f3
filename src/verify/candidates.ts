function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** Names that a service may go by in paths, the likeliest first: those that were given, then its own in other forms. */
export function nameCandidates(service: string, given: readonly string[]): readonly string[] {
  const own = [pluralOf(service), `${service}Service`, `${pluralOf(service)}Service`, `Public${service}`];
  const names = new Set([...given, ...own]);
  names.delete(service);
  return [...names];
}
