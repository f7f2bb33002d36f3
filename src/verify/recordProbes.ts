import type { MessageFields } from '../upstream/contract/fields.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { isObject } from './json.ts';
import { identityOf, madeUpId, type ProbeContext } from './probes.ts';
import { type Course, rowsIn } from './walk.ts';

/** Whether a value tells something: proto-JSON leaves out what does not. */
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

/** The member of a response that holds one record, for an operation that gets it by its id alone. */
function recordMember({ request, response, page }: AnyOperation): readonly [string, MessageFields] | null {
  const required = Object.values(request.fields).filter(({ required: isRequired }) => isRequired);
  if (required.length !== 1 || required[0]?.refers === undefined) return null;
  for (const [name, { message, list }] of Object.entries(response.fields))
    if (message && !list && name !== page?.items && message.entity === required[0].refers) return [name, message];
  return null;
}

/** The id field of a request that gets a record. */
const idField = ({ request }: AnyOperation) => Object.entries(request.fields).find(([, { required }]) => required)?.[0] ?? 'id';

/** Looks whether rows of a list are whole: the record of the first row is read by its id, and must tell no more. */
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
  if (!isObject(whole)) return;
  const more = Object.keys(record.fields).filter((name) => tells(whole[name]) && !tells(row[name]));
  const list = wanted.operation.name;
  notes.fact(`rows of ${list} beside ${get.name}`, more.length === 0 ? 'whole' : `summaries: without ${more.join(', ')}`);
  const cover = caller.of(get).cover?.list;
  if (cover !== list) return;
  notes.settle('lists of whole records', get.name, more.length === 0);
  if (more.length === 0) return;
  notes.drift(get.name, 'COVER', `rows of ${list} lack ${more.join(', ')}`);
  notes.uncovered.add(get.name);
}

/** Looks how an id that no record has is answered. */
async function probeMadeUp({ caller, notes }: ProbeContext, get: AnyOperation): Promise<void> {
  const reply = await caller.ask(get, { [idField(get)]: madeUpId() });
  if ('answer' in reply) return notes.fact(`a made-up id of ${get.name}`, `status ${reply.status}, and no error`);
  if (reply.status === null) return;
  notes.fact(
    `a made-up id of ${get.name}`,
    `status ${reply.status}, ${reply.code ?? 'no known code'}, body with ${reply.members.join(', ') || 'no known member'}`,
  );
  if (reply.status === 404) notes.settle('HTTP statuses', '404', true);
}

/** Looks at the records that are read by their id, where a list has shown some. */
export async function probeRecords(context: ProbeContext): Promise<void> {
  const gets = context.courses.flatMap(({ operation, answer }: Course) => {
    const member = answer === null ? null : recordMember(operation);
    return member ? [{ operation, member }] : [];
  });
  for (const { operation, member } of gets) await probeWhole(context, operation, ...member);
  for (const { operation } of gets) await probeMadeUp(context, operation);
}
