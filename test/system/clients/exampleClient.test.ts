import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse } from 'graphql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MutationFailure, unwrap } from '../../../client/src/index.ts';
import { describeFailure } from '../../../examples/client/advice.ts';
import { type Graph, GraphError, mutate, query } from '../../../examples/client/client.ts';
import type { FailureFragment } from '../../../examples/client/gql/graphql.ts';
import { confirmQuote, findCustomer, listQuotes } from '../../../examples/client/quotes.ts';
import type { Fault } from '../../../sandbox/kernel/faults.ts';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { CONFIRM_QUOTE, createQuoting } from '../../support/quoting.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
const { createQuote } = createQuoting(testGraph);
afterEach(() => testGraph.sandbox.faults.clear());

const CUSTOMER = 'C-000001';
const createKeyWithout = (scope: string) => makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((each) => each !== scope) });
const addConfirmFault = (traits: Omit<Fault, 'operation'>) => testGraph.sandbox.faults.add({ operation: 'Quote/ConfirmQuote', ...traits });

/** Runs the program like `node examples/client/main.ts`. */
async function run({ customer = CUSTOMER, key = 'demo-owner', url = `${testGraph.url}/graphql` } = {}) {
  const program = spawn(process.execPath, ['examples/client/main.ts', customer], { env: { ...process.env, GRAPH_URL: url, API_KEY: key } });
  const [output, errors, [code]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, 'exit')]);
  return { lines: output.trimEnd().split('\n'), errors: errors.trimEnd(), code };
}

describe('example client', () => {
  /** The newest quote of the customer, a draft. */
  let quote: { readonly id: string; readonly rawId: string };
  beforeEach(async () => {
    quote = await createQuote({ customerId: demoId('customer 0'), title: 'Newest' });
  });

  it('lists all quotes of a customer, one upstream call per page, and confirms the newest draft', async () => {
    const [{ lines, errors, code }, calls] = await testGraph.recordCalls(() => run());
    const id = demoId('customer 0');
    const { length } = testGraph.sandbox.world.store.all('SELECT 1 FROM quotes WHERE customer_id = :id', { id });
    expect(lines[0]).toMatch(/^Quotes of C-000001, .+:$/);
    expect(lines[1]).toMatch(/^ {2}Q-\d+ {2}CONCEPT +20\.00 EUR {2}Newest$/);
    expect(lines.slice(1, -2)).toHaveLength(length);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.at(-2)).toBe(`Confirming ${lines[1]?.trim().split(' ')[0]}.`);
    expect(lines.at(-1)).toMatch(/^Created order O-\d+ for 20\.00 EUR\.$/);
    expect([errors, code]).toEqual(['', 0]);
    const pages = Array<string>(Math.ceil(length / 50)).fill('Quote/ListQuotes');
    expect(calls).toEqual(['Customer/LookupCustomersByIdentifier', ...pages, 'Quote/GetQuote', 'Quote/ConfirmQuote']);
  });

  it('prints the missing scope of the key, for reading or confirming', async () => {
    const [reader, calls] = await testGraph.recordCalls(() => run({ key: createKeyWithout('quote:confirm') }));
    expect([reader.lines.at(-1), reader.code]).toEqual(['The key lacks quote:confirm. Use a key that has it.', 1]);
    expect(calls).not.toContain('Quote/ConfirmQuote');
    const stranger = await run({ key: createKeyWithout('quote:read') });
    expect([stranger.errors, stranger.code]).toEqual(['The key lacks quote:read. Use a key that has it.', 1]);
  });

  it('explains how to retry if the response is lost', async () => {
    addConfirmFault({ cut: 'after' });
    // Otherwise, the graph would reconcile the outcome.
    testGraph.sandbox.faults.add({ operation: 'Quote/GetQuote', status: 403 });
    const { lines, code } = await run();
    expect(lines.at(-1)).toBe(
      'The Workspace API didn’t return a usable response, so the outcome is unknown. The write may have been applied. It’s safe to retry, because the operation is idempotent.',
    );
    expect(code).toBe(1);
    expect(testGraph.sandbox.world.store.all('SELECT 1 FROM orders WHERE quote_id = :id', { id: quote.rawId })).toHaveLength(1);
  });

  it('prints how long to wait if the key’s quota is exhausted', async () => {
    addConfirmFault({ status: 429, retryAfter: 7 });
    const { lines, code } = await run({ key: makeKey(testGraph.sandbox.world) });
    expect([lines.at(-1), code]).toEqual(['The key’s rate limit is exhausted. Try again in 7 seconds.', 1]);
  });

  it('prints an error for an unknown key, an unknown customer, and an unreachable server', async () => {
    expect((await run({ key: 'absent' })).errors).toContain('Set API_KEY to a key of your workspace.');
    expect((await run({ customer: 'C-0' })).errors).toContain('Customer C-0 not found.');
    expect((await run({ url: `${testGraph.url}/health/live` })).errors).toContain('returned neither data nor errors');
    const { errors, code } = await run({ url: 'http://127.0.0.1:9/graphql' });
    expect([errors, code]).toEqual(['Can’t connect to http://127.0.0.1:9/graphql. Check that the graph is running.', 1]);
  });
});

