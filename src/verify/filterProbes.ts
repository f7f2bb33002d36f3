import type { JsonObject } from '../lib/json.ts';
import type { Field } from '../upstream/contract/fields.ts';
import { enums } from '../upstream/contract/generated/messages.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { madeUpId, type ProbeContext } from './probes.ts';
import { type Course, rowsIn } from './walk.ts';

const PAGING = new Set(['page', 'pageSize']);

/** The member of the rows that shows what a filter asks for; undefined where the rows show nothing of it. */
export function shownBy({ response, page }: AnyOperation, name: string, filter: Field): string | undefined {
  const row = response.fields[page?.items ?? '']?.message?.fields ?? {};
  const same = row[name];
  if (same && same.kind === filter.kind && same.refers === filter.refers && !same.list) return name;
  if (filter.kind !== 'enum') return undefined;
  return Object.entries(row).find(([, { type, list }]) => type === filter.type && !list)?.[0];
}

/** A value that no row has, and how rows are told that should not be there. */
interface Impossible {
  readonly value: unknown;
  readonly isWrong: (row: JsonObject) => boolean;
}

function impossible(operation: AnyOperation, name: string, filter: Field, rows: readonly JsonObject[]): Impossible | null {
  if (filter.kind === 'string' && !filter.pattern) {
    const value = madeUpId();
    return { value, isWrong: () => true };
  }
  const member = filter.kind === 'enum' ? shownBy(operation, name, filter) : undefined;
  if (member === undefined) return null;
  const present = new Set(rows.map((row) => row[member]));
  const other = (enums[filter.type ?? ''] ?? []).find(({ name: word }) => !word.endsWith('_UNSPECIFIED') && !present.has(word));
  return other ? { value: other.name, isWrong: (row) => row[member] !== other.name } : null;
}

/** Whether a field of a request is a filter of a list by text, a word or an id. */
export const canFilter = (name: string, { kind }: Field, { page, keyField }: AnyOperation) =>
  !PAGING.has(name) && name !== page?.fromField && name !== page?.toField && name !== keyField && (kind === 'string' || kind === 'enum');

/** Looks whether the rows that were asked for by an owner are the owner's. */
function checkOwner({ notes }: ProbeContext, { operation, request, answer }: Course): void {
  if (!request || !answer) return;
  const rows = rowsIn(operation, answer) ?? [];
  for (const [name, value] of Object.entries(request)) {
    const field = operation.request.fields[name];
    const member = field && canFilter(name, field, operation) ? shownBy(operation, name, field) : undefined;
    if (member === undefined) continue;
    if (rows.some((row) => row[member] !== undefined && row[member] !== '' && row[member] !== value))
      notes.drift(`${operation.request.name}.${name}`, 'FILTER_IGNORED', 'also returns rows of other owners');
  }
}

/** Asks for what cannot be there: rows that come all the same show that the filter is ignored. */
async function probeFilter({ caller, notes }: ProbeContext, course: Course, name: string, filter: Field): Promise<void> {
  const { operation, request, answer } = course;
  const wanted = impossible(operation, name, filter, (answer && rowsIn(operation, answer)) ?? []);
  if (!wanted) return;
  const reply = await caller.ask(operation, { ...request, [name]: wanted.value });
  const coordinate = `${operation.request.name}.${name}`;
  // A refusal shows that it is looked at, and nothing of how.
  if (!('answer' in reply)) {
    if (reply.isMissing || reply.reason === 'REFUSED') notes.settle('request fields', coordinate, true);
    return;
  }
  const wrong = (rowsIn(operation, reply.answer) ?? []).filter(wanted.isWrong);
  if (wrong.length > 0) notes.drift(coordinate, 'FILTER_IGNORED', 'returns rows for a value that none of them has');
  notes.settle('request fields', coordinate, wrong.length === 0);
}

/** Looks at the filters of all lists that have answered rows. An enum whose words differ is left out: its words would be refused. */
export async function probeFilters(context: ProbeContext): Promise<void> {
  const lists = context.courses.filter(({ operation, request }) => request !== null && operation.page !== undefined);
  const drifting = context.evidence.driftingEnums;
  for (const course of lists) checkOwner(context, course);
  for (const course of lists) {
    const { operation } = course;
    for (const [name, filter] of Object.entries(operation.request.fields)) {
      if (!canFilter(name, filter, operation) || operation.request.exactlyOne?.includes(name)) continue;
      if (!drifting.has(filter.type ?? '')) await probeFilter(context, course, name, filter);
    }
  }
}
