import { SIGN_IN } from './signIn.ts';

/** A mistake that a developer could make, seeded by `node test/teeth/main.ts`. */
export interface Fault {
  /** Effect on a user. */
  readonly name: string;
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** npm script that must catch it. Defaults to `test`. Others need a comment that says why. */
  readonly tier?: 'test' | 'test:all';
  /** Test files that must fail. */
  readonly tests: readonly string[];
}

/** Faults of the graph, from the ledger to the transport. */
const UPSTREAM: readonly Fault[] = [
  {
    name: 'a repeat with the same idempotency key reaches the upstream under a new key',
    file: 'src/resolvers/kit/runMutation.ts',
    find: 'request[corrected.keyField] = idempotencyKey;',
    replace: 'request[corrected.keyField] = String(idempotencyKey) + Date.now();',
    tests: ['test/graph/sales/orders.test.ts'],
  },
  {
    name: 'an idempotency key that is in use is used a second time at the same time',
    file: 'src/ledger/ledger.ts',
    find: 'if (isRunning(found)) throw new OperationInProgressError(RETRY_AFTER_SECONDS);',
    replace: '',
    tests: ['test/graph/ledger/inProgress.test.ts'],
  },
  {
    name: 'an idempotency key that was used with other input returns the result of that input',
    file: 'src/ledger/ledger.ts',
    find: 'if (entry.fingerprint !== claim.fingerprint)',
    replace: 'if (entry.fingerprint === "")',
    tests: ['test/graph/ledger/idempotency.test.ts'],
  },
  {
    name: 'a replayed result is returned to a key that has lost the scope',
    file: 'src/ledger/ledger.ts',
    find: 'await use.recheckAccess();',
    replace: '',
    tests: ['test/graph/upstream/revocation.test.ts'],
  },
  {
    name: 'a write that can’t be repeated safely is retried after a lost response',
    file: 'src/upstream/calls/callPipeline.ts',
    find: "operation.effect === 'READ' || isRepeatable(operation, request)",
    replace: "operation.effect !== 'EXPENSIVE_READ' || isRepeatable(operation, request)",
    tests: ['test/graph/upstream/writeFaults.test.ts'],
  },
  {
    name: 'a record of another request is returned as the result of a lost creation',
    file: 'src/resolvers/kit/reconcile.ts',
    find: 'sent.isAccepted ? ((await find(sent)) ?? []) : [];',
    replace: '(await find(sent)) ?? [];',
    tests: ['test/graph/ledger/lostCreations.test.ts'],
  },
  {
    name: 'a candidate of a lost creation was created long before it',
    file: 'src/resolvers/kit/reconcile.ts',
    find: 'Number(record.createdAt) * 1000 + 999 >=',
    replace: 'Number.POSITIVE_INFINITY >=',
    tests: ['test/graph/ledger/lostCreations.test.ts'],
  },
  {
    name: 'a write whose response was lost is reported as not executed',
    file: 'src/upstream/calls/outcomes.ts',
    find: 'return error.isSent\n',
    replace: 'return error.isSent === null\n',
    tests: ['test/graph/upstream/writeFaults.test.ts'],
  },
  {
    name: 'a retry doesn’t wait as long as Retry-After says',
    file: 'src/upstream/calls/retry.ts',
    find: '2 ** retries), minMs)',
    replace: '2 ** retries), 0)',
    tests: ['test/graph/upstream/retries.test.ts'],
  },
  {
    name: 'a request reads a record as it was before its own write',
    file: 'src/upstream/session.ts',
    find: 'this.#reads.clear();',
    replace: '',
    tests: ['test/graph/upstream/covers.test.ts'],
  },
  {
    name: 'the quota reserved for a request is never released',
    file: 'src/upstream/calls/requester.ts',
    find: 'if (this.#reservation) this.#quota.release(this.#reservation);',
    replace: '',
    tests: ['test/graph/upstream/quota.test.ts'],
  },
  {
    name: 'an operation that doesn’t fit the rate limit uses it up',
    file: 'src/upstream/calls/requester.ts',
    find: 'if (this.counted <= this.#allowed || this.stop) return undefined;',
    replace: 'if (this.counted >= 0) return undefined;',
    tests: ['test/graph/upstream/admission.test.ts'],
  },
  {
    name: 'a compiled query accepts null where graphql-js doesn’t',
    file: 'src/server/execution/variableUse.ts',
    find: 'return !this.#nonNull.has(name);',
    replace: 'return true;',
    tests: ['test/graph/server/explicitNulls.test.ts'],
  },
  {
    name: 'invalid requests of one client open the circuit breaker for all',
    file: 'src/upstream/traffic/breakers.ts',
    find: 'FAILING.has(end);',
    replace: 'end >= 400;',
    tests: ['test/graph/upstream/breakers.test.ts'],
  },
  {
    name: 'a long queue of one client opens the circuit breaker for all',
    file: 'src/upstream/traffic/breakers.ts',
    find: 'grantedMs >= FAIR_SHARE * timeoutMs',
    replace: 'grantedMs >= 0',
    tests: ['test/graph/upstream/breakerSources.test.ts', 'test/unit/upstream/breakers.test.ts'],
  },
  {
    name: 'failing calls of one client open the circuit breaker for all',
    file: 'src/upstream/traffic/breakers.ts',
    find: 'this.#keys.failMoreThan(threshold, MIN_KEYS)',
    replace: 'true',
    tests: ['test/graph/upstream/breakerSources.test.ts', 'test/unit/upstream/breakers.test.ts'],
  },
  {
    name: 'a coalesced read is canceled for all clients when one of them disconnects',
    file: 'src/upstream/calls/readCoalescer.ts',
    find: 'if (successor) this.#transfer(call, successor);',
    replace: 'if (!call) this.#transfer(call, successor as never);',
    tests: ['test/graph/upstream/abandoned.test.ts'],
  },
  {
    name: 'a retry may take as long again as the timeout of the whole call',
    file: 'src/upstream/calls/callPipeline.ts',
    find: 'const timeoutMs = getRemainingMs(call);',
    replace: 'const { timeoutMs } = call;',
    tests: ['test/graph/upstream/deadlines.test.ts'],
  },
  {
    name: 'scopes that depend on the input aren’t checked before the call',
    file: 'src/upstream/access/scopes.ts',
    find: 'return [...scopes, ...conditional.map(({ scope }) => scope)];',
    replace: 'return conditional.length > 1 ? [...scopes, ...conditional.map(({ scope }) => scope)] : scopes;',
    tests: ['test/graph/upstream/scopes.test.ts'],
  },
  {
    name: 'a record that a mutation returned can be read without the scope for it',
    file: 'src/schema/kit/edges.ts',
    find: 'const pendingScopes = context.upstream.requireScopes(target.operation);',
    replace: 'const pendingScopes = context.upstream.requireScopes(target.operation)?.catch(() => undefined);',
    tests: ['test/graph/upstream/primedRecords.test.ts'],
  },
  {
    name: 'a replay returns a record as the ledger stored it',
    file: 'src/resolvers/kit/payloads.ts',
    find: 'return followIfExists(target, id, context, info);',
    replace: 'return record;',
    tests: ['test/graph/ledger/replays.test.ts'],
  },
  {
    name: 'an update is sent without the version that its client has read',
    file: 'src/resolvers/kit/runMutation.ts',
    find: 'request[operation.versionField] = expectedVersion;',
    replace: 'request[operation.versionField] = undefined;',
    tests: ['test/graph/sales/versions.test.ts'],
  },
  {
    name: 'a step that the status of a record blocks is reported without its blockers',
    file: 'src/upstream/calls/outcomes.ts',
    find: "if (operation.transition && code !== 'already_exists' && code !== 'aborted')",
    replace: "if (operation.transition && code === 'aborted')",
    tests: ['test/graph/sales/quoteMutations.test.ts'],
  },
  {
    name: 'a record that can’t be read is reported as missing',
    file: 'src/loaders/loader.ts',
    find: 'return error instanceof Error ? error : new Error(String(error));',
    replace: 'return error instanceof Error ? null : new Error(String(error));',
    tests: ['test/graph/upstream/readFaults.test.ts'],
  },
  {
    name: 'a filtered list of a customer returns records that the filter excludes',
    file: 'src/loaders/covering/ownersList.ts',
    find: 'JSON.stringify(rest)',
    replace: "''",
    tests: ['test/graph/upstream/coveredLists.test.ts'],
  },
];

