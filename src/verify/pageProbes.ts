import type { JsonObject } from '../lib/json.ts';
import type { AnyOperation, Page } from '../upstream/contract/operation.ts';
import type { Reply } from './caller.ts';
import type { DriftKind } from './finding.ts';
import { hasStableOrder } from './orderProbes.ts';
import { identityOf, type ProbeContext } from './probes.ts';
import { type Course, rowsIn } from './walk.ts';

interface PagedCourse extends Course {
  readonly request: Readonly<Record<string, unknown>>;
}

const isAnswered = (course: Course): course is PagedCourse => course.request !== null;

/** Lists with a page size that can be requested. */
const pagedCourses = (courses: readonly Course[]): readonly PagedCourse[] =>
  courses.filter(isAnswered).filter(({ operation }) => operation.page !== undefined && 'pageSize' in operation.request.fields);

/** Drift in pagination, by the position in page 1 of the first row of page 2. */
function turnDrift(place: number, size: number): readonly [DriftKind, string] | null {
  if (place === 0) return ['PAGE_IGNORED', 'page 2 repeats page 1'];
  if (place === 2 * size) return ['PAGE_BASE', 'page 2 is the third page, so pages are numbered from 0'];
  return place === size || (place === -1 && size === 1) ? null : ['PAGE_TURN', 'page 2 doesn’t start where page 1 ends'];
}

/** Checks that a response reports the requested page and size: the graph rejects others. */
function checkEcho(
  { notes }: ProbeContext,
  { name }: AnyOperation,
  answer: JsonObject,
  asked: { readonly page: number; readonly pageSize: number },
): void {
  for (const member of ['page', 'pageSize'] as const) {
    const told = answer[member];
    if (typeof told !== 'number' || told === asked[member] || (told === 0 && member === 'pageSize')) continue;
    notes.drift(name, 'PAGE_ECHO', `requested ${member} ${asked[member]}, but the response reports another value; the graph rejects it`);
  }
}

/** Checks numbering, size and end of pages: requests a small second page, which must contain the next rows. */
async function probeTurning(context: ProbeContext, course: PagedCourse): Promise<void> {
  const { caller, notes, evidence } = context;
  const { operation, request, answer } = course;
  const known = answer && rowsIn(operation, answer);
  if (!known || known.length < 2 || !('page' in operation.request.fields)) return;
  // Pages of two rows, if the first page has enough, to detect overlapping pages too.
  const size = known.length < 5 ? 1 : 2;
  const reply = await caller.ask(operation, { ...request, page: 2, pageSize: size });
  if (!('answer' in reply)) return;
  const rows = rowsIn(operation, reply.answer) ?? [];
  const identities = known.map((row) => identityOf(operation, row));
  const place = rows[0] ? identities.indexOf(identityOf(operation, rows[0])) : -1;
  const { name } = operation;
  if (rows.length > size) {
    notes.unsized.add(name);
    const other = evidence.otherNameOf(operation.response, 'pageSize');
    const hint =
      other === undefined ? '' : `; responses name the page size ${other}, so rename pageSize of ${operation.request.name} in an overlay`;
    const told = `requested ${size === 1 ? '1 row' : `${size} rows`}, received ${rows.length}${hint}`;
    return notes.drift(name, 'PAGE_SIZE_IGNORED', told);
  }
  const drift = turnDrift(place, size);
  if (drift) {
    // In a list without a stable order, any page can start with any row.
    if (!(await hasStableOrder(context, course))) return notes.unstable(name);
    // Rows may have been created or deleted since.
    const again = await caller.ask(operation, { ...request, pageSize: size });
    const first = 'answer' in again ? rowsIn(operation, again.answer)?.[0] : undefined;
    if (first && identityOf(operation, first) === identities[0]) notes.drift(name, ...drift);
    return;
  }
  if (place !== size) return;
  notes.settle('pagination styles', name, true);
  checkEcho(context, operation, reply.answer, { page: 2, pageSize: size });
  // A `hasMore` of another name or type is reported separately.
  const isUnset =
    reply.answer.hasMore === false ||
    (reply.answer.hasMore === undefined && evidence.otherNameOf(operation.response, 'hasMore') === undefined);
  if (known.length > 2 * size && operation.response.fields.hasMore && isUnset)
    notes.drift(name, 'HAS_MORE', 'hasMore isn’t true, but more rows follow');
}

/** Maximum number of rows in a page of this size, by the response; null if it doesn't show that. */
async function allowedBy({ caller, notes }: ProbeContext, reply: Reply, { operation, request }: PagedCourse, asked: number) {
  if (!('answer' in reply)) return null;
  const { pageSize, hasMore } = reply.answer;
  const rows = rowsIn(operation, reply.answer)?.length ?? 0;
  if (typeof pageSize === 'number' && pageSize > 0 && pageSize < asked) {
    if (pageSize !== rows || hasMore !== false) return pageSize;
    notes.drift(operation.name, 'PAGE_ECHO', 'pageSize is the number of returned rows instead of the requested size; the graph rejects it');
    return asked;
  }
  if (hasMore !== true || rows === 0 || rows >= asked) return asked;
  // More rows follow a page that isn't full: it was truncated, unless the next page is empty.
  const next = 'page' in operation.request.fields ? await caller.ask(operation, { ...request, page: 2, pageSize: asked }) : null;
  if (next && 'answer' in next && rowsIn(operation, next.answer)?.length === 0) {
    notes.drift(operation.name, 'HAS_MORE', 'hasMore is true, but no rows follow');
    return asked;
  }
  return rows;
}

/** Finds the largest accepted size by binary search. Null if calls run out. */
async function greatestTaken({ caller }: ProbeContext, { operation, request }: PagedCourse, below: number, known: number | undefined) {
  let [taken, refused] = [1, below];
  while (refused - taken > 1) {
    // Lists of one upstream tend to share a maximum: the one of another list is tried first, then one more.
    const guesses = known === undefined ? [] : [known, known + 1].filter((size) => size > taken && size < refused);
    const size = guesses[0] ?? Math.floor((taken + refused) / 2);
    const reply = await caller.ask(operation, { ...request, pageSize: size });
    if ('answer' in reply) taken = size;
    else if (reply.reason === 'REFUSED') refused = size;
    else return null;
  }
  return taken;
}

/** Checks that the maximum page size of the contract is accepted, and finds the actual one otherwise. */
async function probeCap(context: ProbeContext, course: PagedCourse): Promise<void> {
  const { caller, notes } = context;
  const { operation, request } = course;
  const { maxSize } = caller.of(operation).page as Page;
  if (maxSize < 2) return;
  const reply = await caller.ask(operation, { ...request, pageSize: maxSize });
  const cap =
    'answer' in reply || reply.reason !== 'REFUSED'
      ? await allowedBy(context, reply, course, maxSize)
      : await greatestTaken(context, course, maxSize, [...notes.caps.values()][0]);
  if (cap === null) return;
  if (cap < maxSize) {
    notes.drift(operation.name, 'PAGE_CAP', `a page contains at most ${cap} rows, expected ${maxSize}`);
    notes.caps.set(operation.name, cap);
  }
  notes.settle('maximum page sizes', operation.name, cap >= maxSize);
}

/** Checks the pagination of all lists that returned rows. */
export async function probeTurns(context: ProbeContext): Promise<void> {
  for (const course of pagedCourses(context.courses)) await probeTurning(context, course);
}

/** Checks the maximum page sizes of all lists. */
export async function probeCaps(context: ProbeContext): Promise<void> {
  for (const course of pagedCourses(context.courses))
    if (!context.notes.unsized.has(course.operation.name)) await probeCap(context, course);
}
