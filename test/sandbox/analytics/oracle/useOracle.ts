import { create, fromJson, type JsonObject, toJson } from '@bufbuild/protobuf';
import {
  AnalyticsQuerySchema,
  type AnalyticsResult,
  AnalyticsResultSchema,
} from '../../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { demoId, type TestSandbox, useSandbox } from '../../sandbox.ts';
import { evaluate } from './evaluate.ts';
import type { Situation } from './filters.ts';
import { parseTimestamp } from './moments.ts';
import { readRecords } from './rows.ts';
import { type DrawnWorld, putWorld } from './worlds.ts';

/** The current situation of `demo-owner` in a sandbox. */
export function createSituation({ world, now }: TestSandbox): Situation {
  const workspaceId = demoId('workspace');
  const zone =
    world.store.get<{ time_zone: string }>('SELECT time_zone FROM workspaces WHERE id = :workspaceId', { workspaceId })?.time_zone ?? '';
  return { records: readRecords(world.store, workspaceId), now, memberId: demoId('member owner'), zone };
}

/** A result as plain values, without what differs between runs or depends on wording. */
function toPlainResult(result: AnalyticsResult) {
  const { generatedAt: _, warnings: __, resolvedTimeRange, normalizedQuery, ...rest } = toJson(AnalyticsResultSchema, result) as JsonObject;
  // The specification doesn't say whether defaults are filled in.
  const { timezone: ___, limit: ____, sort: _____, ...query } = (normalizedQuery ?? {}) as JsonObject;
  const range = result.resolvedTimeRange && {
    start: parseTimestamp(result.resolvedTimeRange.start),
    end: parseTimestamp(result.resolvedTimeRange.end),
  };
  return { ...rest, query, range: range && { start: String(range.start), end: String(range.end) } };
}

/** The oracle's expected result of a query, in the form of `plain`. */
function computeExpected(situation: Situation, query: JsonObject) {
  const { query: resolved, range, total: _, ...result } = evaluate(situation, fromJson(AnalyticsQuerySchema, query));
  const { timezone: __, limit: ___, sort: ____, ...normalized } = toJson(AnalyticsQuerySchema, resolved) as JsonObject;
  const parsed = fromJson(AnalyticsResultSchema, toJson(AnalyticsResultSchema, create(AnalyticsResultSchema, result)));
  return {
    ...toPlainResult(parsed),
    aggregationComplete: true,
    query: normalized,
    range: range && { start: String(range.start), end: String(range.end) },
  };
}

/** A sandbox whose records a test replaces, together with the oracle. */
export function useOracle() {
  const opened = useSandbox();
  const sendQuery = (query: JsonObject) => opened.call('AnalyticsService/ExecuteQuery', { query });
  return {
    ask: sendQuery,
    get sandbox() {
      return opened.sandbox;
    },
    /** Replaces the demo data with a generated world. Returns its situation for the oracle. */
    enter: (drawn: DrawnWorld): Situation => {
      opened.sandbox.now = drawn.now;
      putWorld(opened.sandbox.world.store, demoId('workspace'), drawn);
      return createSituation(opened.sandbox);
    },
    /** The actual and the expected result, as plain values. */
    both: async (situation: Situation, query: JsonObject) => {
      const { status, body } = await sendQuery(query);
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
      return { answered: toPlainResult(fromJson(AnalyticsResultSchema, body.result)), expected: computeExpected(situation, query) };
    },
  };
}
