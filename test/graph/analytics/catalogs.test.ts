import { describe, expect, it } from 'vitest';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { CATALOG, executeQuery, QUERY } from './queries.ts';

// biome-ignore lint/suspicious/noExplicitAny: the catalog is modified before it is parsed
type Body = any;

const compare = (field: string, operator: string, value: object) => ({ compare: { field, operator, values: [value] } });

/** A query that uses every part of the catalog. */
const FULL_QUERY = {
  entity: 'APPOINTMENTS',
  timeRange: { field: 'starts_at', range: { relative: { period: 'THIS_YEAR' } } },
  filter: {
    any: [
      compare('member_id', 'EQ', { currentMember: true }),
      compare('starts_at', 'GT', { nowOffsetSeconds: '0' }),
      compare('source', 'NEQ', { text: 'PUBLIC_APPOINTMENT_SOURCE_LOCAL' }),
      { related: { relationship: 'customer', filter: compare('title', 'CONTAINS', { text: 'x' }) } },
    ],
  },
  select: {
    aggregate: {
      measures: [
        { max: { field: 'duration_minutes' } },
        { count: {} },
        { ratio: { numerator: 'max_duration_minutes', denominator: 'count' } },
      ],
      dimensions: [{ field: 'starts_at', bucket: 'MONTH' }],
    },
  },
};

const listFields = ({ entities }: Body): Body[] => entities.flatMap(({ fields }: Body) => fields);

describe('incomplete catalog', () => {
  const CATALOGS: readonly (readonly [string, (catalog: Body) => void])[] = [
    ...['operators', 'aggregations', 'buckets', 'supportsCurrentMember', 'type', 'name'].map(
      (member) =>
        [
          `without ${member} in any field`,
          (catalog: Body) => {
            for (const field of listFields(catalog)) delete field[member];
          },
        ] as const,
    ),
    [
      'with unknown field types',
      (catalog) => {
        for (const field of listFields(catalog)) field.type = `${field.type}_LATER`;
      },
    ],
    [
      'without relationships',
      (catalog) => {
        for (const entity of catalog.entities) delete entity.relationships;
      },
    ],
    [
      'without fields',
      (catalog) => {
        for (const entity of catalog.entities) delete entity.fields;
      },
    ],
  ];

  describe.each(CATALOGS)('%s', (_title, change) => {
    const testGraph = useTestGraph({}, undefined, {
      transport: interceptCalls(async (request, usual) => {
        const response = await usual(request);
        if (!request.path.endsWith(CATALOG)) return response;
        const catalog = JSON.parse(response.body);
        change(catalog);
        return { ...response, body: JSON.stringify(catalog) };
      }),
    });

    it('rejects no query that the upstream accepts', async () => {
      const { result, errors, calls } = await executeQuery(testGraph, FULL_QUERY);
      expect([errors, result, calls]).toEqual([undefined, { __typename: 'AnalyticsResult', status: 'READY' }, [CATALOG, QUERY]]);
    });
  });
});
