import { describe, expect, it } from 'vitest';
import { spec } from '../../support/spec.ts';
import { demoId, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

interface Comment {
  readonly id: string;
  readonly body: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly attachments?: string[];
}

const customer = async (): Promise<string> => (await call('Customer/CreateCustomer', { title: 'Comments' })).body.customer.id;
const comment = (customerId: string, body: string, attachments: string[] = []) =>
  call('Customer/CreateCustomerComment', { customerId, body, attachments });
const listComments = async (customerId: string, request = {}): Promise<Comment[]> =>
  (await call('Customer/ListCustomerComments', { customerId, ...request })).body.comments ?? [];
const listHistory = (commentId: string) => call('Customer/ListCustomerCommentHistory', { commentId });

describe('Customer/CreateCustomerComment', () => {
  it('adds a comment in the name of the key’s account, and a timeline event', spec('4.2.10', '6.2'), async () => {
    const customerId = await customer();
    const { status, body } = await comment(customerId, 'Rang the bell.');
    expect({ status, comment: body.comment }).toMatchObject({
      status: 200,
      comment: { customerId, body: 'Rang the bell.', authorName: 'Ada Adler', createdAt: String(opened.sandbox.now) },
    });
    expect(await listComments(customerId)).toEqual([body.comment]);
    const timeline = await call('Customer/ListCustomerTimelineEvents', { customerId });
    expect(timeline.body.events[0]).toMatchObject({ eventType: 'comment_created', entityType: 'comment', entityId: body.comment.id });
    expect(timeline.body.events[0].summary).not.toContain('Rang');
  });

  it('attaches files of the same customer', async () => {
    const attachments = [demoId('file 1'), demoId('file 0')];
    const { body } = await comment(demoId('customer 0'), 'See the reports.', attachments);
    expect(body.comment.attachments).toEqual(attachments);
  });

  it('rejects unknown files and those of another customer, and adds nothing', async () => {
    const customerId = await customer();
    for (const fileId of [demoId('file 0'), 'no-such-file']) {
      const { status, body } = await comment(customerId, 'With a file.', [fileId]);
      expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringContaining(fileId) });
    }
    expect(await listComments(customerId)).toEqual([]);
  });

  it('requires the scope for reading files if there are attachments', spec('4.2.11', '5.7'), async () => {
    const customerId = demoId('customer 0');
    expect((await callAs('demo-creator', 'Customer/CreateCustomerComment', { customerId, body: 'No file.' })).status).toBe(200);
    const withFile = { customerId, body: 'A file.', attachments: [demoId('file 0')] };
    const { status, body } = await callAs('demo-creator', 'Customer/CreateCustomerComment', withFile);
    expect({ status, message: body.message }).toEqual({ status: 403, message: expect.stringContaining('customer_file:read') });
  });

  it('rejects a blank text, more than 20,000 characters, and an unknown customer', async () => {
    const customerId = await customer();
    expect((await comment(customerId, ' \n')).status).toBe(400);
    expect((await comment(customerId, 'x'.repeat(20_001))).status).toBe(400);
    expect((await comment(customerId, 'x'.repeat(20_000))).status).toBe(200);
    expect((await comment('absent', 'Hello')).status).toBe(404);
  });
});

describe('Customer/ListCustomerComments', () => {
  it('lists comments, newest first', spec('4.2.10'), async () => {
    const customerId = await customer();
    for (const body of ['first', 'second']) await comment(customerId, body);
    opened.sandbox.now += 1;
    await comment(customerId, 'third');
    expect((await listComments(customerId)).map(({ body }) => body)).toEqual(['third', 'second', 'first']);
  });

  it('paginates without gaps, and returns hasMore', async () => {
    const customerId = demoId('customer 0');
    const whole = await listComments(customerId, { pageSize: 100 });
    expect(whole.length).toBeGreaterThan(30);
    const first = await call('Customer/ListCustomerComments', { customerId });
    expect(first.body).toMatchObject({ page: 1, pageSize: 25, hasMore: true });
    const second = await call('Customer/ListCustomerComments', { customerId, page: 2 });
    expect(second.body.hasMore ?? false).toBe(false);
    expect([...first.body.comments, ...second.body.comments]).toEqual(whole);
  });

  it('returns not found for customers of another workspace', async () => {
    expect((await callAs('demo-neighbour', 'Customer/ListCustomerComments', { customerId: demoId('customer 0') })).status).toBe(404);
  });
});

describe('Customer/ListCustomerCommentHistory', () => {
  it('returns the text of an unedited comment', async () => {
    const { body } = await comment(await customer(), 'Only text');
    const { revisions } = (await listHistory(body.comment.id)).body;
    expect(revisions).toMatchObject([
      { commentId: body.comment.id, body: 'Only text', authorName: 'Ada Adler', writtenAt: body.comment.createdAt },
    ]);
  });

  it('returns every text of an edited comment, newest first', spec('4.2.10'), async () => {
    opened.requiresDemoData();
    const edited = (await listComments(demoId('customer 0'), { pageSize: 100 })).filter(
      ({ createdAt, updatedAt }) => createdAt !== updatedAt,
    );
    expect(edited.length).toBeGreaterThan(0);
    for (const { id, body, createdAt, updatedAt } of edited) {
      const { revisions } = (await listHistory(id)).body;
      expect(revisions).toMatchObject([{ body, writtenAt: updatedAt }, { writtenAt: createdAt }]);
      expect(revisions[1].body).not.toBe(body);
    }
  });

  it('returns not found for unknown comments and those of another workspace', async () => {
    const { body } = await comment(await customer(), 'Ours');
    expect((await listHistory('no-such-comment')).status).toBe(404);
    expect((await callAs('demo-neighbour', 'Customer/ListCustomerCommentHistory', { commentId: body.comment.id })).status).toBe(404);
  });
});