interface Confirmed {
  readonly quoteConfirm: { readonly __typename: 'QuoteConfirmPayload'; readonly order: { readonly customer: { readonly title: string } } };
}

describe('functions of the example client', () => {
  const graph = (): Graph => ({ url: `${testGraph.url}/graphql`, key: 'demo-owner' });
  /** The error text for a quote that can't be confirmed. */
  const confirmError = async (quoteId: string) => {
    const error = await confirmQuote(graph(), quoteId).catch((thrown: unknown) => thrown);
    if (!(error instanceof MutationFailure)) throw new Error(`It was confirmed: ${JSON.stringify(error)}`);
    return describeFailure(error);
  };

  it('fetch only the required pages', async () => {
    const customer = await findCustomer(graph(), CUSTOMER);
    const [, calls] = await testGraph.recordCalls(() => listQuotes(graph(), customer?.id ?? '').next());
    expect(calls).toEqual(['Quote/ListQuotes']);
  });

  it('return the blocker if another client was faster', async () => {
    const { id } = await createQuote();
    await testGraph.execute('mutation ($input: QuoteDiscardInput!) { quoteDiscard(input: $input) { __typename } }', {
      input: { quoteId: id },
    });
    expect(await confirmError(id)).toMatch(
      /^The record’s status doesn’t allow this:\n- .+\nFetch it again, because another client may have changed it\.$/,
    );
  });

  it('return the same order if another client has confirmed it', async () => {
    const { id } = await createQuote();
    await testGraph.execute(CONFIRM_QUOTE, { input: { quoteId: id } });
    expect(await confirmQuote(graph(), id)).toEqual({
      order: expect.objectContaining({ referenceNumber: expect.stringMatching(/^O-/) }),
      errors: [],
    });
  });

  it('return a mutation’s data alongside field errors, but reject a query with errors', async () => {
    const key = createKeyWithout('customer:read');
    const result = 'quoteConfirm(input: $input) { __typename ... on QuoteConfirmPayload { order { customer { title } } } }';
    const confirm: TypedDocumentNode<Confirmed, object> = parse(`mutation ($input: QuoteConfirmInput!) { ${result} }`);
    const { id } = await createQuote();
    const { data, errors } = await mutate({ ...graph(), key }, confirm, { input: { quoteId: id } });
    expect(unwrap(data.quoteConfirm)).toEqual({ __typename: 'QuoteConfirmPayload', order: { customer: null } });
    expect(errors).toMatchObject([{ path: ['quoteConfirm', 'order', 'customer'], extensions: { code: 'FORBIDDEN' } }]);
    const read: TypedDocumentNode<object, object> = parse('query ($id: ID!) { quote(id: $id) { status customer { title } } }');
    await expect(query({ ...graph(), key }, read, { id })).rejects.toThrow(GraphError);
  });

  it('throw if a mutation has no result', async () => {
    const confirm: TypedDocumentNode<object, object> = parse('mutation { quoteConfirm(input: { quoteId: "any" }) { __typename } }');
    await expect(mutate({ ...graph(), key: 'absent' }, confirm, {})).rejects.toThrow(GraphError);
  });

  it('return which quote is missing', async () => {
    expect(await confirmError('gone')).toBe('Quote gone not found.');
  });

  it('return the rule that the input violates', async () => {
    expect(await confirmError('')).toMatch(/^The graph rejected the input:\n- quoteId /);
  });

  it('return the common fields of an error type that is newer than the program', () => {
    const newer: unknown = { __typename: 'QuoteExpiredError', code: 'QUOTE_EXPIRED', message: 'It has expired.', retry: 'SAFE' };
    const failure = new MutationFailure(newer as FailureFragment);
    expect(describeFailure(failure)).toBe('QUOTE_EXPIRED: It has expired. It’s safe to retry.');
  });
});
