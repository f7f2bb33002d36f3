import type { JsonObject } from '../../src/lib/json.ts';
import { parseGrants } from '../../src/upstream/access/grants.ts';
import { compareMessage } from '../../src/upstream/contract/comparison.ts';
import type { MessageFields } from '../../src/upstream/contract/fields.ts';
import { enums } from '../../src/upstream/contract/generated/messages.ts';
import { Me, operations } from '../../src/upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../../src/upstream/contract/operation.ts';
import { type EnumOverlay, EVERY_MESSAGE, getServiceName, NO_OVERLAY, type Overlay } from '../../src/upstream/contract/overlay.ts';
import type { Transport } from '../../src/upstream/transport/transport.ts';
import { Caller, type RunLimit, type UnreachedReason } from './caller.ts';
import { Evidence } from './evidence.ts';
import { probeFilters, probePresentValues } from './filterProbes.ts';
import type { CheckedAssumption, Fact, Finding } from './finding.ts';
import { probeIndexes } from './indexProbes.ts';
import { probeOrders } from './orderProbes.ts';
import { probePageSizes, probePagination } from './pageProbes.ts';
import { listTextFields, Pool } from './pool.ts';
import { ProbeFindings } from './probes.ts';
import { createOverlay } from './proposal.ts';
import { checkRows, probeCoveringLists, probeRecords } from './recordProbes.ts';
import { listMissingTypes } from './requests.ts';
import { ScaleCheck } from './scaleCheck.ts';
import type { SharedRename } from './sharedRenames.ts';
import { type OperationRun, Walk } from './walk.ts';

/** Timestamps that only the upstream's clock sets. Others, such as `paidAt`, can be set by a caller and be in the future. */
const SET_BY_CLOCK: ReadonlySet<string> = new Set(['createdAt', 'updatedAt']);

/** Seconds that a timestamp can be ahead of the response. Chosen: more than the clock skew within a deployment, and less than any time-zone offset. */
const TOLERANCE_S = 300;

/** Time-zone offsets are multiples of a quarter of an hour, in seconds. */
const QUARTER_S = 900;

function describe(aheadS: number): string {
  const minutes = Math.round(aheadS / 60);
  const offset = Math.round(aheadS / QUARTER_S) * (QUARTER_S / 60);
  const isOffset = Math.abs(minutes - offset) <= TOLERANCE_S / 60 && offset > 0 && offset <= 14 * 60;
  return `ahead of the Date header of its response by up to ${minutes} minutes${isOffset ? '; local time may be sent as UTC' : ''}`;
}

/**
 * Finds timestamps that are later than the `Date` header of the response that contains them. Local time sent as UTC is only visible east of UTC, and only on
 * records that are newer than the offset.
 */
class ClockCheck {
  readonly #ahead = new Map<string, number>();

  /** Adds a response that was sent at `sentAtS`, in Unix seconds by the upstream's clock. Null if it has no `Date` header. */
  observe(message: MessageFields, response: JsonObject, sentAtS: number | null): void {
    if (sentAtS === null) return;
    compareMessage(message, response, (inner, name, verdict, value) => {
      if (verdict !== 'CONFIRMED' || inner.fields[name]?.unit !== 'MOMENT' || !SET_BY_CLOCK.has(name)) return;
      const aheadS = Number(value) - sentAtS;
      const coordinate = `${inner.name}.${name}`;
      if (aheadS > TOLERANCE_S) this.#ahead.set(coordinate, Math.max(aheadS, this.#ahead.get(coordinate) ?? 0));
    });
  }

