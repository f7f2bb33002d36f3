import { describe, expect, it } from 'vitest';
import { memberTable } from '../../../sandbox/kernel/memberships.ts';
import { PublicMemberKind } from '../../../src/upstream/contract/generated/publicapi/v1/members_pb.ts';
import { makeCatalog } from '../../support/catalogs.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const LIST = 'Member/ListMembers';
const GET = 'Member/GetMember';

const BY_REFERENCE = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Member { rawId displayName } } }';

const testGraph = useTestGraph();

/** Creates a workspace with `count` members in addition to the owner of its key. */
function makeMembers(count: number) {
  const { store } = testGraph.sandbox.world;
  const { key } = makeCatalog(testGraph.sandbox.world, 0);
  const workspaceId = key.replace(/-key$/, '');
  const ids = Array.from({ length: count }, (_, index) => `${workspaceId} member ${String(index).padStart(3, '0')}`);
  for (const id of ids) {
    const values = { name: id, email: `${id.replaceAll(' ', '.')}@example.com`, kind: PublicMemberKind.PERSON, joined_at: 0 };
    memberTable.insert(store, { ...values, id, workspace_id: workspaceId } as never);
  }
  return { key, ids };
}

/** Reads members by reference. Returns the number of lists and gets, and the reported number of saved calls. */
async function readAll(key: string, ids: readonly string[]): Promise<readonly [lists: number, gets: number, saved: number]> {
  const of = ids.map((rawId) => ({ __typename: 'Member', rawId }));
  const [{ data, errors, cost }, calls] = await testGraph.recordCalls(() => testGraph.executeAs(key, BY_REFERENCE, { of }));
  expect(errors).toBeUndefined();
  expect((data._entities as { rawId: string }[]).map(({ rawId }) => rawId)).toEqual(ids);
  const count = (operation: string) => calls.filter((name) => name === operation).length;
  return [count(LIST), count(GET), cost?.savedCalls ?? 0];
}

describe('truncated list without further pages', () => {
  it('replaces many gets', async () => {
    const { key, ids } = makeMembers(60);
    expect(await readAll(key, ids.slice(0, 30))).toEqual([1, 1, 28]);
    expect(await readAll(key, ids.slice(20, 50))).toEqual([1, 0, 29]);
  });

  it('costs one call, plus one per missing record', async () => {
    const { key, ids } = makeMembers(130);
    const last = ids.slice(60);
    // The list contains the first 100 members by name, one of whom is the owner of the key, and 39 of the requested ones.
    expect(await readAll(key, last)).toEqual([1, 1 + 31, 37]);
    // The graph doesn't know that the list never contains the others.
    expect(await readAll(key, last)).toEqual([1, 31, 38]);
  });
});
