import type { Page } from '../upstream/contract/operation.ts';
import type { Reply } from './caller.ts';
import { identityOf, type ProbeContext } from './probes.ts';
import { type Course, rowsIn } from './walk.ts';

interface PagedCourse extends Course {
  readonly request: Readonly<Record<string, unknown>>;
}

const isAnswered = (course: Course): course is PagedCourse => course.request !== null;

/** Lists of which a page of another size, or another page, can be asked for. */
const pagedCourses = (courses: readonly Course[]): readonly PagedCourse[] =>
  courses.filter(isAnswered).filter(({ operation }) => operation.page !== undefined && 'pageSize' in operation.request.fields);

/** Looks whether pages are counted, sized and ended as the contract says: asks for the second page of one row, which must be the second row. */
async function probeTurning({ caller, notes, evidence }: ProbeContext, course: PagedCourse): Promise<void> {
  const { operation, request, answer } = course;
  const known = answer && rowsIn(operation, answer);
  if (!known || known.length < 2 || !('page' in operation.request.fields)) return;
  const reply = await caller.ask(operation, { ...request, page: 2, pageSize: 1 });
  if (!('answer' in reply)) return;
  const rows = rowsIn(operation, reply.answer) ?? [];
  const identities = known.map((row) => identityOf(operation, row));
  const place = rows[0] ? identities.indexOf(identityOf(operation, rows[0])) : -1;
  const { name } = operation;
  if (rows.length > 1) {
    notes.unsized.add(name);
    return notes.drift(name, 'PAGE_SIZE_IGNORED', `1 row was asked for, and ${rows.length} came`);
  }
  if (place === 0 || place === 2) {
    // Unless rows have come or gone meanwhile.
    const again = await caller.ask(operation, { ...request, pageSize: 1 });
    const first = 'answer' in again ? rowsIn(operation, again.answer)?.[0] : undefined;
    if (!first || identityOf(operation, first) !== identities[0]) return;
    if (place === 0) notes.drift(name, 'PAGE_IGNORED', 'page 2 is page 1');
    else notes.drift(name, 'PAGE_BASE', 'page 2 is the third one: pages are counted from 0');
  }
  if (place === 1) notes.settle('kinds of lists', name, true);
  // An end mark of another name or type is a finding of its own.
  const isUnset =
    reply.answer.hasMore === false || (reply.answer.hasMore === undefined && !evidence.isRenamed(operation.response, 'hasMore'));
  if (place === 1 && known.length > 2 && operation.response.fields.hasMore && isUnset)
    notes.drift(name, 'HAS_MORE', 'hasMore is not set though rows follow');
}

/** The rows that a page of this size may hold, as far as the answer tells; null when it tells nothing. */
function allowedBy(reply: Reply, operation: Course['operation'], asked: number): number | null {
  if (!('answer' in reply)) return null;
  const { pageSize, hasMore } = reply.answer;
  if (typeof pageSize === 'number' && pageSize > 0 && pageSize < asked) return pageSize;
  const rows = rowsIn(operation, reply.answer)?.length ?? 0;
  return hasMore === true && rows > 0 && rows < asked ? rows : asked;
}

/** Finds the greatest size that is not refused, by halves. Null when calls have run out. */
async function greatestTaken({ caller }: ProbeContext, { operation, request }: PagedCourse, below: number, known: number | undefined) {
  let [taken, refused] = [1, below];
  while (refused - taken > 1) {
    // Lists of one upstream tend to have one cap: what another list took, and one more, are asked first.
    const guesses = known === undefined ? [] : [known, known + 1].filter((size) => size > taken && size < refused);
    const size = guesses[0] ?? Math.floor((taken + refused) / 2);
    const reply = await caller.ask(operation, { ...request, pageSize: size });
    if ('answer' in reply) taken = size;
    else if (reply.reason === 'REFUSED') refused = size;
    else return null;
  }
  return taken;
}

/** Looks whether the greatest page of the contract is taken, and what is where it is not. */
async function probeCap(context: ProbeContext, course: PagedCourse): Promise<void> {
  const { caller, notes } = context;
  const { operation, request } = course;
  const { maxSize } = caller.of(operation).page as Page;
  if (maxSize < 2) return;
  const reply = await caller.ask(operation, { ...request, pageSize: maxSize });
  const cap =
    'answer' in reply || reply.reason !== 'REFUSED'
      ? allowedBy(reply, operation, maxSize)
      : await greatestTaken(context, course, maxSize, [...notes.caps.values()][0]);
  if (cap === null) return;
  if (cap < maxSize) {
    notes.drift(operation.name, 'PAGE_CAP', `a page holds ${cap} rows at most, and not ${maxSize}`);
    notes.caps.set(operation.name, cap);
  }
  notes.settle('greatest sizes of pages', operation.name, cap >= maxSize);
}

/** Looks at the pages of all lists that have answered rows. */
export async function probePages(context: ProbeContext): Promise<void> {
  const courses = pagedCourses(context.courses);
  for (const course of courses) await probeTurning(context, course);
  for (const course of courses) if (!context.notes.unsized.has(course.operation.name)) await probeCap(context, course);
}