  report(findings: ProbeFindings): void {
    for (const [coordinate, aheadS] of this.#ahead) findings.addDrift(coordinate, 'CLOCK', describe(aheadS));
  }
}

export interface VerifyOptions {
  readonly transport: Transport;
  readonly apiKey: string;
  /** Corrections to apply to the contract. */
  readonly overlay?: Overlay;
  /** Maximum number of calls. Default: 450. */
  readonly maxCalls?: number;
  /** Calls of the rate limit that are reserved for other users of the key. Default: 20. */
  readonly reserve?: number;
  readonly timeoutMs?: number;
  readonly nowMs?: () => number;
  /** Waits for the next window of the rate limit. Without it, the run ends when the window is exhausted. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** Result of a run: shapes and counts, without values of records. */
export interface Report {
  readonly calls: number;
  /** Limit that ended the run early; null if it's complete. */
  readonly cutBy: RunLimit | null;
  /** Calls that weren't sent because of the limit. A full run needs at least as many more. */
  readonly keptBack: number;
  /** Read operations of the contract, and those of them that returned data to compare. */
  readonly reads: { readonly total: number; readonly confirmed: number };
  readonly findings: readonly Finding[];
  readonly facts: readonly Fact[];
  readonly settled: readonly CheckedAssumption[];
  /** Overlay that corrects as much drift as possible and includes the configured overlay. Null if there's nothing to correct. */
  readonly overlay: Partial<Overlay> | null;
}

/** Defaults of the limits. Chosen: a full run needs about 400 calls; the reserve is for a graph that uses the key at the same time. */
export const MAX_CALLS = 450;
const RESERVE = 20;
const TIMEOUT_MS = 30_000;

/** Maximum number of reasons in the error when no read succeeded. */
const MAX_REASONS = 3;

/** Thrown when no read succeeded. */
export class CannotVerifyError extends Error {}

/** The reads of the contract in the order in which they are sent. The key's scopes come first, to skip reads that they don't allow. */
const READS: readonly AnyOperation[] = [Me, ...operations.filter((operation) => operation.effect === 'READ' && operation.name !== Me.name)];

/** The messages of a response, including nested ones. */
function collectMessages(message: MessageFields, found = new Set<MessageFields>()): ReadonlySet<MessageFields> {
  if (found.has(message)) return found;
  found.add(message);
  for (const { message: inner } of Object.values(message.fields)) if (inner) collectMessages(inner, found);
  return found;
}

/** Why a message was never returned: the reason of an operation that contains it, preferring any over `NO_DATA`. */
function findReason(message: MessageFields, runs: readonly OperationRun[]): UnreachedReason {
  const containing = runs.filter(({ operation }) => collectMessages(operation.response).has(message));
  if (containing.some(({ response }) => response !== null)) return 'NO_DATA';
  return containing.map(({ reason }) => reason).find((reason) => reason !== 'NO_DATA') ?? 'NO_DATA';
}

function describeUnreached({ operation, reason, detail }: OperationRun, caller: Caller, pool: Pool): string | undefined {
  if (detail !== null) return detail;
  if (reason === 'NOT_SERVED') return 'nothing responds at its path; if the operation has another name, set it in an overlay';
  if (reason === 'MISSING_SCOPE') return `missing ${caller.listMissingScopes(operation).join(', ')}`;
  const ids = reason === 'NO_DATA' ? listMissingTypes(operation, pool) : [];
  return ids.length > 0 ? `found no ID of ${[...new Set(ids)].join(', ')}` : undefined;
}

/** The finding on a field, replaced if the walk found another name for it. */
function replaceMisnamed(message: MessageFields, finding: Finding, misnamed: readonly (readonly [string, string])[]): Finding {
  const { coordinate } = finding;
  const [, wire] = misnamed.find(([name]) => coordinate === `${message.name}.${name}`) ?? [];
  return wire === undefined ? finding : { coordinate, verdict: 'DRIFT', kind: 'RENAMED', detail: `named ${wire}`, count: 1 };
}

const createSharedDrifts = (shared: readonly SharedRename[]): Finding[] =>
  shared.map(({ field, wire, messages }) => ({
    coordinate: `${EVERY_MESSAGE}.${field}`,
    verdict: 'DRIFT',
    kind: 'RENAMED',
    detail: `named ${wire} in ${messages.length} messages`,
    count: messages.length,
  }));

/** A verification run: sends the reads, probes what they returned, and reports. */
class VerificationRun {
  readonly #options: VerifyOptions;
  readonly #overlay: Overlay;
  readonly #caller: Caller;
  readonly #evidence = new Evidence();
  readonly #findings = new ProbeFindings();
  readonly #pool = new Pool(listTextFields(READS));
  readonly #clock = new ClockCheck();
  readonly #scales = new ScaleCheck();
  readonly #walk: Walk;

