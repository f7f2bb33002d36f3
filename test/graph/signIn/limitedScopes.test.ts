import { afterAll, describe, expect, it } from 'vitest';
import { createValidInput } from '../../support/contract/inputs.ts';
import { EACH } from '../../support/contract/mutations.ts';
import { Records } from '../../support/contract/records.ts';
import { RESOURCE, startIdentityProvider } from '../../support/identityProvider.ts';
import { AssignmentFile, createSignInSettings } from '../../support/signIn.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { connectTools } from '../../support/toolClient.ts';

const provider = await startIdentityProvider();
afterAll(() => provider.close());
const assignments = new AssignmentFile({
  none: { key: 'demo-owner', scopes: [] },
  invalid: { key: 'demo-owner', scopes: 'customer:read' },
  misspelled: { key: 'demo-owner', scope: ['customer:read'] },
  clerk: { key: 'demo-owner', scopes: ['me:read', 'customer:read', 'action_request:read', 'member:remove'] },
  /** Limited to more than the key has. */
  reader: { key: 'demo-reader', scopes: ['me:read', 'quote:confirm'] },
});
const testGraph = useTestGraph({}, undefined, {
  env: { ...createSignInSettings(provider, assignments), MCP: 'true', MCP_WRITES: 'direct' },
});

const executeAs = async (subject: string, query: string, variables = {}) =>
  testGraph.executeAs(await provider.issue(subject), query, variables);

const CUSTOMERS = '{ customers(first: 1) { nodes { title } } }';

describe('accounts with limited scopes', () => {
  it.each(EACH)('can’t send mutations without their scopes: %s', async (_title, { field, input, document }) => {
    const records = new Records({ url: testGraph.sandbox.url, world: testGraph.sandbox.world });
    const variables = { input: { ...(await createValidInput(field, input, undefined, records)), idempotencyKey: `limited ${field}` } };
    const [{ data }, calls] = await testGraph.recordCalls(() => executeAs('none', document, variables));
    expect(data[field]).toMatchObject({ code: 'FORBIDDEN', reason: expect.stringMatching(/^(ACCOUNT|UNDOCUMENTED)_SCOPE$/) });
    expect(calls).toEqual([]);
  });

  it('can read what they are allowed', async () => {
    expect((await executeAs('clerk', CUSTOMERS)).data.customers.nodes).toHaveLength(1);
    const { errors } = await executeAs('clerk', '{ products(first: 1) { nodes { id } } }');
    expect(errors?.[0]).toMatchObject({
      message: 'Your account isn’t allowed `catalog:read`. Contact your workspace administrator.',
      extensions: { code: 'FORBIDDEN', reason: 'ACCOUNT_SCOPE', missingScopes: ['catalog:read'] },
    });
  });

  it.each(['invalid', 'misspelled'])('receive NO_KEY_ASSIGNED if the list of scopes is %s', async (subject) => {
    const [{ errors }, calls] = await testGraph.recordCalls(() => executeAs(subject, CUSTOMERS));
    expect([errors?.[0]?.extensions.reason, calls]).toEqual(['NO_KEY_ASSIGNED', []]);
  });

  it('need the assumed scopes for reads whose scopes aren’t documented, and can’t send such writes', async () => {
    const requests = '{ actionRequests(first: 1) { nodes { id } } }';
    expect((await executeAs('clerk', requests)).errors).toBeUndefined();
    expect((await executeAs('reader', requests)).errors?.[0]?.extensions).toMatchObject({
      reason: 'ACCOUNT_SCOPE',
      missingScopes: ['action_request:read'],
    });
    expect((await executeAs('clerk', '{ companyProfile { legalName } }')).errors).toBeUndefined();
    const remove = `mutation { memberRemove(input: { memberId: "x", idempotencyKey: "remove" }) { ... on ForbiddenError { reason } } }`;
    const [removed, calls] = await testGraph.recordCalls(() => executeAs('clerk', remove));
    expect([removed.data.memberRemove, calls]).toEqual([{ reason: 'UNDOCUMENTED_SCOPE' }, []]);
  });

  it('see their own scopes, which are at most those of the key', async () => {
    const query = `{ viewer { scopes } viewerCan(coordinates: ["Query.customers", "Query.products", "Mutation.quoteConfirm", "Mutation.memberRemove", "Query.companyProfile"]) { can missingScopes } }`;
    const { viewer, viewerCan } = (await executeAs('clerk', query)).data;
    expect(viewer.scopes.toSorted()).toEqual(['action_request:read', 'customer:read', 'me:read', 'member:remove']);
    expect(viewerCan).toEqual([
      { can: 'YES', missingScopes: [] },
      { can: 'NO', missingScopes: ['catalog:read'] },
      { can: 'NO', missingScopes: ['quote:confirm'] },
      { can: 'NO', missingScopes: [] },
      { can: 'UNKNOWN', missingScopes: [] },
    ]);
    const other = (await executeAs('reader', query)).data;
    expect(other.viewer.scopes).toEqual(['me:read']);
    expect(other.viewerCan[2]).toEqual({ can: 'NO', missingScopes: ['quote:confirm'] });
  });

  it('list only the tools that they can use', async () => {
    const listFor = async (subject: string) => {
      const tools = await connectTools(testGraph.url, await provider.issue(subject, { claims: { aud: `${RESOURCE}/mcp` } }));
      const names = await tools.names();
      await tools.close();
      return names;
    };
    expect(await listFor('clerk')).toEqual(['svc_find_customer']);
    expect(await listFor('none')).toEqual([]);
  });
});
