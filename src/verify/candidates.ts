function pluralize(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** Names that a service can have in paths, most likely first: the configured ones, then variants of its own name. */
export function listNameCandidates(service: string, configured: readonly string[]): readonly string[] {
  const derived = [pluralize(service), `${service}Service`, `${pluralize(service)}Service`, `Public${service}`];
  const names = new Set([...configured, ...derived]);
  names.delete(service);
  return [...names];
}
