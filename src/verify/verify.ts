import type { JsonObject } from '../lib/json.ts';
import { grantsIn } from '../upstream/access/grants.ts';
import type { MessageFields } from '../upstream/contract/fields.ts';
import { enums } from '../upstream/contract/generated/messages.ts';
import { Me, operations } from '../upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../upstream/contract/operation.ts';
import { type EnumOverlay, EVERY_MESSAGE, NO_OVERLAY, type Overlay, serviceOf } from '../upstream/contract/overlay.ts';
import type { Transport } from '../upstream/transport/transport.ts';
import { Caller, type CutBy, type Unreached } from './caller.ts';
import { ClockCheck } from './clockCheck.ts';
import { Evidence } from './evidence.ts';
import { probeFilters } from './filterProbes.ts';
import type { Fact, Finding, Settled } from './finding.ts';
import type { ServiceLatency } from './latencies.ts';
import { probeOrders } from './orderProbes.ts';
import { probeCaps, probeTurns } from './pageProbes.ts';
import { Pool, textsTaken } from './pool.ts';
import { probePresentValues } from './presentProbes.ts';
import { Notes } from './probes.ts';
import { proposedOverlay } from './proposal.ts';
import { checkRows, probeCovers, probeRecords } from './recordProbes.ts';
import { missingIds } from './requests.ts';
import { ScaleCheck } from './scaleCheck.ts';
import type { SharedRename } from './sharedRenames.ts';
import { type Course, Walk } from './walk.ts';

export interface VerifyOptions {
  readonly transport: Transport;
  readonly apiKey: string;
  /** Corrections to apply to the contract. */
  readonly overlay?: Overlay;
  /** Maximum number of calls. Default: 400. */
  readonly maxCalls?: number;
  /** Calls of the rate limit that are reserved for other users of the key. Default: 20. */
  readonly reserve?: number;
  readonly timeoutMs?: number;
  readonly nowMs?: () => number;
  /** Milliseconds of a monotonic clock, to measure latency. Default: `performance.now`. */
  readonly elapsedMs?: () => number;
  /** Waits for the next window of the rate limit. Without it, the run ends when the window is exhausted. */
  readonly wait?: (ms: number) => Promise<void>;
  /** Other names of services to try, by their name in the contract. */
  readonly serviceNames?: Readonly<Record<string, readonly string[]>>;
}

/** Result of a run: shapes and counts, without values of records. */
export interface Report {
  readonly calls: number;
  /** Limit that ended the run early; null if it's complete. */
  readonly cutBy: CutBy | null;
  /** Calls that weren't sent because of the limit. A full run needs at least as many more. */
  readonly keptBack: number;
  /** Read operations of the contract, and those of them that returned data to compare. */
  readonly reads: { readonly total: number; readonly confirmed: number };
  readonly latencies: readonly ServiceLatency[];
  readonly findings: readonly Finding[];
  readonly facts: readonly Fact[];
  readonly settled: readonly Settled[];
  /** Overlay that corrects the drift as far as possible, including the given one; null if there's nothing to correct. */
  readonly overlay: Partial<Overlay> | null;
}

/** Defaults of the limits. Chosen: a full run needs about 360 calls; the reserve is for a graph that uses the key at the same time. */
export const MAX_CALLS = 400;
const RESERVE = 20;
const TIMEOUT_MS = 30_000;

/** Maximum number of reasons in the error when no read succeeded. */
const MAX_REASONS = 3;

/** Thrown when no read succeeded. */
export class CannotVerifyError extends Error {}

/** The reads of the contract in the order in which they are sent. The key's scopes come first, to skip reads that they don't allow. */
const READS: readonly AnyOperation[] = [Me, ...operations.filter((operation) => operation.effect === 'READ' && operation.name !== Me.name)];

/** The messages of a response, including nested ones. */
function messagesOf(message: MessageFields, found = new Set<MessageFields>()): ReadonlySet<MessageFields> {
  if (found.has(message)) return found;
  found.add(message);
  for (const { message: inner } of Object.values(message.fields)) if (inner) messagesOf(inner, found);
  return found;
}

/** Why a message was never returned: the reason of an operation that contains it, preferring any over `NO_DATA`. */
function reasonFor(message: MessageFields, courses: readonly Course[]): Unreached {
  const answering = courses.filter(({ operation }) => messagesOf(operation.response).has(message));
  if (answering.some(({ answer }) => answer !== null)) return 'NO_DATA';
  return answering.map(({ reason }) => reason).find((reason) => reason !== 'NO_DATA') ?? 'NO_DATA';
}

function unreachedDetail({ operation, reason, detail }: Course, caller: Caller, pool: Pool): string | undefined {
  if (detail !== null) return detail;
  if (reason === 'NOT_SERVED') return 'nothing responds at its path; if the operation has another name, set it in an overlay';
  if (reason === 'MISSING_SCOPE') return `missing ${caller.missingScopes(operation).join(', ')}`;
  const ids = reason === 'NO_DATA' ? missingIds(operation, pool) : [];
  return ids.length > 0 ? `found no ID of ${[...new Set(ids)].join(', ')}` : undefined;
}

