import { beforeAll, describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { useSandbox } from '../sandbox.ts';
import { calendar, createQuery, dimension, measure, sendQuery } from './queryHelpers.ts';

const { call } = useSandbox();

interface Field {
  readonly name: string;
  readonly type: string;
  readonly operators: readonly string[];
  readonly aggregations: readonly string[];
  readonly buckets: readonly string[];
  readonly supportsCurrentMember: boolean;
  readonly currencyField: string;
  readonly words: readonly string[];
}

interface Entity {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly relationships: readonly { readonly name: string; readonly entity: string }[];
}

interface Catalog {
  readonly entities: readonly Entity[];
  readonly limits: object;
  readonly authorizationPolicy: string;
  readonly fieldlessAggregations: readonly string[];
}

const ROOTS = ['customers', 'appointments', 'orders', 'offers', 'workorders', 'problems', 'payments', 'appointment_results'];

let catalog: Catalog;

beforeAll(async () => {
  catalog = (await call('AnalyticsService/ListCatalog', {})).body;
});

const getEntity = (name: string): Entity => {
  const entity = catalog.entities.find((each) => each.name === name);
  if (!entity) throw new Error(`The catalog must have ${name}.`);
  return entity;
};

/** Values that a field of each type can be compared with. */
const VALUES: Readonly<Record<string, object>> = {
  TEXT: { text: 'x' },
  INTEGER: { integer: '1' },
  DECIMAL: { decimal: { unscaled: '15', scale: 1 } },
  BOOLEAN: { boolean: true },
  TIMESTAMP: { timestamp: '2026-01-01T00:00:00Z' },
};

function listValues({ type, words = [] }: Field, operator: string): readonly object[] {
  if (operator.endsWith('NULL')) return [];
  const [word] = words;
  return [word === undefined ? (VALUES[type.replace('ANALYTICS_FIELD_TYPE_', '')] ?? {}) : { text: word }];
}

describe('catalog', () => {
  it('contains the roots, the limits, the policy, and the aggregations without a field', spec('4.12.4', '4.12.12'), () => {
    expect(catalog.entities.map(({ name }) => name)).toEqual(ROOTS);
    expect(catalog.limits).toMatchObject({
      maxRows: 100,
      maxFilterNodes: 100,
      maxMeasures: 8,
      maxResultBytes: 262_144,
      deadlineSeconds: 15,
    });
    expect(catalog.authorizationPolicy).toContain('Full access');
    expect(catalog.fieldlessAggregations).toEqual(['ANALYTICS_AGGREGATION_COUNT', 'ANALYTICS_AGGREGATION_RATIO']);
  });

  it.each(ROOTS)('defines relationships of %s with existing roots, and fields with types', spec('4.12.10'), (name) => {
    const { fields, relationships } = getEntity(name);
    for (const { entity } of relationships) expect(ROOTS).toContain(entity);
    for (const { type } of fields) expect(type).toMatch(/^ANALYTICS_FIELD_TYPE_(?!UNSPECIFIED)/);
    expect(fields.length).toBeGreaterThan(5);
  });

  it('marks fields that can be compared with the member behind the key', spec('4.12.11'), () => {
    const members = catalog.entities.flatMap(({ name, fields }) =>
      fields.filter(({ supportsCurrentMember }) => supportsCurrentMember).map((field) => `${name}.${field.name}`),
    );
    expect(members).toEqual(['appointments.member_id', 'appointment_results.member_id', 'appointment_results.recorder_id']);
  });
});

describe('query of each catalog entry', () => {
  it.each(ROOTS)('returns all fields as records: %s', async (name) => {
    const fields = getEntity(name).fields.map((field) => field.name);
    const { rows, ids } = await sendQuery(call, createQuery(name, { records: { fields: fields.slice(0, 20) }, limit: 5 }));
    expect(ids).toEqual(fields.slice(0, 20));
    expect(rows.length).toBeGreaterThan(0);
  });

  it.each(ROOTS)('accepts all operators: %s', spec('4.12.10'), async (name) => {
    for (const field of getEntity(name).fields) {
      const children = (field.operators ?? []).map((operator) => ({
        compare: { field: field.name, operator, values: listValues(field, operator) },
      }));
      if (children.length > 0)
        await sendQuery(call, createQuery(name, { filter: { any: { children } }, aggregate: { measures: [measure('COUNT')] } }));
    }
  });

  it.each(ROOTS)('accepts all aggregations: %s', spec('4.12.10'), async (name) => {
    for (const field of getEntity(name).fields) {
      for (const aggregation of field.aggregations ?? []) {
        const percentile = aggregation.endsWith('PERCENTILE_DISC') ? { percentile: { unscaled: '5', scale: 1 } } : {};
        const dimensions = field.currencyField ? [dimension(field.currencyField)] : [];
        const { ids } = await sendQuery(
          call,
          createQuery(name, { aggregate: { measures: [{ aggregation, field: field.name, ...percentile }], dimensions } }),
        );
        expect(ids.at(-1)).toBe(`${aggregation.replace('ANALYTICS_AGGREGATION_', '').toLowerCase()}_${field.name}`);
      }
    }
  });

  it.each(ROOTS)('accepts all buckets: %s', spec('4.12.60'), async (name) => {
    for (const field of getEntity(name).fields) {
      for (const bucket of field.buckets ?? []) {
        const timeRange = calendar(field.name, '2025-01-01', '2026-12-31');
        const { ids } = await sendQuery(
          call,
          createQuery(name, { timeRange, aggregate: { measures: [measure('COUNT')], dimensions: [{ field: field.name, bucket }] } }),
        );
        expect(ids[0]).toBe(`${field.name}_${bucket.replace('ANALYTICS_TIME_BUCKET_', '').toLowerCase()}`);
      }
    }
  });

  it.each(ROOTS)('accepts all relationships: %s', async (name) => {
    for (const { name: relationship } of getEntity(name).relationships)
      await sendQuery(call, createQuery(name, { filter: { related: { relationship } }, aggregate: { measures: [measure('COUNT')] } }));
  });
});

describe('counts by dimension', () => {
  it.each(ROOTS)('add up to the total count: %s', async (name) => {
    const [total] = (await sendQuery(call, createQuery(name, { aggregate: { measures: [measure('COUNT')] } }))).rows.flat();
    for (const field of getEntity(name).fields.filter(({ words = [] }) => words.length > 0)) {
      const { rows } = await sendQuery(
        call,
        createQuery(name, { aggregate: { measures: [measure('COUNT')], dimensions: [dimension(field.name)] } }),
      );
      expect(String(rows.reduce((sum, [, count]) => sum + Number(count), 0))).toBe(total);
    }
  });
});
