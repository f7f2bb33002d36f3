import { ERROR_CODES } from '../../failures/errorCodes.ts';
import {
  ApiError,
  IdempotencyKeyReusedError,
  LedgerUnavailableError,
  OperationInProgressError,
  OutcomeUnknownError,
  OverloadedError,
} from '../../failures/failures.ts';
import type { LedgerEffect, RequestLedger } from '../../ledger/ledger.ts';
import { Counter, Histogram, type Metric, type MetricDefinition, ObservedMetric, type Sample } from '../../lib/exposition.ts';
import type { LiveMeter } from '../../live/live.ts';
import { type CallMeter, UNSENT_REASONS } from '../../upstream/calls/callMeter.ts';
import type { Upstream } from '../../upstream/client.ts';
import { REFUSAL_REASONS, type RefusalReason } from '../auth/refusal.ts';
import type { OnOperation } from '../execution/operationMeter.ts';
import type { UpstreamState } from '../http/health.ts';

/** Prometheus text, in version 0.0.4 of the format. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Interval between two samples of the event loop lag, in milliseconds. Chosen: costs little, and always detects a block of 50 ms. */
const LAG_EVERY_MS = 50;

/** Label of all documents that aren't trusted. Clients choose their texts, names and hashes, so that their number has no bound. */
const AD_HOC = 'ad-hoc';

/** Outcomes of uses of idempotency keys. */
const USES = [
  'done',
  'replayed',
  'reconciled',
  'unknown',
  'in_progress',
  'key_reused',
  'rejected',
  'unavailable',
  'overloaded',
  'failed',
] as const;
type Use = (typeof USES)[number];

const USE_BY_EFFECT = { DONE: 'done', REPLAYED: 'replayed', RECONCILED: 'reconciled' } as const satisfies Record<LedgerEffect, Use>;

/** Outcome of a failed use of an idempotency key. `failed` means that the failure was unexpected. */
function toFailedUse(error: unknown): Use {
  if (error instanceof OutcomeUnknownError) return 'unknown';
  if (error instanceof OperationInProgressError) return 'in_progress';
  if (error instanceof IdempotencyKeyReusedError) return 'key_reused';
  if (error instanceof LedgerUnavailableError) return 'unavailable';
  if (error instanceof OverloadedError) return 'overloaded';
  return error instanceof ApiError ? 'rejected' : 'failed';
}

/** Coordinate and kind of a drift, from the key of `Upstream.drifts`. The count of drifts beyond its limit has neither. */
function parseDriftLabels(key: string): readonly [coordinate: string, kind: string] {
  const space = key.lastIndexOf(' ');
  return space < 0 ? [key, key] : [key.slice(0, space), key.slice(space + 1)];
}

const gauge = (of: MetricDefinition, read: () => Iterable<Sample>) => new ObservedMetric('gauge', of, read);

