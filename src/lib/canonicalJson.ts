const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
};

/** JSON that is the same for requests that mean the same: members in the order of their names, absent ones left out, null kept. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));

/** Whether the members stand in the order of their names, and hold nothing that has members of its own: then any JSON of it is canonical. */
export function isInOrder(value: object): boolean {
  let previous = '';
  for (const [name, member] of Object.entries(value)) {
    if (name < previous || (typeof member === 'object' && member !== null)) return false;
    previous = name;
  }
  return true;
}
