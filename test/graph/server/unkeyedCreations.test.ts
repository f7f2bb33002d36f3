import { expect, it } from 'vitest';
import { createLogger } from '../../../src/server/telemetry/logger.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const lines: string[] = [];
const testGraph = useTestGraph({}, undefined, { logger: createLogger('warn', { write: (line: string) => void lines.push(line) }) });

const CREATE = 'mutation ($input: ContactCreateInput!) { contactCreate(input: $input) { __typename } }';

it('logs once that an operation creates records without idempotency keys', async () => {
  const create = (more: object = {}) => testGraph.execute(CREATE, { input: { lastName: 'Adler', ...more } });
  await create({ idempotencyKey: 'a key' });
  expect(lines).toEqual([]);
  for (let count = 0; count < 2; count += 1) expect((await create()).data.contactCreate.__typename).toBe('ContactCreatePayload');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ operation: 'Contact/CreateContact', level: 40 }]);
  expect(lines[0]).not.toContain('Adler');
});
