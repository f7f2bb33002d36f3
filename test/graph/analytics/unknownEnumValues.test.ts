import { describe, expect, it } from 'vitest';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { executeQuery } from './queries.ts';

const ENUM_VALUE = /^(ANALYTICS_(?:RESULT_STATUS|CELL_STATUS|FIELD_TYPE|AGGREGATION|TIME_BUCKET))_(?!UNSPECIFIED)[A-Z_]+$/;

const testGraph = useTestGraph({}, undefined, {
  transport: interceptCalls(async (request, usual) => {
    const response = await usual(request);
    if (!request.path.endsWith('/ExecuteQuery')) return response;
    const later = (_name: string, value: unknown) => (typeof value === 'string' ? value.replace(ENUM_VALUE, '$1_LATER') : value);
    return { ...response, body: JSON.stringify(JSON.parse(response.body, later)) };
  }),
});

describe('unknown enum value in a result', () => {
  it('resolves to OTHER with the upstream’s value as text', async () => {
    const query = {
      entity: 'ORDERS',
      timeRange: { field: 'created_at', range: { relative: { period: 'THIS_YEAR' } } },
      select: { aggregate: { measures: [{ count: {} }], dimensions: [{ field: 'created_at', bucket: 'YEAR' }] } },
    };
    const { result, errors } = await executeQuery(
      testGraph,
      query,
      `status statusText rows { cells { status statusText } }
       columns { valueType valueTypeText aggregation aggregationText bucket bucketText }`,
    );
    expect(errors).toBeUndefined();
    const later = (kind: string) => ['OTHER', `ANALYTICS_${kind}_LATER`];
    const [year, count] = result.columns;
    expect([result.status, result.statusText]).toEqual(later('RESULT_STATUS'));
    expect([result.rows[0].cells[0].status, result.rows[0].cells[0].statusText]).toEqual(later('CELL_STATUS'));
    expect([year.valueType, year.valueTypeText]).toEqual(later('FIELD_TYPE'));
    expect([year.bucket, year.bucketText, year.aggregation, year.aggregationText]).toEqual([...later('TIME_BUCKET'), null, null]);
    expect([count.aggregation, count.aggregationText, count.bucket, count.bucketText]).toEqual([...later('AGGREGATION'), null, null]);
  });
});
