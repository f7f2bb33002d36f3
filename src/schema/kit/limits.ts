import { invalidInput } from '../../failures/failures.ts';
import { countCharacters, isLongerThan } from '../../lib/characters.ts';
import type { MessageField } from '../../upstream/contract/fields.ts';

const count = new Intl.NumberFormat('en');

/** Formats the limits of a field as a sentence. Null if it has none. */
function formatLimits({ list, minItems = 0, maxItems, maxLength, refers, kind, unit, gt, gte, lte, not }: MessageField): string | null {
  if (list) {
    if (maxItems === undefined) return null;
    const max = count.format(maxItems);
    return minItems > 0 ? `${minItems}–${max} items.` : `Up to ${max} items.`;
  }
  if (refers || unit) return null;
  if (maxLength !== undefined) return `Up to ${count.format(maxLength)} characters.`;
  if (not === 0) return 'Must not be 0.';
  if (kind === 'double') return null;
  const min = gte ?? (gt === undefined ? undefined : gt + 1);
  if (min === undefined) return null;
  return lte === undefined ? `At least ${count.format(min)}.` : `${count.format(min)}–${count.format(lte)}.`;
}

/** Throws ValidationError if a text has more than `maxLength` characters. */
export function checkLength(text: string, maxLength: number, path: readonly string[]): void {
  if (isLongerThan(text, maxLength))
    throw invalidInput(path, 'TOO_LONG', `must have at most ${maxLength} characters, but has ${countCharacters(text)}.`, maxLength);
}

/** Appends the limits of a field to its description. Generated from the contract so that the two can't drift apart. */
export function withLimits(description: string, field: MessageField): string {
  const limits = formatLimits(field);
  return limits === null ? description : `${description} ${limits}`;
}