/** The finding on a field, replaced if the walk found that it has another name. */
function misnamedFinding(message: MessageFields, finding: Finding, misnamed: readonly (readonly [string, string])[]): Finding {
  const { coordinate } = finding;
  const [, wire] = misnamed.find(([name]) => coordinate === `${message.name}.${name}`) ?? [];
  return wire === undefined ? finding : { coordinate, verdict: 'DRIFT', kind: 'RENAMED', detail: `named ${wire}`, count: 1 };
}

const sharedDrifts = (shared: readonly SharedRename[]): Finding[] =>
  shared.map(({ field, wire, messages }) => ({
    coordinate: `${EVERY_MESSAGE}.${field}`,
    verdict: 'DRIFT',
    kind: 'RENAMED',
    detail: `named ${wire} in ${messages.length} messages`,
    count: messages.length,
  }));

/** A verification run: sends the reads, probes what they returned, and reports. */
class Run {
  readonly #options: VerifyOptions;
  readonly #overlay: Overlay;
  readonly #caller: Caller;
  readonly #evidence = new Evidence();
  readonly #notes = new Notes();
  readonly #pool = new Pool(textsTaken(READS));
  readonly #clock = new ClockCheck();
  readonly #scales = new ScaleCheck();
  readonly #walk: Walk;

