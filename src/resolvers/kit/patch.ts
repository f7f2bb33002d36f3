import { invalidInput, ValidationError, type ValidationIssue } from '../../failures.ts';

/** The fields that may be cleared: those that hold text, which the upstream empties by empty text. */
type Clearable<Fields> = { [Name in keyof Fields]-?: NonNullable<Fields[Name]> extends string ? Name : never }[keyof Fields] & string;

const listed = new Intl.ListFormat('en');

/** The description of an update, with the fields that null clears. */
export const patchDescription = (clearable: readonly string[]): string =>
  `Changes the fields that are given; those that are left out stay. Null clears ${listed.format(clearable.map((name) => `\`${name}\``))}; the other fields cannot be cleared.`;

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';
const isNothing = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

function problemsOf(name: string, value: unknown, canBeCleared: boolean): readonly ValidationIssue[] {
  if (canBeCleared && isBlank(value)) return invalidInput([name], 'BLANK', 'must not be blank: send null to take the value away.').issues;
  if (!canBeCleared && isNothing(value))
    return invalidInput([name], 'CANNOT_BE_CLEARED', 'cannot be cleared: leave it out to keep it.').issues;
  return [];
}

/**
 * The changes of an update, as the upstream takes them: a field that is absent is left out, one that is null becomes empty text. Fails with
 * ValidationError for null where the upstream cannot clear, and for blank text where null is the way to clear.
 */
export function patch<Fields extends object>(fields: Fields, clearable: readonly Clearable<Fields>[]) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const issues = given.flatMap(([name, value]) => problemsOf(name, value, (clearable as readonly string[]).includes(name)));
  if (issues.length > 0) throw new ValidationError(issues);
  return Object.fromEntries(given.map(([name, value]) => [name, value ?? ''])) as { [Name in keyof Fields]?: NonNullable<Fields[Name]> };
}