/** Metrics of a graph, which are only collected if they can be read. Labels contain no values, names, keys or hashes that clients choose. */
export class Metrics {
  readonly #requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests, from the request head to the end of the response. Status none: the client disconnected first.',
    labels: ['http_response_status_code'],
  });
  readonly #operations = new Histogram({
    name: 'graphql_operation_duration_seconds',
    help: 'Duration of GraphQL operations that passed validation, by trusted document ID.',
    labels: ['graphql_operation_type', 'document_id', 'outcome'],
  });
  readonly #operationErrors = new Counter(
    {
      name: 'graphql_operation_errors_total',
      help: 'GraphQL operations that returned an error, by code. An operation counts once for each of its codes.',
      labels: ['graphql_operation_type', 'code'],
    },
    ['query', 'mutation'].flatMap((type) => Object.keys(ERROR_CODES).map((code) => [type, code])),
  );
  readonly #refusals = new Counter(
    {
      name: 'sign_in_refusals_total',
      help: 'Requests that were refused because of their credential, by reason.',
      labels: ['reason'],
    },
    REFUSAL_REASONS.map((reason) => [reason]),
  );
  readonly #sent = new Histogram({
    name: 'upstream_request_duration_seconds',
    help: 'Duration of HTTP requests to the upstream, including retries and the calls of the graph itself.',
    labels: ['rpc_method', 'outcome'],
  });
  readonly #retries = new Counter({ name: 'upstream_retries_total', help: 'Retries of upstream calls.' });
  readonly #unsent = new Counter(
    {
      name: 'upstream_unsent_calls_total',
      help: 'Upstream calls and retries that were not sent, by reason.',
      labels: ['reason'],
    },
    UNSENT_REASONS.map((reason) => [reason]),
  );
  readonly #coalesced = new Counter({
    name: 'upstream_coalesced_calls_total',
    help: 'Reads that were coalesced with an identical read in flight.',
  });
  readonly #saved = new Counter({ name: 'upstream_saved_calls_total', help: 'Upstream calls saved by batching gets through list pages.' });
  readonly #uses = new Counter(
    {
      name: 'ledger_outcomes_total',
      help: 'Uses of idempotency keys in the ledger, by outcome.',
      labels: ['kind'],
    },
    USES.map((use) => [use]),
  );
  readonly #liveSignals = new Counter(
    { name: 'live_signals_total', help: 'Changes that were sent to subscriptions, by how they became known.', labels: ['source'] },
    [['GRAPH'], ['POLL']],
  );
  readonly #liveDropped = new Counter({
    name: 'live_signals_dropped_total',
    help: 'Signals that were replaced by one that says to refetch everything, because the client of a subscription did not read them.',
  });
  readonly #liveUnpublished = new Counter({
    name: 'live_unpublished_changes_total',
    help: 'Mutations whose changes were not signaled, because the workspace of their API key is unknown.',
  });
  readonly #liveRejected = new Counter({
    name: 'live_messages_rejected_total',
    help: 'Malformed messages that were received from the Redis channel of live updates.',
  });
  #liveSubscriptions = 0;
  readonly #droppedLogLines = new Counter({
    name: 'log_lines_dropped_total',
    help: 'Log lines that were dropped because standard output could not be written, or not fast enough.',
  });
  readonly #lag = new Histogram({ name: 'nodejs_eventloop_lag_seconds', help: 'Event loop lag, sampled every 50 ms.' });
  readonly #timer: NodeJS.Timeout;
  /** Passed to the upstream, to observe its calls. */
  readonly calls: CallMeter = {
    onSent: (operation, outcome, seconds) => this.#sent.observe(seconds, operation, outcome),
    onRetry: () => this.#retries.add(1),
    onUnsent: (reason) => this.#unsent.add(1, reason),
    onCoalesced: () => this.#coalesced.add(1),
  };
  /** Passed to live updates, to observe subscriptions. */
  readonly live: LiveMeter = {
    onSubscriptions: (open) => {
      this.#liveSubscriptions = open;
    },
    onSignal: (source) => this.#liveSignals.add(1, source),
    onDropped: (signals) => this.#liveDropped.add(signals),
  };
  readonly onOperation: OnOperation = ({ type, documentId, outcome, codes, seconds, savedCalls }) => {
    this.#operations.observe(seconds, type, documentId ?? AD_HOC, outcome);
    for (const code of codes) this.#operationErrors.add(1, type, code);
    if (savedCalls > 0) this.#saved.add(savedCalls);
  };

  constructor() {
    let dueAt = performance.now() + LAG_EVERY_MS;
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#lag.observe(Math.max(0, now - dueAt) / 1000);
      dueAt = now + LAG_EVERY_MS;
    }, LAG_EVERY_MS).unref();
  }

  onRefusal(reason: RefusalReason): void {
    this.#refusals.add(1, reason);
  }

  /** Called when a response has closed. `status` is null if the client disconnected before its head. */
  onResponse(status: number | null, ms: number): void {
    this.#requests.observe(ms / 1000, status === null ? 'none' : String(status));
  }

  onUnpublished(): void {
    this.#liveUnpublished.add(1);
  }

  onRejectedMessage(): void {
    this.#liveRejected.add(1);
  }

  onDroppedLogLines(lines: number): void {
    this.#droppedLogLines.add(lines);
  }

  /** Wraps the ledger to count the outcomes. */
  countUses(ledger: RequestLedger): RequestLedger {
    return {
      isDurable: ledger.isDurable,
      getStorageId: () => ledger.getStorageId(),
      find: (key) => ledger.find(key),
      runOnce: async (use) => {
        try {
          const outcome = await ledger.runOnce(use);
          this.#uses.add(1, USE_BY_EFFECT[outcome.effect]);
          return outcome;
        } catch (error) {
          this.#uses.add(1, toFailedUse(error));
          throw error;
        }
      },
    };
  }

  /** All metrics as text. */
  format(upstream: Upstream, upstreamState: UpstreamState): string {
    const own = [
      this.#requests,
      this.#operations,
      this.#operationErrors,
      this.#refusals,
      this.#sent,
      this.#retries,
      this.#unsent,
      this.#coalesced,
      this.#saved,
      this.#uses,
      gauge({ name: 'live_subscriptions', help: 'Open subscriptions.' }, () => [{ value: this.#liveSubscriptions }]),
      this.#liveSignals,
      this.#liveDropped,
      this.#liveUnpublished,
      this.#liveRejected,
      this.#droppedLogLines,
      this.#lag,
    ];
    return [...own, ...createUpstreamMetrics(upstream, upstreamState), ...createProcessMetrics()].map((metric) => metric.format()).join('');
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

function createUpstreamMetrics(upstream: Upstream, state: UpstreamState): Metric[] {
  const { queueLength, lowestRemaining, breakers } = upstream.load();
  const breaker = {
    name: 'breaker_open',
    help: 'Whether the circuit breaker of an upstream service is open for at least one API key (1) or not (0).',
    labels: ['service'],
  };
  const drift = {
    name: 'graph_contract_drift_total',
    help: 'Differences between sampled upstream responses and the contract.',
    labels: ['coordinate', 'kind'],
  };
  return [
    gauge({ name: 'upstream_up', help: 'Whether the upstream responded to the last health check (1) or not (0).' }, () =>
      state === 'unknown' ? [] : [{ value: state === 'ok' ? 1 : 0 }],
    ),
    gauge({ name: 'upstream_queue_length', help: 'Calls waiting for a connection to the upstream.' }, () => [{ value: queueLength }]),
    gauge({ name: 'upstream_ratelimit_remaining', help: 'Lowest remaining quota of any API key, in calls.' }, () =>
      lowestRemaining === null ? [] : [{ value: lowestRemaining }],
    ),
    gauge(breaker, () => Array.from(breakers, ([service, isOpen]) => ({ labels: [service], value: isOpen ? 1 : 0 }))),
    new ObservedMetric('counter', drift, () => Array.from(upstream.drifts, ([key, value]) => ({ labels: parseDriftLabels(key), value }))),
  ];
}

function createProcessMetrics(): Metric[] {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const startedAt = Date.now() / 1000 - process.uptime();
  return [
    gauge({ name: 'process_resident_memory_bytes', help: 'Resident memory of the process.' }, () => [{ value: rss }]),
    gauge({ name: 'nodejs_heap_used_bytes', help: 'Used JavaScript heap.' }, () => [{ value: heapUsed }]),
    new ObservedMetric('counter', { name: 'process_cpu_seconds_total', help: 'CPU time of the process.' }, () => [
      { value: (user + system) / 1e6 },
    ]),
    gauge({ name: 'process_start_time_seconds', help: 'Start time of the process, in Unix time.' }, () => [{ value: startedAt }]),
  ];
}
