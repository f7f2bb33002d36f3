const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
};

/** JSON that is the same for requests that mean the same: members in the order of their names, absent ones left out, null kept. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));
