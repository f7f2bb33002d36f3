/** Whether one edit turns a string into another one: inserting, deleting, or replacing a character, or swapping two adjacent ones. False if they're equal. */
export function isOneEditApart(one: string, other: string): boolean {
  if (one === other || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const rests = [one.slice(start), other.slice(start)] as const;
  const [first, second] = rests;
  if (first.slice(1) === second || first === second.slice(1) || first.slice(1) === second.slice(1)) return true;
  return first[0] === second[1] && first[1] === second[0] && first.slice(2) === second.slice(2);
}
