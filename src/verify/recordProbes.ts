import { isJsonObject, type JsonObject } from '../lib/json.ts';
import type { MessageFields } from '../upstream/contract/fields.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import type { Reply } from './caller.ts';
import { identityOf, madeUpId, type ProbeContext } from './probes.ts';
import { type Course, rowsIn } from './walk.ts';

/** Whether a value isn't a default, which proto-JSON omits. */
const tells = (value: unknown) =>
  Array.isArray(value)
    ? value.length > 0
    : value !== undefined &&
      value !== null &&
      value !== '' &&
      value !== 0 &&
      value !== '0' &&
      value !== false &&
      !/_UNSPECIFIED$/.test(String(value));

/** Paths of fields that are absent, shorter, or truncated in a row compared with the complete record. */
function lacks(message: MessageFields, whole: JsonObject, row: JsonObject, path = ''): readonly string[] {
  return Object.entries(message.fields).flatMap(([name, { message: inner }]) => {
    const [full, part] = [whole[name], row[name]];
    const here = `${path}${name}`;
    if (!tells(full)) return [];
    if (!tells(part) || (typeof full === 'string' && typeof part === 'string' && full !== part && isCut(full, part))) return [here];
    if (Array.isArray(full) && Array.isArray(part)) {
      if (part.length < full.length) return [here];
      const entries = full.flatMap((each, index) =>
        inner && isJsonObject(each) && isJsonObject(part[index]) ? lacks(inner, each, part[index], `${here}.`) : [],
      );
      return [...new Set(entries)];
    }
    return inner && isJsonObject(full) && isJsonObject(part) ? lacks(inner, full, part, `${here}.`) : [];
  });
}

/** Whether a text is the beginning of another, with or without an ellipsis. */
const isCut = (full: string, part: string) => full.startsWith(part.replace(/(\.\.\.|…)$/, ''));

/** The field of a response that contains the record, for operations that get one by ID. */
function recordMember({ request, response, page }: AnyOperation): readonly [string, MessageFields] | null {
  const required = Object.values(request.fields).filter(({ required: isRequired }) => isRequired);
  if (required.length !== 1 || required[0]?.refers === undefined) return null;
  for (const [name, { message, list }] of Object.entries(response.fields))
    if (message && !list && name !== page?.items && message.entity === required[0].refers) return [name, message];
  return null;
}

/** The ID field of a request that gets a record. */
const idField = ({ request }: AnyOperation) => Object.entries(request.fields).find(([, { required }]) => required)?.[0] ?? 'id';

/** Checks that rows of a list are complete records: gets the record of the first row, which must not contain more. */
async function probeWhole(
  { caller, notes, courses }: ProbeContext,
  get: AnyOperation,
  member: string,
  record: MessageFields,
): Promise<void> {
  const lists = courses.filter(
    ({ operation, answer }) => answer !== null && operation.response.fields[operation.page?.items ?? '']?.message === record,
  );
  const wanted = lists.find(({ operation }) => operation.name === get.cover?.list) ?? lists[0];
  const row = wanted?.answer && rowsIn(wanted.operation, wanted.answer)?.[0];
  if (!wanted || !row) return;
  const reply = await caller.ask(get, { [idField(get)]: identityOf(wanted.operation, row) });
  const whole = 'answer' in reply ? reply.answer[member] : undefined;
  if (!isJsonObject(whole)) return;
  const more = lacks(record, whole, row);
  const list = wanted.operation.name;
  notes.compared.add(list);
  const isCover = caller.of(get).cover?.list === list;
  if (isCover) notes.settle('covering lists', get.name, more.length === 0);
  if (more.length === 0) return;
  // Known from the overlay; or the list differs from the list of one owner, which is the same finding.
  if (caller.hasNoCover(get) || caller.hasNoCover(wanted.operation) || notes.uncovered.has(list)) return;
  notes.drift(isCover ? get.name : list, 'SUMMARY_ROWS', `rows of ${list} lack ${more.join(', ')}, which ${get.name} returns`);
  notes.uncovered.add(get.name);
}

