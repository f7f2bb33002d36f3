import { describe, expect, it } from 'vitest';
import { startApp } from '../../../src/server/app.ts';
import { readConfig } from '../../../src/server/settings/config.ts';
import { createLogger } from '../../../src/server/telemetry/logger.ts';
import { createBrokenUpstream, SECRET } from '../../support/brokenUpstream.ts';
import { createMemoryLedger } from '../../support/memoryLedger.ts';
import { NO_IDLE_WAIT, useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

async function executeWithTrace(url: string, query: string, key = 'demo-owner') {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'apollo-federation-include-trace': 'ftv1' },
    body: JSON.stringify({ query }),
  });
  return (await response.json()) as {
    data: { contacts: { nodes: object[] } | null };
    extensions: { ftv1?: string };
    errors?: { extensions: { code: string } }[];
  };
}

describe('federated trace', () => {
  it('disappears from the response if it is too long', async () => {
    const fields = Array.from({ length: 245 }, (_, index) => `a${index}: lastName`).join(' ');
    const queryContacts = async (count: number) => {
      const { data, extensions } = await executeWithTrace(testGraph.url, `{ contacts(first: ${count}) { nodes { ${fields} } } }`);
      return [data.contacts?.nodes.length, typeof extensions.ftv1];
    };
    expect([await queryContacts(1), await queryContacts(20)]).toEqual([
      [1, 'string'],
      [20, 'undefined'],
    ]);
  });

  it('doesn’t replace the errors of an operation that is rejected before its execution', async () => {
    const { data, errors } = await executeWithTrace(
      testGraph.url,
      '{ contacts { nodes { lastName } } a: products { nodes { name } } }',
      '',
    );
    expect([data, errors?.map(({ extensions }) => extensions.code)]).toEqual([
      { contacts: null, a: null },
      ['UNAUTHENTICATED', 'UNAUTHENTICATED'],
    ]);
  });

  it('reveals no more of a failure than the response', async () => {
    const config = readConfig({ PORT: '0' });
    const logger = createLogger('silent');
    const app = await startApp({ config, upstream: createBrokenUpstream(), ledger: createMemoryLedger(), logger, http: NO_IDLE_WAIT });
    const { data, extensions } = await executeWithTrace(app.url, '{ contacts(first: 1) { nodes { __typename } } }');
    await app.close();
    const trace = Buffer.from(extensions.ftv1 ?? '', 'base64').toString('latin1');
    expect([data.contacts, trace.includes('Internal server error'), trace.includes(SECRET)]).toEqual([null, true, false]);
  });
});
