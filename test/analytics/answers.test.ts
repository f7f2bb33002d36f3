import { describe, expect, it } from 'vitest';
import { sendingBy } from '../support/sendingBy.ts';
import { useWorld } from '../support/world.ts';
import { ask, askSql, counting, QUERY, SQL } from './ask.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are changed before they are read
type Body = any;

/** Changes the next answers to queries, as an upstream would that is not the sandbox. */
let change: (body: Body) => Body = (body) => body;

const world = useWorld({}, undefined, {
  transport: sendingBy(async (request, usual) => {
    const answer = await usual(request);
    const isQuery = [QUERY, SQL].some((operation) => request.path.endsWith(operation));
    return isQuery ? { ...answer, body: JSON.stringify(change(JSON.parse(answer.body))) } : answer;
  }),
});

const TEXT = "SELECT count(*) FROM orders WHERE svc.timezone('UTC') LIMIT 1";

describe('an answer', () => {
  it.each([[{}], [{ result: null }], [{ result: [] }], [{ result: 'none' }]])(
    'of %j has no result: that is a failure, and no empty one',
    async (body) => {
      change = () => body;
      for (const { answer, errors } of [await ask(world, counting('ORDERS')), await askSql(world, TEXT)])
        expect([answer, errors]).toMatchObject([null, [{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE', retry: 'SAFE' } }]]);
    },
  );
});
