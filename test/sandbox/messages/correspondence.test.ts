import { describe, expect, it } from 'vitest';
import { listSentMessages } from '../../../sandbox/kernel/outbox.ts';
import { spec } from '../../support/spec.ts';
import { MISSING, summarizeError } from '../errors.ts';
import { demoId, START, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call } = opened;

const add = (request: object) => call('Correspondence/AddCorrespondenceMessage', request);
const listStoredIds = () => opened.sandbox.world.store.all<{ id: string }>('SELECT id FROM correspondence_messages').map(({ id }) => id);

describe('correspondence message', () => {
  it('adds a record, and sends nothing', spec('4.10.7'), async () => {
    opened.requiresDemoData();
    const message = { customerId: demoId('customer 0'), subject: 'Your question', body: 'Until Monday.' };
    const { correspondenceMessage } = (await add(message)).body;
    expect(correspondenceMessage).toEqual({ ...message, id: expect.any(String), createdAt: String(START) });
    expect(listStoredIds()).toContain(correspondenceMessage.id);
    expect(listSentMessages(opened.sandbox.world.store)).toEqual([]);
  });

  it('adds another record when repeated', async () => {
    const message = { customerId: demoId('customer 0'), body: 'Until Tuesday.' };
    const ids = [(await add(message)).body.correspondenceMessage.id, (await add(message)).body.correspondenceMessage.id];
    expect(new Set(ids).size).toBe(2);
  });

  it('returns not found for an unknown customer', async () => {
    const before = listStoredIds();
    expect(summarizeError(await add({ customerId: 'absent', body: 'Hello' }))).toEqual(MISSING);
    expect(listStoredIds()).toEqual(before);
  });
});
