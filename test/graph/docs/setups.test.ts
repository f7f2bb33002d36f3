import { afterAll, describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/upstream/transport/transport.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { captureLog } from '../../support/capturedLog.ts';
import { listBlocks } from '../../support/codeBlocks.ts';
import { parseDocumented } from '../../support/documented.ts';
import { startIdentityProvider } from '../../support/identityProvider.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { AssignmentFile } from '../../support/signIn.ts';
import { postQuery, useTestGraph } from '../../support/testGraph.ts';

describe('log lines of the pages', () => {
  const log = captureLog('info');
  let isDown = false;
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
  const testGraph = useTestGraph({}, undefined, {
    logger: log.logger,
    env: { UPSTREAM_URL: 'https://api.example.com' },
    transport: interceptCalls((request, usual) => (isDown ? Promise.reject(new TransportError(false, false, refused)) : usual(request))),
  });
  const lines = new Map(listBlocks('log line').map(([, { text }]) => [String(JSON.parse(text).msg), text]));

  /** Sends a document as the client of the documented request. */
  const send = (query: string, traceId: string) =>
    fetch(`${testGraph.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer demo-owner',
        'apollographql-client-name': 'planner-web',
        'apollographql-client-version': '4.2.0',
        traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      },
      body: JSON.stringify({ query }),
    });

  /** The documented line, without the values that vary. */
  const getDocumented = (message: string): Readonly<Record<string, unknown>> => {
    const line = parseDocumented(lines.get(message) ?? '') as Readonly<Record<string, unknown>>;
    const varying = { time: expect.any(Number), pid: expect.any(Number), hostname: expect.any(String) };
    const ofRequest = {
      ms: expect.any(Number),
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      document: expect.stringMatching(/^sha256:/),
    };
    return { ...line, ...varying, ...(message === 'request' && ofRequest) };
  };

  it('describe a request and failing calls', () => {
    expect([...lines.keys()]).toEqual(['request', 'upstream calls failed']);
  });

  it('describe a mutation with a stale version', async () => {
    const expected = getDocumented('request');
    log.lines.length = 0;
    const input = `{ quoteId: "${demoId('quote 0')}", expectedVersion: "999", lines: [{ productId: "${demoId('product 0')}", quantity: 2 }], discounts: [] }`;
    await send(`mutation UpdateQuote { quoteUpdate(input: ${input}) { ... on MutationError { code } } }`, String(expected.trace_id));
    expect(await log.waitForLines(1, 'request')).toEqual([expected]);
  });

  it('describe a call whose connection is refused', async () => {
    log.lines.length = 0;
    isDown = true;
    await testGraph.execute(`{ customer(id: "${demoId('customer 0')}") { quotes(first: 1) { nodes { id } } } }`);
    expect(await log.waitForLines(1, 'upstream calls failed')).toEqual([getDocumented('upstream calls failed')]);
  });
});

describe('sign-in as docs/sign-in.md configures it', async () => {
  const [[, assigned], [, settings]] = listBlocks('sign-in') as [
    ReturnType<typeof listBlocks>[number],
    ReturnType<typeof listBlocks>[number],
  ];
  const provider = await startIdentityProvider();
  afterAll(() => provider.close());
  const assignments = new AssignmentFile(JSON.parse(assigned.text.replaceAll('wk_owner', 'demo-owner')));
  const replacements: Readonly<Record<string, string>> = { AUTH_ISSUER: provider.issuer, AUTH_KEYS: `file:${assignments.path}` };
  const documented = settings.text
    .trim()
    .split('\n')
    .map((line) => line.split('=') as [string, string]);
  const env = { ...Object.fromEntries(documented), ...replacements };
  const testGraph = useTestGraph({}, undefined, { env });

  it('gives each account its scopes of the key', async () => {
    expect(documented.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(replacements)));
    const claims = { aud: String(env.AUTH_AUDIENCE) };
    const read = async (subject: string) => {
      const token = await provider.issue(subject, { claims });
      const { data, errors } = await postQuery(
        testGraph.url,
        token,
        '{ customers(first: 1) { nodes { id } } contacts(first: 1) { nodes { id } } }',
      );
      return [data?.customers?.nodes.length, errors?.map(({ extensions }) => extensions.code)];
    };
    const [full, limited] = Object.keys(JSON.parse(assigned.text)) as [string, string];
    expect(await read(full)).toEqual([1, undefined]);
    expect(await read(limited)).toEqual([1, ['FORBIDDEN']]);
    expect(await read('auth0|unknown')).toEqual([undefined, ['FORBIDDEN']]);
  });
});
