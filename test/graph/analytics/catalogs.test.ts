import { describe, expect, it } from 'vitest';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { ask, CATALOG, QUERY } from './ask.ts';

// biome-ignore lint/suspicious/noExplicitAny: the catalog is changed before it is read
type Body = any;

const compare = (field: string, operator: string, value: object) => ({ compare: { field, operator, values: [value] } });

/** A query that needs everything that a catalog may tell. */
const BUSY = {
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

/** All fields of a catalog. */
const fieldsOf = ({ entities }: Body): Body[] => entities.flatMap(({ fields }: Body) => fields);

describe('a catalog that tells less than ours', () => {
  const CATALOGS: readonly (readonly [string, (catalog: Body) => void])[] = [
    ...['operators', 'aggregations', 'buckets', 'supportsCurrentMember', 'type', 'name'].map(
      (member) =>
        [
          `says no ${member} of any field`,
          (catalog: Body) => {
            for (const field of fieldsOf(catalog)) delete field[member];
          },
        ] as const,
    ),
    [
      'has other words for the kinds of fields',
      (catalog) => {
        for (const field of fieldsOf(catalog)) field.type = `${field.type}_LATER`;
      },
    ],
    [
      'has no relationships',
      (catalog) => {
        for (const entity of catalog.entities) delete entity.relationships;
      },
    ],
    [
      'has no fields',
      (catalog) => {
        for (const entity of catalog.entities) delete entity.fields;
      },
    ],
  ];

  describe.each(CATALOGS)('and %s', (_title, change) => {
    const testGraph = useTestGraph({}, undefined, {
      transport: interceptCalls(async (request, usual) => {
        const answer = await usual(request);
        if (!request.path.endsWith(CATALOG)) return answer;
        const catalog = JSON.parse(answer.body);
        change(catalog);
        return { ...answer, body: JSON.stringify(catalog) };
      }),
    });

    it('keeps no query back that the upstream takes', async () => {
      const { answer, errors, calls } = await ask(testGraph, BUSY);
      expect([errors, answer, calls]).toEqual([undefined, { __typename: 'AnalyticsResult', status: 'READY' }, [CATALOG, QUERY]]);
    });
  });
});