  constructor(options: VerifyOptions) {
    const { transport, apiKey, overlay = NO_OVERLAY, maxCalls = MAX_CALLS, reserve = RESERVE, timeoutMs = TIMEOUT_MS, wait } = options;
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
      onResponse: (operation, response, sentAtS) => {
        this.#storeScopes(operation, response);
        this.#clock.observe(operation.response, response, sentAtS);
        this.#scales.observe(operation.name, operation.response, response);
      },
    });
    this.#walk = new Walk({
      caller: this.#caller,
      evidence: this.#evidence,
      pool: this.#pool,
      operations: READS,
      nowMs: this.#options.nowMs ?? Date.now,
    });
  }

  async report(): Promise<Report> {
    await this.#walk.run();
    const { runs } = this.#walk;
    if (runs.every(({ response }) => response === null) && this.#evidence.isEmpty) {
      const started = runs.filter((run) => run.requests.size > 0);
      const reasons = new Set(
        started.map(({ reason, status, detail }) => detail ?? (status === null ? reason : `${reason} with status ${status}`)),
      );
      throw new CannotVerifyError(`No read succeeded (${[...reasons].slice(0, MAX_REASONS).join('; ')}). Check --url and the key.`);
    }
    const shared = this.#evidence.sharedRenames;
    for (const { field, wire } of shared) this.#caller.renameMembers(EVERY_MESSAGE, { [field]: wire });
    const context = { caller: this.#caller, evidence: this.#evidence, findings: this.#findings, runs };
    // The most important probes first, because calls can run out: wrong results before errors, and facts last.
    await probeCoveringLists(context);
    await probePagination(context);
    await probeFilters(context);
    await probePresentValues(context, this.#pool);
    await probeIndexes(context);
    await probeOrders(context);
    await probePageSizes(context);
    await probeRecords(context);
    checkRows(context);
    return this.#createReport(shared);
  }

  #storeScopes(operation: AnyOperation, response: JsonObject): void {
    if (operation.name !== Me.name) return;
    try {
      this.#caller.scopes = parseGrants(response).scopes;
    } catch {
      // The response has no scopes, so every read is tried.
    }
  }

  #createReport(shared: readonly SharedRename[]): Report {
    const messages = new Set(READS.flatMap(({ response }) => [...collectMessages(response)]));
    const renames = new Map<string, ReadonlyMap<string, string>>();
    if (shared.length > 0) renames.set(EVERY_MESSAGE, new Map(shared.map(({ field, wire }) => [field, wire])));
    const members = [...messages].flatMap((message) => {
      if (this.#evidence.getCount(message) === 0) return this.#listUnreachedMembers(message);
      const { findings, renames: names } = this.#evidence.createFindings(message, shared);
      const misnamed = Object.entries(this.#walk.misnamed.get(message.name) ?? {});
      if (names.size + misnamed.length > 0) renames.set(message.name, new Map([...names, ...misnamed]));
      const corrected = findings.map((finding) => replaceMisnamed(message, finding, misnamed));
      for (const finding of corrected) this.#addMemberAssumption(message, finding);
      return corrected;
    });
    this.#addSharedAssumptions(messages, shared);
    this.#addOtherAssumptions();
    this.#clock.report(this.#findings);
    this.#scales.report(this.#findings);
    this.#addFacts();
    const { caps, uncovered, indexes, sortDirection, facts, settled } = this.#findings;
    const findings = [
      ...this.#listServiceDrifts(),
      ...createSharedDrifts(shared),
      ...members,
      ...this.#findings.others,
      ...this.#listUnreadable(),
      ...this.#findings.drifts,
      ...this.#listUnreachedOperations(),
    ];
    const overlay = createOverlay(
      { services: this.#walk.services, caps, uncovered, renames, enums: this.#createEnumOverlays(), indexes, sortDirection },
      this.#overlay,
    );
    const { calls, cutBy, withheld } = this.#caller;
    const confirmed = this.#walk.runs.filter(({ response }) => response !== null).length;
    const reads = { total: READS.length, confirmed };
    return { calls, cutBy, keptBack: withheld, reads, findings, facts, settled, overlay };
  }

  #listUnreachedMembers(message: MessageFields): Finding[] {
    const reason = findReason(message, this.#walk.runs);
    return Object.keys(message.fields).map((name) => ({ coordinate: `${message.name}.${name}`, verdict: 'UNREACHED', reason }));
  }

  #listUnreachedOperations(): Finding[] {
    return this.#walk.runs
      .filter(({ response, reason }) => response === null && reason !== 'UNREADABLE')
      .map((run) => {
        const detail = describeUnreached(run, this.#caller, this.#pool);
        return { coordinate: run.operation.name, verdict: 'UNREACHED', reason: run.reason, ...(detail && { detail }) };
      });
  }

  #listUnreadable(): Finding[] {
    return this.#walk.runs
      .filter(({ response, reason }) => response === null && reason === 'UNREADABLE')
      .map(({ operation, detail }) => ({
        coordinate: operation.name,
        verdict: 'DRIFT',
        kind: 'ANSWER',
        detail: detail ?? 'unexpected response format',
        count: 1,
      }));
  }

  #listServiceDrifts(): Finding[] {
    return [...this.#walk.services].map(([coordinate, name]) => ({
      coordinate,
      verdict: 'DRIFT',
      kind: 'SERVICE_NAME',
      detail: `served as ${name}`,
      count: 1,
    }));
  }

  #addSharedAssumptions(messages: ReadonlySet<MessageFields>, shared: readonly SharedRename[]): void {
    for (const { field } of shared)
      for (const { name, fields } of messages)
        if (fields[field]?.assumed) this.#findings.addAssumption('record fields', `${name}.${field}`, false);
  }

  #addMemberAssumption({ name: of, fields }: MessageFields, finding: Finding): void {
    const member = finding.coordinate.slice(of.length + 1);
    if (!fields[member]?.assumed || (finding.verdict !== 'CONFIRMED' && finding.verdict !== 'DRIFT')) return;
    this.#findings.addAssumption('record fields', finding.coordinate, finding.verdict === 'CONFIRMED');
  }

  #addOtherAssumptions(): void {
    for (const { operation, response } of this.#walk.runs) {
      const service = getServiceName(operation.name);
      if (response === null) continue;
      if (operation.assumedPath.includes('service'))
        this.#findings.addAssumption('service names in paths', service, !this.#walk.services.has(service));
      if (operation.assumedPath.includes('name')) this.#findings.addAssumption('operation names in paths', operation.name, true);
    }
    for (const [type, values] of this.#evidence.enumValues)
      for (const { name, assumed } of enums[type] ?? [])
        if (assumed && values.has(name)) this.#findings.addAssumption('enum values', name, true);
  }

  #addFacts(): void {
    const { sendsDefaults } = this.#evidence;
    const { unit, decrease, otherHeaders } = this.#caller.rate;
    const defaults = sendsDefaults === null ? 'unknown' : sendsDefaults ? 'included' : 'omitted';
    this.#findings.addFact('fields with default values', defaults);
    const instead = unit === 'ABSENT' && otherHeaders.length > 0 ? `, but ${otherHeaders.join(', ')} (not supported by the graph)` : '';
    this.#findings.addFact('RateLimit-Reset', `${unit}${instead}`);
    this.#findings.addFact('RateLimit-Remaining', decrease === null ? 'doesn’t decrease' : `decreases by up to ${decrease} per call`);
    if (unit === 'UNREADABLE')
      this.#findings.addDrift('RateLimit-Reset', 'RATE_UNIT', 'neither seconds from now nor a Unix timestamp in seconds');
    const created = [...new Set(this.#walk.runs.flatMap(({ response, status }) => (response === null || status === null ? [] : [status])))];
    this.#findings.addFact('success statuses', created.sort().join(', '));
  }

  #createEnumOverlays(): ReadonlyMap<string, EnumOverlay> {
    const overlays = new Map<string, EnumOverlay>();
    for (const [name, { prefix, words }] of this.#evidence.enumHints) {
      if (prefix !== null) overlays.set(name, { prefix });
      else if (Object.keys(words).length > 0) overlays.set(name, { words });
    }
    return overlays;
  }
}

/**
 * Compares an upstream with the contract, using only reads. Throws CannotVerifyError if no read succeeds, and KeyRejectedError if the upstream rejects the
 * key.
 */
export const verify = (options: VerifyOptions): Promise<Report> => new VerificationRun(options).report();

/** Whether a report contains drift. */
export const hasDrift = ({ findings }: Report): boolean => findings.some(({ verdict }) => verdict === 'DRIFT');

/** Share of the contract's read operations that returned data to compare, in percent. */
export const getConfirmedPercent = ({ reads: { confirmed, total } }: Report): number => (100 * confirmed) / total;
