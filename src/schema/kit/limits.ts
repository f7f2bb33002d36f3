import type { Field } from '../../upstream/contract/fields.ts';

const count = new Intl.NumberFormat('en');

/** The limits of a field, to be put in place of the full stop of a sentence. `name` is the field's in the input: what its list holds. */
function limitsOf({ list, minItems = 0, maxItems, maxLength, refers, kind, unit, gt, gte, lte, not }: Field, name: string): string {
  if (list) {
    if (maxItems === undefined) return '';
    const most = count.format(maxItems);
    return minItems > 0 ? `: ${minItems} to ${most} ${name}` : `, at most ${most}`;
  }
  if (refers || unit) return '';
  if (maxLength !== undefined) return `, at most ${count.format(maxLength)} characters`;
  if (not === 0) return ', not 0';
  if (kind === 'double') return '';
  const least = gte ?? (gt === undefined ? undefined : gt + 1);
  if (least === undefined) return '';
  return lte === undefined ? `, at least ${count.format(least)}` : `, ${count.format(least)} to ${count.format(lte)}`;
}

/** A description with the limits of its field at the end of its first sentence: they follow from the contract, and cannot drift from it. */
export function limitsInWords(description: string, field: Field, name: string): string {
  const limits = limitsOf(field, name);
  const end = /\.(?=\s|$)/.exec(description)?.index;
  return limits === '' || end === undefined ? description : `${description.slice(0, end)}${limits}${description.slice(end)}`;
}