/** Faults of the schema: what clients send and what they get. */
const SCHEMA: readonly Fault[] = [
  {
    name: 'a page of a search skips records with the same sort value as the last one',
    file: 'src/schema/search/keyset.ts',
    find: 'startingAt(keys, values, this.#isForward, !isExceeded)',
    replace: 'startingAt(keys, values, this.#isForward, false)',
    tests: ['test/unit/search/keyset.test.ts'],
  },
  {
    name: 'a page of a search never gets past many records with the same sort value',
    file: 'src/schema/search/keyset.ts',
    find: "ids.length > 0 && !isExceeded ? compare('id', 'NOT_IN', ...ids.map((text) => ({ text }))) : undefined,",
    replace: '',
    tests: ['test/unit/search/keysetTies.test.ts'],
  },
  {
    name: 'a page of a search returns a record again that was added before the last one while the page was read',
    file: 'src/schema/search/keyset.ts',
    find: 'if (!last || isBehind(last)) this.rows.push',
    replace: 'if (last !== null) this.rows.push',
    tests: ['test/unit/search/keyset.test.ts'],
  },
  {
    name: 'a list says that it ends before its last page',
    file: 'src/schema/paging/pages.ts',
    find: 'hasNextPage: run.rows.length > slice.to || (run.hasMore && !isEmpty && !isTruncated),',
    replace: 'hasNextPage: run.rows.length > slice.to,',
    tests: ['test/graph/schema/paging.test.ts'],
  },
  {
    name: 'a cursor of another list returns a random page',
    file: 'src/schema/paging/cursors.ts',
    find: 'if (list !== undefined && list !== fingerprint.toString())',
    replace: 'if (list !== undefined && list.length !== fingerprint.toString().length)',
    tests: ['test/graph/schema/paging.test.ts'],
  },
  {
    name: 'a row that moves while pages are read is returned twice',
    file: 'src/schema/paging/pages.ts',
    find: 'if (identity !== undefined && this.#seen.has(identity)) return [];',
    replace: 'if (identity === null) return [];',
    tests: ['test/unit/schema/window.test.ts'],
  },
  {
    name: 'a page skips rows after those before it were deleted',
    file: 'src/schema/paging/pages.ts',
    find: 'const plan = planPages({ from, to }, maxSize, maxPage, wider);',
    replace: 'const plan = planPages({ from, to }, maxSize, maxPage);',
    tests: ['test/graph/schema/movingLists.test.ts'],
  },
  {
    name: 'a member that each record must have is silently null',
    file: 'src/schema/kit/records.ts',
    find: '{ parentType }: GraphQLResolveInfo): never {',
    replace: '{ parentType }: GraphQLResolveInfo): never {\n    if (parentType) return null as never;',
    tests: ['test/graph/schema/nullability.test.ts'],
  },
  {
    name: 'an amount in dollars is accepted for a record in euros',
    file: 'src/schema/kit/money.ts',
    find: 'if (!currencyCode || currencyCode === currency) return;',
    replace: 'if (!currencyCode || currency) return;',
    tests: ['test/graph/schema/money.test.ts'],
  },
  {
    name: 'timestamps of an input are sent in milliseconds',
    file: 'src/lib/instant.ts',
    find: 'String(milliseconds / 1000)',
    replace: 'String(milliseconds)',
    tests: ['test/graph/work/appointments.test.ts'],
  },
  {
    name: '64-bit integers lose precision',
    file: 'src/lib/scalarTexts.ts',
    find: 'return isInt64(value) ? String(value) : undefined;',
    replace: 'return isInt64(value) ? String(Number(value)) : undefined;',
    tests: ['test/graph/schema/largeNumbers.test.ts'],
  },
  {
    name: 'a status that is newer than the schema fails the record',
    file: 'src/schema/kit/enums.ts',
    find: 'return membersByContractName.get(value) ?? (OTHER as Member);',
    replace: 'return membersByContractName.get(value) ?? (value as Member);',
    tests: ['test/graph/upstream/readFaults.test.ts'],
  },
  {
    name: 'a gateway gets the wrong record for a reference',
    file: 'src/schema/kit/references.ts',
    find: 'representations.map((reference, index) => resolveReference(reference, index, context, info))',
    replace: 'distinct(representations).map((reference, index) => resolveReference(reference, index, context, info))',
    tests: ['test/graph/schema/entities.test.ts'],
  },
  {
    name: 'the cost limit allows one call too many',
    file: 'src/schema/cost/cost.ts',
    find: 'if (this.total > this.#limit)',
    replace: 'if (this.total > this.#limit + 1)',
    tests: ['test/graph/server/cost.test.ts'],
  },
];

