import { isJsonObject, type JsonObject } from '../lib/json.ts';
import type { Field } from '../upstream/contract/fields.ts';
import { GetCustomer } from '../upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { canFilter, shownBy } from './filterProbes.ts';
import type { Pool } from './pool.ts';
import { identityOf, type ProbeContext } from './probes.ts';
import { type Course, rowsIn } from './walk.ts';

/** A filter with a value that a row has. */
interface Present {
  readonly course: Course;
  readonly name: string;
  readonly member: string;
  readonly value: string;
}

/** Values to ask for: of ids the last one, and of words each that came, since a filter may know some of them only. */
function presentIn(course: Course, name: string, filter: Field): readonly Present[] {
  const { operation, answer } = course;
  const member = filter.kind === 'enum' || filter.refers !== undefined ? shownBy(operation, name, filter) : undefined;
  if (member === undefined || !answer) return [];
  const values = (rowsIn(operation, answer) ?? []).map((row) => row[member]);
  const told = values.filter((each): each is string => typeof each === 'string' && each !== '' && !each.endsWith('_UNSPECIFIED'));
  const asked = filter.kind === 'enum' ? told : told.slice(-1);
  return [...new Set(asked)].map((value) => ({ course, name, member, value }));
}

/** Asks for a value that rows have: such rows must come, and no others. */
async function probePresent({ caller, notes }: ProbeContext, { course, name, member, value }: Present): Promise<void> {
  const { operation, request } = course;
  const reply = await caller.ask(operation, { ...request, [name]: value });
  const coordinate = `${operation.request.name}.${name}`;
  if (!('answer' in reply)) {
    if (reply.reason === 'REFUSED') notes.drift(coordinate, 'FILTER_EMPTY', 'rejects a value that a row has');
    return;
  }
  const rows = rowsIn(operation, reply.answer) ?? [];
  if (rows.length === 0) notes.drift(coordinate, 'FILTER_EMPTY', 'returns no rows for a value that a row has');
  else if (rows.some((row) => row[member] !== undefined && row[member] !== value))
    notes.drift(coordinate, 'FILTER_IGNORED', 'also returns rows with other values');
}

/** The filters of the lists that have answered rows, each with a value that a row has. Those that were asked with are left out. */
function presentFilters({ courses, evidence }: ProbeContext): readonly Present[] {
  const drifting = evidence.driftingEnums;
  return courses.flatMap((course) => {
    const { operation, request } = course;
    if (!request || !operation.page) return [];
    return Object.entries(operation.request.fields).flatMap(([name, filter]) => {
      const isOpen = canFilter(name, filter, operation) && !(name in request) && !operation.request.exactlyOne?.includes(name);
      return isOpen && !drifting.has(filter.type ?? '') ? presentIn(course, name, filter) : [];
    });
  });
}

/** All rows of a list, where one page shows them. */
async function wholeList({ caller }: ProbeContext, operation: AnyOperation, request: object): Promise<readonly JsonObject[] | null> {
  const { maxSize = 1 } = caller.of(operation).page ?? {};
  const reply = await caller.ask(operation, { ...request, pageSize: maxSize });
  return 'answer' in reply && reply.answer.hasMore !== true ? rowsIn(operation, reply.answer) : null;
}

/** Looks whether a list of all owners shows the rows that the list of one owner shows. */
async function probeParts(context: ProbeContext, course: Course): Promise<void> {
  const { operation, request, answer } = course;
  const owner = context.caller.of(operation).parts?.of;
  if (owner === undefined || !request || owner in request || !answer) return;
  const values = (rowsIn(operation, answer) ?? []).map((row) => row[owner]);
  const value = values.find((each) => typeof each === 'string' && each !== '');
  if (value === undefined) return;
  const [all, own] = [await wholeList(context, operation, request), await wholeList(context, operation, { ...request, [owner]: value })];
  if (!all || !own) return;
  const known = new Set(all.map((row) => JSON.stringify([identityOf(operation, row), Object.keys(row).sort()])));
  const isWhole = own.every((row) => known.has(JSON.stringify([identityOf(operation, row), Object.keys(row).sort()])));
  context.notes.settle('lists that are subsets of another list', operation.name, isWhole);
  if (isWhole) return;
  context.notes.drift(operation.name, 'PARTS', `the list of one ${owner} has other rows, or rows with more fields, than the full list`);
  context.notes.uncovered.add(operation.name);
}

/** Looks whether a stretch of time is looked at: a second of a year ago must be as good as empty. */
async function probeWindow({ caller, notes }: ProbeContext, { operation, request }: Course): Promise<void> {
  const { fromField, toField } = operation.page ?? {};
  if (!request || fromField === undefined || toField === undefined) return;
  const start = Number(request[fromField]);
  const reply = await caller.ask(operation, { ...request, [toField]: String(start + 1) });
  if ('answer' in reply && (rowsIn(operation, reply.answer)?.length ?? 0) > 1)
    notes.drift(`${operation.request.name}.${toField}`, 'FILTER_IGNORED', 'returns several rows for one second, a year ago');
}

/** Looks whether a customer is found by the id of a portfolio, which is how the graph reads portfolios. */
async function probePortfolio({ caller, notes }: ProbeContext, pool: Pool): Promise<void> {
  const [id] = pool.idsOf('Portfolio');
  if (id === undefined) return;
  const reply = await caller.ask(GetCustomer, { id });
  if ('answer' in reply)
    return notes.fact('portfolios', isJsonObject(reply.answer.customer) ? 'readable as customers' : 'not returned as customers');
  if (reply.isMissing) notes.drift(GetCustomer.name, 'NOT_FOUND', 'no customer is found by a portfolio ID');
}

/** Looks at what takes a value that came: filters, stretches of time, lists that are parts of others, portfolios. */
export async function probePresentValues(context: ProbeContext, pool: Pool): Promise<void> {
  for (const present of presentFilters(context)) await probePresent(context, present);
  for (const course of context.courses) await probeWindow(context, course);
  for (const course of context.courses) await probeParts(context, course);
  await probePortfolio(context, pool);
}