  constructor(options: VerifyOptions) {
    const {
      transport,
      apiKey,
      overlay = NO_OVERLAY,
      maxCalls = MAX_CALLS,
      reserve = RESERVE,
      timeoutMs = TIMEOUT_MS,
      wait,
      elapsedMs,
    } = options;
    this.#options = options;
    this.#overlay = overlay;
    this.#caller = new Caller({
      transport,
      apiKey,
      overlay,
      maxCalls,
      reserve,
      timeoutMs,
      wait,
      elapsedMs,
      onAnswer: (operation, answer, sentAtS) => {
        this.#learnScopes(operation, answer);
        this.#clock.see(operation.response, answer, sentAtS);
        this.#scales.see(operation.name, operation.response, answer);
      },
    });
    this.#walk = new Walk({
      caller: this.#caller,
      evidence: this.#evidence,
      pool: this.#pool,
      operations: READS,
      nowMs: this.#options.nowMs ?? Date.now,
      serviceNames: options.serviceNames ?? {},
    });
  }

  async report(): Promise<Report> {
    await this.#walk.run();
    const { courses } = this.#walk;
    if (courses.every(({ answer }) => answer === null) && this.#evidence.isEmpty) {
      const asked = courses.filter((course) => course.asked.size > 0);
      const reasons = new Set(
        asked.map(({ reason, status, detail }) => detail ?? (status === null ? reason : `${reason} with status ${status}`)),
      );
      throw new CannotVerifyError(`No read succeeded (${[...reasons].slice(0, MAX_REASONS).join('; ')}). Check --url and the key.`);
    }
    const shared = this.#evidence.sharedRenames;
    for (const { field, wire } of shared) this.#caller.renameMembers(EVERY_MESSAGE, { [field]: wire });
    const context = { caller: this.#caller, evidence: this.#evidence, notes: this.#notes, courses };
    // The most important first, because calls can run out: silent mistakes before loud ones, and facts last.
    await probeCovers(context);
    await probeTurns(context);
    await probeFilters(context);
    await probePresentValues(context, this.#pool);
    await probeOrders(context);
    await probeCaps(context);
    await probeRecords(context);
    checkRows(context);
    return this.#conclude(shared);
  }

  #learnScopes(operation: AnyOperation, answer: JsonObject): void {
    if (operation.name !== Me.name) return;
    try {
      this.#caller.scopes = grantsIn(answer).scopes;
    } catch {
      // A response without scopes: then every read is tried.
    }
  }

  #conclude(shared: readonly SharedRename[]): Report {
    const messages = new Set(READS.flatMap(({ response }) => [...messagesOf(response)]));
    const renames = new Map<string, ReadonlyMap<string, string>>();
    if (shared.length > 0) renames.set(EVERY_MESSAGE, new Map(shared.map(({ field, wire }) => [field, wire])));
    const members = [...messages].flatMap((message) => {
      if (this.#evidence.countOf(message) === 0) return this.#unreachedMembers(message);
      const { findings, renames: names } = this.#evidence.findingsOf(message, shared);
      const misnamed = Object.entries(this.#walk.misnamed.get(message.name) ?? {});
      if (names.size + misnamed.length > 0) renames.set(message.name, new Map([...names, ...misnamed]));
      const told = findings.map((finding) => misnamedFinding(message, finding, misnamed));
      for (const finding of told) this.#settleMember(message, finding);
      return told;
    });
    this.#settleShared(messages, shared);
    this.#settleRest();
    this.#clock.report(this.#notes);
    this.#scales.report(this.#notes);
    this.#stateFacts();
    const { caps, uncovered, facts, settled } = this.#notes;
    const findings = [
      ...this.#serviceDrifts(),
      ...sharedDrifts(shared),
      ...members,
      ...this.#unreadable(),
      ...this.#notes.drifts,
      ...this.#unreachedOperations(),
    ];
    const overlay = proposedOverlay(
      { services: this.#walk.services, caps, uncovered, renames, enums: this.#enumOverlays() },
      this.#overlay,
    );
    const { calls, cutBy, keptBack, latencies } = this.#caller;
    const confirmed = this.#walk.courses.filter(({ answer }) => answer !== null).length;
    const reads = { total: READS.length, confirmed };
    return { calls, cutBy, keptBack, reads, latencies: latencies.all, findings, facts, settled, overlay };
  }

  #unreachedMembers(message: MessageFields): Finding[] {
    const reason = reasonFor(message, this.#walk.courses);
    return Object.keys(message.fields).map((name) => ({ coordinate: `${message.name}.${name}`, verdict: 'UNREACHED', reason }));
  }

  #unreachedOperations(): Finding[] {
    return this.#walk.courses
      .filter(({ answer, reason }) => answer === null && reason !== 'UNREADABLE')
      .map((course) => {
        const detail = unreachedDetail(course, this.#caller, this.#pool);
        return { coordinate: course.operation.name, verdict: 'UNREACHED', reason: course.reason, ...(detail && { detail }) };
      });
  }

  #unreadable(): Finding[] {
    return this.#walk.courses
      .filter(({ answer, reason }) => answer === null && reason === 'UNREADABLE')
      .map(({ operation, detail }) => ({
        coordinate: operation.name,
        verdict: 'DRIFT',
        kind: 'ANSWER',
        detail: detail ?? 'unexpected response format',
        count: 1,
      }));
  }

  #serviceDrifts(): Finding[] {
    return [...this.#walk.services].map(([coordinate, name]) => ({
      coordinate,
      verdict: 'DRIFT',
      kind: 'SERVICE_NAME',
      detail: `served as ${name}`,
      count: 1,
    }));
  }

  #settleShared(messages: ReadonlySet<MessageFields>, shared: readonly SharedRename[]): void {
    for (const { field } of shared)
      for (const { name, fields } of messages) if (fields[field]?.assumed) this.#notes.settle('record fields', `${name}.${field}`, false);
  }

  #settleMember({ name: of, fields }: MessageFields, finding: Finding): void {
    const member = finding.coordinate.slice(of.length + 1);
    if (!fields[member]?.assumed || (finding.verdict !== 'CONFIRMED' && finding.verdict !== 'DRIFT')) return;
    this.#notes.settle('record fields', finding.coordinate, finding.verdict === 'CONFIRMED');
  }

  #settleRest(): void {
    for (const { operation, answer } of this.#walk.courses) {
      const service = serviceOf(operation.name);
      if (answer === null) continue;
      if (operation.assumedPath.includes('service'))
        this.#notes.settle('service names in paths', service, !this.#walk.services.has(service));
      if (operation.assumedPath.includes('name')) this.#notes.settle('operation names in paths', operation.name, true);
    }
    for (const [type, words] of this.#evidence.words)
      for (const { name, assumed } of enums[type] ?? []) if (assumed && words.has(name)) this.#notes.settle('enum values', name, true);
  }

  #stateFacts(): void {
    const { sendsDefaults } = this.#evidence;
    const { unit, step, others } = this.#caller.rate;
    const defaults = sendsDefaults === null ? 'unknown' : sendsDefaults ? 'included' : 'omitted';
    this.#notes.fact('fields with default values', defaults);
    const instead = unit === 'ABSENT' && others.length > 0 ? `, but ${others.join(', ')} (not supported by the graph)` : '';
    this.#notes.fact('RateLimit-Reset', `${unit}${instead}`);
    this.#notes.fact('RateLimit-Remaining', step === null ? 'doesn’t decrease' : `decreases by up to ${step} per call`);
    if (unit === 'UNREADABLE')
      this.#notes.drift('RateLimit-Reset', 'RATE_UNIT', 'neither seconds from now nor a Unix timestamp in seconds');
    const created = [...new Set(this.#walk.courses.flatMap(({ answer, status }) => (answer === null || status === null ? [] : [status])))];
    this.#notes.fact('success statuses', created.sort().join(', '));
  }

  #enumOverlays(): ReadonlyMap<string, EnumOverlay> {
    const overlays = new Map<string, EnumOverlay>();
    for (const [name, { prefix, words }] of this.#evidence.enumHints) {
      if (prefix !== null) overlays.set(name, { prefix });
      else if (Object.keys(words).length > 0) overlays.set(name, { words });
    }
    return overlays;
  }
}

/**
 * Compares an upstream with the contract, using only reads. Throws CannotVerifyError if no read succeeds, and KeyRefusedError if the upstream rejects the
 * key.
 */
export const verify = (options: VerifyOptions): Promise<Report> => new Run(options).report();

/** Whether a report contains drift. */
export const hasDrift = ({ findings }: Report): boolean => findings.some(({ verdict }) => verdict === 'DRIFT');

/** Share of the contract's read operations that returned data to compare, in percent. */
export const confirmedPercent = ({ reads: { confirmed, total } }: Report): number => (100 * confirmed) / total;
