import { describe, expect, it } from 'vitest';
import { startApp } from '../../../src/server/app.ts';
import { readConfig } from '../../../src/server/settings/config.ts';
import { createLogger } from '../../../src/server/telemetry/logger.ts';
import { brokenUpstream, SECRET } from '../../support/brokenUpstream.ts';
import { memoryLedger } from '../../support/memoryLedger.ts';
import { NO_IDLE_WAIT, useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

async function traced(url: string, query: string) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer demo-owner', 'apollo-federation-include-trace': 'ftv1' },
    body: JSON.stringify({ query }),
  });
  return (await response.json()) as { data: { contacts: { nodes: object[] } | null }; extensions: { ftv1?: string } };
}

describe('a trace', () => {
  it('that is too long to be written does not cost the answer', async () => {
    const fields = Array.from({ length: 245 }, (_, index) => `a${index}: lastName`).join(' ');
    const ask = async (count: number) => {
      const { data, extensions } = await traced(testGraph.url, `{ contacts(first: ${count}) { nodes { ${fields} } } }`);
      return [data.contacts?.nodes.length, typeof extensions.ftv1];
    };
    expect([await ask(1), await ask(20)]).toEqual([
      [1, 'string'],
      [20, 'undefined'],
    ]);
  });

  it('tells no more of a failure than the answer does', async () => {
    const config = readConfig({ PORT: '0' });
    const logger = createLogger('silent');
    const app = await startApp({ config, upstream: brokenUpstream(), ledger: memoryLedger(), logger, http: NO_IDLE_WAIT });
    const { data, extensions } = await traced(app.url, '{ contacts(first: 1) { nodes { __typename } } }');
    await app.close();
    const trace = Buffer.from(extensions.ftv1 ?? '', 'base64').toString('latin1');
    expect([data.contacts, trace.includes('Internal server error'), trace.includes(SECRET)]).toEqual([null, true, false]);
  });
});
