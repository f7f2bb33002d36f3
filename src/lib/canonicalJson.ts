const sortMembers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
};

/** JSON that is identical for equivalent requests: members are sorted by name, undefined members are omitted, and null is preserved. */
export const toCanonicalJson = (value: unknown): string => JSON.stringify(sortMembers(value));

/** Whether the members are sorted by name and none is an object or array. Any JSON of such an object is canonical. */
export function isFlatAndSorted(value: object): boolean {
  let previous = '';
  for (const [name, member] of Object.entries(value)) {
    if (name < previous || (typeof member === 'object' && member !== null)) return false;
    previous = name;
  }
  return true;
}
