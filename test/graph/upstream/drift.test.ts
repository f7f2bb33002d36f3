import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/server/telemetry/logger.ts';
import { createUpstream } from '../../../src/upstream/client.ts';
import { ListProducts } from '../../../src/upstream/contract/generated/operations.ts';
import { httpTransport } from '../../../src/upstream/transport/http.ts';
import { openSandbox, type TestSandbox } from '../../sandbox/sandbox.ts';
import { interceptCalls } from '../../support/interceptCalls.ts';
import { postQuery, startTestGraph } from '../../support/testGraph.ts';

/** The sandbox, with names of products as numbers, and a member that the contract does not have. */
const drifting = interceptCalls(async (request, usual) => {
  const answer = await usual(request);
  if (!request.path.endsWith('/ListProducts')) return answer;
  return { ...answer, body: answer.body.replaceAll(/"name":"[^"]*"/g, '"name":4711,"nickname":"secret nickname","4711-id":1') };
});

describe('an answer that differs from the contract', () => {
  it('is logged once by coordinate and kind, without its value', async () => {
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line) => void lines.push(line) });
    const testGraph = await startTestGraph({}, undefined, { logger, transport: drifting });
    for (let turn = 0; turn < 3; turn += 1) await postQuery(testGraph.app.url, 'demo-owner', '{ products(first: 5) { nodes { rawId } } }');
    await testGraph.close();
    const told = lines
      .map((line) => JSON.parse(line) as { msg: string; coordinate?: string; kind?: string })
      .filter(({ coordinate }) => coordinate);
    expect(told.map(({ msg, coordinate, kind }) => [msg, coordinate, kind])).toEqual([
      ['contract drift detected', 'ProductRecord.name', 'TYPE'],
      ['contract drift detected', 'ProductRecord.nickname', 'UNKNOWN_MEMBER'],
      ['contract drift detected', 'ProductRecord.(redacted name)', 'UNKNOWN_MEMBER'],
    ]);
    expect(lines.join('')).not.toMatch(/4711|secret nickname/);
  });
});

describe('the watch over answers', () => {
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });
  afterAll(() => sandbox.close());

  const ask = async (times: number, transport: typeof drifting) => {
    const upstream = createUpstream({
      transport: transport(httpTransport({ url: sandbox.url, connections: 1 })),
      timeoutMs: 20_000,
      callsPerRequest: 1_000,
    });
    for (let turn = 0; turn < times; turn += 1) {
      await upstream.openSession('demo-owner', String(turn)).call(ListProducts, { page: 1, pageSize: 20 });
    }
    const counts = new Map(upstream.drifts);
    await upstream.close();
    return counts;
  };

  it('counts the first three answers of an operation and each 64th, three rows of each', async () => {
    expect((await ask(2, drifting)).get('ProductRecord.name TYPE')).toBe(2 * 3);
    expect((await ask(64, drifting)).get('ProductRecord.name TYPE')).toBe(3 * 3);
    expect((await ask(65, drifting)).get('ProductRecord.name TYPE')).toBe(4 * 3);
  });

  it('counts nothing of an upstream that keeps to the contract', async () => {
    expect(
      await ask(
        3,
        interceptCalls((request, usual) => usual(request)),
      ),
    ).toEqual(new Map());
  });

  it('is bounded: differences above 500 are counted together', async () => {
    let member = 0;
    const name = () => [...String(member++)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const endless = interceptCalls(async (request, usual) => {
      const answer = await usual(request);
      const members = Array.from({ length: 300 }, () => `"x${name()}":1`).join();
      return { ...answer, body: answer.body.replace('{', `{${members},`) };
    });
    const counts = await ask(3, endless);
    expect(counts.size).toBe(501);
    expect(counts.get('others')).toBeGreaterThan(100);
  });
});