/** Faults of the server and of agent tools. */
const SERVER: readonly Fault[] = [
  {
    name: 'a response may be larger than the limit',
    file: 'src/server/execution/sizeLimits.ts',
    find: 'if (total <= budget.limit && !budget.isExceeded) return result;',
    replace: 'if (total <= budget.limit || !budget.isExceeded) return result;',
    tests: ['test/graph/hostile/responseSize.test.ts'],
  },
  {
    name: 'a deferred part contains the text of an internal error',
    file: 'src/server/http/incremental.ts',
    find: 'errors: each.errors.map(mask)',
    replace: 'errors: each.errors',
    tests: ['test/graph/server/defer.test.ts'],
  },
  {
    name: 'a compiled query ignores the values of its @skip and @include variables',
    file: 'src/server/execution/executor.ts',
    find: 'const key = Object.values(conditions).join();',
    replace: 'const key = Object.keys(conditions).join();',
    tests: ['test/graph/server/compiling.test.ts'],
  },
  {
    name: 'the log contains API keys',
    file: 'src/server/telemetry/logger.ts',
    find: "credential ? redactSecret(plain, credential.apiKey, '[key]') : plain",
    replace: "credential === undefined ? redactSecret(plain, '', '[key]') : plain",
    tests: ['test/graph/hostile/redaction.test.ts'],
  },
  {
    name: 'a site whose name was rebound to this machine reaches agent tools',
    file: 'src/server/toolEndpoint.ts',
    find: 'if (hosts && !hosts.has(own))',
    replace: 'if (hosts?.size === 0)',
    tests: ['test/graph/tools/access.test.ts'],
  },
  {
    name: 'an agent is offered tools that its key lacks a scope for',
    file: 'src/tools/tools.ts',
    find: '!scopes.some((scope) => missing.has(scope))',
    replace: '!scopes.every((scope) => missing.has(scope))',
    tests: ['test/graph/tools/lists.test.ts'],
  },
  {
    name: 'a write that can’t succeed gets a confirmation',
    file: 'src/tools/plans.ts',
    find: 'if (unmet.length > 0) return',
    replace: 'if (unmet.length > 100) return',
    tests: ['test/graph/tools/planChecks.test.ts'],
  },
  {
    name: 'a shutdown interrupts a write whose client has disconnected',
    file: 'src/server/shutdown.ts',
    find: 'http.close().then(() => executions.waitForAll());',
    replace: 'http.close();',
    tests: ['test/graph/server/closingWrites.test.ts'],
  },
];

