import { create, equals, type MessageInitShape } from '@bufbuild/protobuf';
import { loadModule, parseSync } from 'libpg-query';
import { beforeAll, describe, expect, it } from 'vitest';
import { ENTITIES } from '../../../sandbox/analytics/entities.ts';
import { parseSql } from '../../../sandbox/analytics/sql/parse.ts';
import { textOf } from '../../../sandbox/analytics/sql/print.ts';
import { SQL_SUPPORT } from '../../../sandbox/analytics/sql/support.ts';
import { correlationOf, RESERVED } from '../../../sandbox/analytics/sql/words.ts';
import {
  AnalyticsAggregation as Aggregation,
  AnalyticsOperator as Operator,
  type AnalyticsQuery,
  AnalyticsQuerySchema,
  AnalyticsQuerySemantics as Semantics,
  AnalyticsSortDirection as SortDirection,
  AnalyticsTimeBucket as TimeBucket,
} from '../../../src/upstream/contract/generated/publicapi/v1/analytics_pb.ts';
import { fc } from '../../support/seeded.ts';
import { sqlQuery } from './sqlQueries.ts';

beforeAll(loadModule);

type Init = MessageInitShape<typeof AnalyticsQuerySchema>;

const queryOf = (init: Init): AnalyticsQuery =>
  create(AnalyticsQuerySchema, { version: 1, entity: 'orders', semantics: Semantics.CURRENT_STATE, timezone: 'UTC', limit: 10, ...init });

const COUNT: Init = { aggregate: { measures: [{ aggregation: Aggregation.COUNT }] } };
const given = (condition: string) => `SELECT count(*) FROM orders WHERE svc.timezone('UTC') AND ${condition} LIMIT 10`;
const compare = (field: string, operator: Operator, ...values: NonNullable<Init['filter']>[]) => ({ compare: { field, operator, values } });
const isOpen = compare('status', Operator.EQ, { text: 'open' });
const isFree = compare('currency', Operator.NEQ, { text: 'EUR' });
const isOld = compare('created_at', Operator.LT, { timestamp: '2026-01-01T00:00:00Z' });

const ACCEPTED: readonly (readonly [sql: string, query: Init])[] = [];