/** Difference between the response to an unknown ID and the contract. Null without a difference, or if the response proves nothing. */
function unknownIdDrift(reply: Reply, member: string, get: AnyOperation): string | null {
  if ('answer' in reply) {
    if (isJsonObject(reply.answer[member])) return 'returns a record for an unknown ID';
    return get.emptyIfMissing ? null : `responds to an unknown ID with status ${reply.status} and no error, expected 404 not_found`;
  }
  const { status, code, isMissing, reason, members } = reply;
  if (status === null || isMissing || reason === 'BUDGET') return null;
  const body = `${code ?? 'no known error code'}, body with ${members.join(', ') || 'no known fields'}`;
  return `responds to an unknown ID with status ${status} (${body}), expected 404 not_found`;
}

/** Reads an ID that doesn't exist. The graph returns null only for `not_found`; anything else becomes an error of the whole field. */
async function probeUnknownId({ caller, notes }: ProbeContext, { operation: get, member: [member] }: Get): Promise<void> {
  const request = { [idField(get)]: madeUpId() };
  let reply = await caller.ask(get, request);
  // A failure can be temporary.
  if ('reason' in reply && reply.reason === 'ERROR') reply = await caller.ask(get, request);
  const drift = unknownIdDrift(reply, member, caller.of(get));
  if (drift !== null) notes.drift(get.name, 'NOT_FOUND', drift);
  else if (reply.status === 404) notes.settle('HTTP statuses', '404', true);
}

/** An operation that gets a record by ID, and returned one. */
interface Get {
  readonly operation: AnyOperation;
  readonly course: Course;
  readonly member: readonly [string, MessageFields];
}

const getsIn = ({ courses }: ProbeContext): readonly Get[] =>
  courses.flatMap((course) => {
    const member = course.answer === null ? null : recordMember(course.operation);
    return member ? [{ operation: course.operation, course, member }] : [];
  });

/** Checks that a get returned the requested record. True unless it's another. */
function isAsked({ notes }: ProbeContext, { operation, course, member: [name, { fields, entity }] }: Get): boolean {
  const key = Object.entries(fields).find(([, { refers }]) => refers !== undefined && refers === entity)?.[0];
  const record = course.answer?.[name];
  const id = key !== undefined && isJsonObject(record) ? record[key] : undefined;
  if (typeof id !== 'string' || id === '' || id === course.request?.[idField(operation)]) return true;
  notes.drift(operation.name, 'OTHER_RECORD', 'returns a record with another ID than requested');
  return false;
}

/** Checks that the rows of covering lists are complete records. */
export async function probeCovers(context: ProbeContext): Promise<void> {
  for (const get of getsIn(context))
    if (get.operation.cover && isAsked(context, get)) await probeWhole(context, get.operation, ...get.member);
}

/** Checks the responses to unknown IDs, and the rows of lists that don't cover a get. */
export async function probeRecords(context: ProbeContext): Promise<void> {
  const gets = getsIn(context).filter((get) => isAsked(context, get));
  for (const get of gets) await probeUnknownId(context, get);
  for (const { operation, member } of gets) if (!operation.cover) await probeWhole(context, operation, ...member);
}

/** Compares the rows of lists that have no get with those of other responses: fields that all rows of a list lack, but the same message contains elsewhere. */
export function checkRows({ caller, evidence, notes, courses }: ProbeContext): void {
  for (const { operation, answer } of courses) {
    const { name, page, response } = operation;
    const message = response.fields[page?.items ?? '']?.message;
    const rows = (answer && rowsIn(operation, answer)) ?? [];
    if (!message || rows.length === 0 || notes.compared.has(name) || notes.uncovered.has(name) || caller.hasNoCover(operation)) continue;
    const lacking = Object.keys(message.fields).filter(
      (field) => evidence.isWritten(message, field) && rows.every((row) => row[field] === undefined),
    );
    if (lacking.length === 0) continue;
    notes.drift(name, 'SUMMARY_ROWS', `rows lack ${lacking.join(', ')}, which other responses contain`);
    notes.uncovered.add(name);
  }
}
