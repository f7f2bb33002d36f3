import { type ColumnMap, NO_MAP } from '../../../cli/import/columns.ts';
import { listMatchFields } from '../../../cli/import/match.ts';
import type { ImportMutation } from '../../../cli/import/mutations.ts';
import { listLookups } from '../../../cli/import/references.ts';
import type { TemplateColumn } from '../../../cli/import/template.ts';
import { toWords } from '../../../src/lib/words.ts';

/** What the columns of a file are for. */
export interface ColumnChoice {
  /** Fields by header. Null leaves a column out. */
  readonly fields: Readonly<Record<string, string | null>>;
  /** Texts that all rows have, by field. */
  readonly constants: Readonly<Record<string, string>>;
  /** Texts that replace cells, by header and cell. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What records are matched by, to update those that exist. Null if each row creates one. */
  readonly match: string | null;
}

/** A field that a column can be for. */
export interface FieldOption {
  /** As in the header of a file. */
  readonly field: string;
  readonly label: string;
  readonly isRequired: boolean;
  /** Whether rows can't set the field, but be matched by it. */
  readonly isOnlyMatched?: boolean;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function createLabel(field: string): string {
  const [, customField] = /^customFields\.(.+)$/.exec(field) ?? [];
  if (customField !== undefined) return `Custom field ${customField}`;
  const steps = field.split('.').map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : toWords(step.replace(/Ids?$/, ''))));
  return capitalize(steps.join(' '));
}

/** The fields of a mutation. References come with each value that they can be looked up by. */
export function listOptions({ name }: ImportMutation, columns: readonly TemplateColumn[]): readonly FieldOption[] {
  const own = columns.flatMap(({ header, isRequired }): FieldOption[] => [
    { field: header, label: createLabel(header), isRequired },
    ...listLookups(name, header).map((by) => ({
      field: `${header}:${by}`,
      label: `${createLabel(header)}, by ${toWords(by)}`,
      isRequired: false,
    })),
  ]);
  const matched = listMatchFields(name).filter((field) => columns.every(({ header }) => header !== field));
  return [...own, ...matched.map((field) => ({ field, label: createLabel(field), isRequired: false, isOnlyMatched: true }))];
}

/** What the records of a mutation can be matched by, with labels. */
export const listMatches = ({ name }: ImportMutation) => listMatchFields(name).map((field) => ({ field, label: createLabel(field) }));

const simplify = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '');

/** The field that a header names, in another spelling. Null if there's none. */
const findField = (header: string, options: readonly FieldOption[]): string | null =>
  (
    options.find(({ field }) => field === header) ??
    options.find(({ field, label }) => [field, label, field.split('.').at(-1) ?? ''].some((text) => simplify(text) === simplify(header)))
  )?.field ?? null;

/** Chooses the fields that headers name, each once. */
export function suggestChoice(headers: readonly string[], options: readonly FieldOption[]): ColumnChoice {
  const taken = new Set<string>();
  const fields = headers.map((header) => {
    const field = findField(header, options);
    if (field === null || taken.has(field)) return [header, null];
    taken.add(field);
    return [header, field];
  });
  const matched = options.find(({ field, isOnlyMatched }) => isOnlyMatched && taken.has(field));
  return { fields: Object.fromEntries(fields), constants: {}, values: {}, match: matched?.field ?? null };
}

/** Formats replaced cells, a line each. */
export const formatValues = (values: Readonly<Record<string, string>> = {}): string =>
  Object.entries(values)
    .map(([cell, text]) => `${cell} = ${text}`)
    .join('\n');

/** Parses lines such as `yes = true`. Null if one has no `=`. */
export function parseValues(text: string): Readonly<Record<string, string>> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.map((line) => line.split(/=(.*)/s).map((part) => part.trim()));
  return entries.every(({ length }) => length > 1) ? Object.fromEntries(entries) : null;
}

export const toMap = ({ fields, constants, values }: ColumnChoice): ColumnMap => ({
  ...NO_MAP,
  columns: new Map(Object.entries(fields)),
  constants: new Map(Object.entries(constants).filter(([, text]) => text !== '')),
  values: new Map(Object.entries(values).map(([header, texts]) => [header, new Map(Object.entries(texts))])),
});

const STORED_CHOICES = 'import columns';
/** Number of choices that are stored, for the last files with different headers, and the length of their JSON. Chosen: a browser stores 5 million characters per site. */
const MAX_CHOICES = 20;
const MAX_CHARACTERS = 200_000;

type StoredChoice = readonly [name: string, choice: ColumnChoice];

const createName = (mutation: string, headers: readonly string[]) => JSON.stringify([mutation, headers]);

const readChoices = (): readonly StoredChoice[] => JSON.parse(localStorage.getItem(STORED_CHOICES) ?? '[]');

/** The choice for the last file with these headers. Null if there was none, or if the browser blocks storage. */
export function recallChoice(mutation: string, headers: readonly string[]): ColumnChoice | null {
  const name = createName(mutation, headers);
  try {
    const choice = readChoices().find(([each]) => each === name)?.[1];
    return choice ? { ...choice, values: choice.values ?? {}, match: choice.match ?? null } : null;
  } catch {
    return null;
  }
}

export function storeChoice(mutation: string, headers: readonly string[], choice: ColumnChoice): void {
  const name = createName(mutation, headers);
  try {
    const others = readChoices().filter(([each]) => each !== name);
    const choices = [[name, choice] as StoredChoice, ...others].slice(0, MAX_CHOICES);
    while (JSON.stringify(choices).length > MAX_CHARACTERS) choices.pop();
    localStorage.setItem(STORED_CHOICES, JSON.stringify(choices));
  } catch {
    // Imports need storage, which the check reports.
  }
}
