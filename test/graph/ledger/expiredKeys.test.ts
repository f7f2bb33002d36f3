import { Observable, type RequestParameters } from 'relay-runtime';
import { expect, it } from 'vitest';
import { createIntent, getGraphErrors, type Intent } from '../../../client/src/index.ts';
import { createFetch } from '../../../client/src/relay/index.ts';
import { TestClock } from '../../support/clock.ts';
import { createMemoryLedger } from '../../support/memoryLedger.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const HOUR_MS = 60 * 60 * 1000;

const clock = new TestClock(0, Date.now() - 1_000);
const testGraph = useTestGraph({}, undefined, { ledger: createMemoryLedger({ clock }) });

const REQUEST = {
  operationKind: 'mutation',
  name: 'Create',
  id: null,
  text: `mutation Create($input: ContactCreateInput!) {
    contactCreate(input: $input) { __typename ... on ContactCreatePayload { effect recordIds { value } } }
  }`,
} as RequestParameters;

/** Sends one attempt with the client package. Resolves to the effect, or the code of the error. */
async function create(intent: Intent): Promise<string> {
  const send = createFetch({ url: `${testGraph.url}/graphql`, headers: () => ({ authorization: 'Bearer demo-owner' }) });
  const response = send(REQUEST, { input: { lastName: 'Once' } }, { metadata: { intent } });
  // biome-ignore lint/suspicious/noExplicitAny: the payload of a mutation
  const result: any = await Observable.from(response)
    .toPromise()
    .catch((error: unknown) => error);
  return result.data?.contactCreate?.effect ?? getGraphErrors(result)[0]?.code;
}

it('applies an intent once that the client retries after the graph has forgotten it, also after a reload', async () => {
  const intent = createIntent();
  expect(await create(intent)).toBe('DONE');
  clock.now += 22 * HOUR_MS;
  expect(await create(intent)).toBe('REPLAYED');
  clock.now += 3 * HOUR_MS;
  expect(await create(intent)).toBe('IDEMPOTENCY_KEY_EXPIRED');
  const stored = JSON.parse(JSON.stringify(intent));
  expect(await create(stored)).toBe('IDEMPOTENCY_KEY_EXPIRED');
  expect(testGraph.gate.sent('Contact/CreateContact')).toBe(1);
});

it('rejects an intent of a device whose clock is wrong, unsent', async () => {
  const sent = testGraph.gate.sent('Contact/CreateContact');
  for (const hours of [-48, 48])
    expect(await create({ key: `created:${clock.now + hours * HOUR_MS}:${hours}` })).toBe('IDEMPOTENCY_KEY_EXPIRED');
  expect(testGraph.gate.sent('Contact/CreateContact')).toBe(sent);
});
