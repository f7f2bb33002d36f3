import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const CUSTOMER_ID = demoId('customer 0');

const CREATE = `mutation ($input: CustomerCommentCreateInput!) {
  customerCommentCreate(input: $input) {
    __typename
    ... on CustomerCommentCreatePayload {
      comment { rawId body author { displayName } attachments { rawId } createdAt updatedAt customer { id } history { body } }
      effect
    }
    ... on ValidationError { issues { path message } }
    ... on NotFoundError { missingId path }
    ... on ForbiddenError { reason requiredScopes missingScopes }
    ... on MutationError { code }
  }
}`;

const create = async (input: object, key = 'demo-owner') =>
  (await testGraph.executeAs(key, CREATE, { input: { customerId: CUSTOMER_ID, body: 'Noted.', ...input } })).data.customerCommentCreate;

describe('Customer.comments', () => {
  const READ = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    customer(id: $id) { comments(first: $first, after: $after, last: $last, before: $before) {
      nodes { rawId body createdAt customer { rawId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    } }
  }`;
  const read = async (variables: object) => (await testGraph.execute(READ, { id: CUSTOMER_ID, ...variables })).data.customer.comments;

  it('fetches each page in one call, newest first, without fetching the customer', async () => {
    const [first, calls] = await testGraph.recordCalls(() => read({ first: 20 }));
    const [second, nextCalls] = await testGraph.recordCalls(() => read({ first: 20, after: first.pageInfo.endCursor }));
    expect([calls, nextCalls]).toEqual([['Customer/ListCustomerComments'], ['Customer/ListCustomerComments']]);
    const nodes: { rawId: string; createdAt: string; customer: object }[] = [...first.nodes, ...second.nodes];
    expect(nodes).toHaveLength(32);
    expect(new Set(nodes.map(({ rawId }) => rawId)).size).toBe(32);
    expect(nodes[0]?.customer).toEqual({ rawId: CUSTOMER_ID });
    const timestamps = nodes.map(({ createdAt }) => createdAt);
    expect(timestamps).toEqual(timestamps.toSorted().toReversed());
    expect([first, second].map(({ pageInfo }) => pageInfo.hasNextPage)).toEqual([true, false]);
  });
});

describe('CustomerComment.history', () => {
  it('lists all versions, newest first, with one call per comment', async () => {
    const query = `query ($id: ID!) { customer(id: $id) { comments(first: 100) {
      nodes { body author { displayName } createdAt updatedAt history { rawId body author { displayName } writtenAt } } } } }`;
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(query, { id: CUSTOMER_ID }));
    const { nodes } = data.customer.comments;
    const edited = nodes.filter(({ history }: { history: object[] }) => history.length > 1);
    expect(edited.length).toBeGreaterThan(0);
    for (const { body, author, createdAt, updatedAt, history } of edited) {
      expect(history[0]).toMatchObject({ body, author, writtenAt: updatedAt });
      expect(history.at(-1)).toMatchObject({ author, writtenAt: createdAt });
      expect(history[0].rawId).not.toBe(history[1].rawId);
    }
    expect(calls).toEqual(['Customer/ListCustomerComments', ...Array(32).fill('Customer/ListCustomerCommentHistory')]);
  });
});

describe('CustomerComment.attachments', () => {
  const read = (files: string, key = 'demo-owner') =>
    testGraph.recordCalls(() =>
      testGraph.executeAs(key, `query ($id: ID!) { customer(id: $id) { comments(first: 2) { nodes { attachments { ${files} } } } } }`, {
        id: CUSTOMER_ID,
      }),
    );

  it('resolves the files of all comments of a customer with one call', async () => {
    const attachmentIds = [demoId('file 1'), demoId('file 0')];
    await create({ attachmentIds });
    await create({ attachmentIds: [attachmentIds[1]] });
    const [{ data, errors }, calls] = await read('rawId fileName customer { rawId }');
    expect([errors, calls]).toEqual([undefined, ['Customer/ListCustomerComments', 'Customer/ListCustomerFiles']]);
    const [{ attachments: last }, { attachments: first }] = data.customer.comments.nodes;
    expect(first.map(({ rawId }: { rawId: string }) => rawId)).toEqual(attachmentIds);
    expect(last).toEqual([first[1]]);
    expect(first[0]).toMatchObject({ fileName: expect.stringMatching(/./), customer: { rawId: CUSTOMER_ID } });
  });

  it('resolves IDs and download URLs without listing the files', async () => {
    await create({ attachmentIds: [demoId('file 0')] });
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'customer:read', 'customer_comment:read'] });
    const [{ data, errors }, calls] = await read('rawId', key);
    expect([errors, calls]).toEqual([undefined, ['Customer/ListCustomerComments']]);
    expect(data.customer.comments.nodes[0]).toEqual({ attachments: [{ rawId: demoId('file 0') }] });
    await create({ attachmentIds: [demoId('file 1')] });
    const [links, linkCalls] = await read('id downloadUrl');
    expect(links.data.customer.comments.nodes[0].attachments).toEqual([
      { id: toGlobalId('CustomerFile', demoId('file 1')), downloadUrl: expect.stringMatching(/^http/) },
    ]);
    expect(linkCalls).not.toContain('Customer/ListCustomerFiles');
  });

  it('resolves to null with an error for a key that can’t list files', async () => {
    await create({ attachmentIds: [demoId('file 0')] });
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'customer:read', 'customer_comment:read'] });
    const [{ data, errors }, calls] = await read('fileName', key);
    expect(data.customer.comments.nodes[0]).toEqual({ attachments: null });
    expect([errors?.[0]?.extensions.code, calls]).toEqual(['FORBIDDEN', ['Customer/ListCustomerComments']]);
  });

  it('resolves to null in place of a file that no longer exists, and scans later pages for older files', async () => {
    await create({ attachmentIds: [demoId('file 0'), demoId('file 1')] });
    const list = (ids: readonly string[], page: number, hasMore: boolean) =>
      testGraph.sandbox.faults.add({
        operation: 'Customer/ListCustomerFiles',
        status: 200,
        body: JSON.stringify({ files: ids.map((id) => ({ id, fileName: `${id}.pdf` })), page, pageSize: 100, hasMore }),
        times: 1,
      });
    list(['other'], 1, true);
    list([demoId('file 1')], 2, false);
    const [{ data, errors }, calls] = await read('rawId fileName');
    expect(errors).toBeUndefined();
    expect(data.customer.comments.nodes[0].attachments).toEqual([null, { rawId: demoId('file 1'), fileName: `${demoId('file 1')}.pdf` }]);
    expect(calls).toEqual(['Customer/ListCustomerComments', 'Customer/ListCustomerFiles', 'Customer/ListCustomerFiles']);
  });
});

describe('Mutation.customerCommentCreate', () => {
  it('creates a comment with attachments that is listed first', async () => {
    const attachmentIds = [demoId('file 1'), demoId('file 0')];
    const [result, calls] = await testGraph.recordCalls(() =>
      create({ customerId: toGlobalId('Customer', CUSTOMER_ID), body: 'See these.', attachmentIds }),
    );
    expect(result).toMatchObject({
      __typename: 'CustomerCommentCreatePayload',
      effect: 'DONE',
      comment: {
        body: 'See these.',
        author: { displayName: 'Ada Adler' },
        attachments: attachmentIds.map((rawId) => ({ rawId })),
        createdAt: '2026-03-02T09:00:00Z',
        updatedAt: '2026-03-02T09:00:00Z',
        customer: { id: toGlobalId('Customer', CUSTOMER_ID) },
        history: [{ body: 'See these.' }],
      },
    });
    expect(calls).toEqual(['Customer/CreateCustomerComment', 'Customer/ListCustomerCommentHistory']);
    const { data } = await testGraph.execute('query ($id: ID!) { customer(id: $id) { comments(first: 1) { nodes { rawId } } } }', {
      id: CUSTOMER_ID,
    });
    expect(data.customer.comments.nodes).toEqual([{ rawId: result.comment.rawId }]);
  });

  it('requires customer_file:read only with attachments', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'customer_comment:create', 'customer_comment:read'] });
    expect(await create({ attachmentIds: [] }, key)).toMatchObject({ __typename: 'CustomerCommentCreatePayload' });
    const [result, calls] = await testGraph.recordCalls(() => create({ attachmentIds: [demoId('file 0')] }, key));
    expect(result).toMatchObject({
      __typename: 'ForbiddenError',
      reason: 'MISSING_SCOPE',
      requiredScopes: ['customer_comment:create', 'customer_file:read'],
      missingScopes: ['customer_file:read'],
    });
    expect(calls).toEqual([]);
  });

  it('reports both missing scopes without an upstream call', async () => {
    const key = makeKey(testGraph.sandbox.world, { scopes: ['me:read', 'customer:read'] });
    const [result, calls] = await testGraph.recordCalls(() => create({ attachmentIds: [demoId('file 0')] }, key));
    expect(result).toMatchObject({ missingScopes: ['customer_comment:create', 'customer_file:read'] });
    expect(calls).toEqual([]);
  });

  it.each([['a customer ID as an attachment', { attachmentIds: ['f', toGlobalId('Customer', 'c')] }, { path: ['attachmentIds', '1'] }]])(
    'rejects %s without an upstream call',
    async (_case, input, issue) => {
      const [result, calls] = await testGraph.recordCalls(() => create(input));
      expect(result).toMatchObject({ __typename: 'ValidationError', issues: [issue] });
      expect(calls).toEqual([]);
    },
  );

  it('counts an emoji as one character and accepts 20,000', async () => {
    expect(await create({ body: '🙂'.repeat(20_000) })).toMatchObject({ __typename: 'CustomerCommentCreatePayload' });
  });
});