/** Faults of the sandbox: tests against it would pass or fail for the wrong reason. */
const SANDBOX: readonly Fault[] = [
  {
    name: 'discounts are rounded down',
    file: 'sandbox/sales/pricing.ts',
    find: 'Number((2n * numerator + denominator) / (2n * denominator))',
    replace: 'Number(numerator / denominator)',
    tests: ['test/sandbox/sales/pricing.test.ts'],
  },
  {
    name: 'stock that is reserved for an order can be removed',
    file: 'sandbox/inventory/stock.ts',
    find: 'if (available + change.delta < 0n) {',
    replace: 'if (balance.on_hand + change.delta < 0n) {',
    tests: ['test/sandbox/inventory/reservations.test.ts'],
  },
  {
    name: 'a member sees invoices of customers that its Customer View hides',
    file: 'sandbox/kernel/visibility.ts',
    find: "  order_id: 'orders',\n",
    replace: '',
    tests: ['test/sandbox/people/visibility.test.ts'],
  },
  {
    name: 'analytics of a day start at midnight in UTC',
    file: 'sandbox/analytics/ranges.ts',
    find: 'day.toZonedDateTime(zone).toInstant()',
    replace: "day.toZonedDateTime(zone && 'UTC').toInstant()",
    tests: ['test/sandbox/analytics/zones.test.ts'],
  },
];

/** All seeded faults, spread over the layers of both source trees. */
export const FAULTS: readonly Fault[] = [...UPSTREAM, ...SCHEMA, ...SERVER, ...SIGN_IN, ...SANDBOX];
