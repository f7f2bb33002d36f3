import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/server/telemetry/logger.ts';
import { createKeyCredential } from '../../../src/upstream/access/credential.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { ListProducts } from '../../../src/upstream/contract/generated/operations.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { postQuery, startTestGraph } from '../../support/testGraph.ts';

/** The sandbox with numbers as product names and a field that the contract doesn't have. */
const driftingUpstream = interceptCalls(async (request, usual) => {
  const response = await usual(request);
  if (!request.path.endsWith('/ListProducts')) return response;
  return { ...response, body: response.body.replaceAll(/"name":"[^"]*"/g, '"name":4711,"nickname":"secret nickname","4711-id":1') };
});

describe('response that deviates from the contract', () => {
  it('appears in the log once per coordinate and kind, without the value', async () => {
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line) => void lines.push(line) });
    const testGraph = await startTestGraph({}, undefined, { logger, transport: driftingUpstream });
    for (let turn = 0; turn < 3; turn += 1) await postQuery(testGraph.app.url, 'demo-owner', '{ products(first: 5) { nodes { rawId } } }');
    await testGraph.close();
    const reported = lines
      .map((line) => JSON.parse(line) as { msg: string; coordinate?: string; kind?: string })
      .filter(({ coordinate }) => coordinate);
    expect(reported.map(({ msg, coordinate, kind }) => [msg, coordinate, kind])).toEqual([
      ['contract drift detected', 'ProductRecord.name', 'TYPE'],
      ['contract drift detected', 'ProductRecord.nickname', 'UNKNOWN_MEMBER'],
      ['contract drift detected', 'ProductRecord.(redacted name)', 'UNKNOWN_MEMBER'],
    ]);
    expect(lines.join('')).not.toMatch(/4711|secret nickname/);
  });
});

describe('drift detection', () => {
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });
  afterAll(() => sandbox.close());

  const countDrift = async (times: number, transport: typeof driftingUpstream) => {
    const upstream = createUpstream({
      transport: transport(httpTransport({ url: sandbox.url, connections: 1 })),
      timeoutMs: 20_000,
      callsPerRequest: 1_000,
    });
    for (let turn = 0; turn < times; turn += 1) {
      await upstream.openSession(createKeyCredential('demo-owner'), String(turn)).call(ListProducts, { page: 1, pageSize: 20 });
    }
    const counts = new Map(upstream.drifts);
    await upstream.close();
    return counts;
  };

  it('checks the first three responses of an operation and each 64th, three rows of each', async () => {
    expect((await countDrift(2, driftingUpstream)).get('ProductRecord.name TYPE')).toBe(2 * 3);
    expect((await countDrift(64, driftingUpstream)).get('ProductRecord.name TYPE')).toBe(3 * 3);
    expect((await countDrift(65, driftingUpstream)).get('ProductRecord.name TYPE')).toBe(4 * 3);
  });

  it('counts nothing for an upstream that follows the contract', async () => {
    expect(
      await countDrift(
        3,
        interceptCalls((request, usual) => usual(request)),
      ),
    ).toEqual(new Map());
  });

  it('counts deviations above 500 together', async () => {
    let member = 0;
    const name = () => [...String(member++)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const endless = interceptCalls(async (request, usual) => {
      const response = await usual(request);
      const members = Array.from({ length: 300 }, () => `"x${name()}":1`).join();
      return { ...response, body: response.body.replace('{', `{${members},`) };
    });
    const counts = await countDrift(3, endless);
    expect(counts.size).toBe(501);
    expect(counts.get('others')).toBeGreaterThan(100);
  });
});
