import { describe, expect, it } from 'vitest';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { ask } from './ask.ts';

const WORD = /^(ANALYTICS_(?:RESULT_STATUS|CELL_STATUS|FIELD_TYPE|AGGREGATION|TIME_BUCKET))_(?!UNSPECIFIED)[A-Z_]+$/;

const testGraph = useTestGraph({}, undefined, {
  transport: interceptCalls(async (request, usual) => {
    const answer = await usual(request);
    if (!request.path.endsWith('/ExecuteQuery')) return answer;
    const later = (_name: string, value: unknown) => (typeof value === 'string' ? value.replace(WORD, '$1_LATER') : value);
    return { ...answer, body: JSON.stringify(JSON.parse(answer.body, later)) };
  }),
});

describe('a word of a result that came later', () => {
  it('is OTHER, and its text has it', async () => {
    const query = {
      entity: 'ORDERS',
      timeRange: { field: 'created_at', range: { relative: { period: 'THIS_YEAR' } } },
      select: { aggregate: { measures: [{ count: {} }], dimensions: [{ field: 'created_at', bucket: 'YEAR' }] } },
    };
    const { answer, errors } = await ask(
      testGraph,
      query,
      `status statusText rows { cells { status statusText } }
       columns { valueType valueTypeText aggregation aggregationText bucket bucketText }`,
    );
    expect(errors).toBeUndefined();
    const later = (kind: string) => ['OTHER', `ANALYTICS_${kind}_LATER`];
    const [year, count] = answer.columns;
    expect([answer.status, answer.statusText]).toEqual(later('RESULT_STATUS'));
    expect([answer.rows[0].cells[0].status, answer.rows[0].cells[0].statusText]).toEqual(later('CELL_STATUS'));
    expect([year.valueType, year.valueTypeText]).toEqual(later('FIELD_TYPE'));
    expect([year.bucket, year.bucketText, year.aggregation, year.aggregationText]).toEqual([...later('TIME_BUCKET'), null, null]);
    expect([count.aggregation, count.aggregationText, count.bucket, count.bucketText]).toEqual([...later('AGGREGATION'), null, null]);
  });
});
