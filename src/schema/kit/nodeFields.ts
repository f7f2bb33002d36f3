import { invalidInput } from '../../failures/failures.ts';
import { toWords } from '../../lib/words.ts';
import { builder } from './builder.ts';
import { withArticle } from './globalIds.ts';
import { MAX_LOOKUPS, NODE_TYPE, resolveNode } from './nodes.ts';
import { listEntities } from './registry.ts';
import type { SizeExtensions } from './valueSizes.ts';

// Types that several raw IDs identify together have no `rawId`.
const names = listEntities()
  .filter(({ key }) => key.length === 1)
  .map(({ name }) => name)
  .sort();

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The types that `nodes` looks up by raw ID. The internal values are the names of the types in the code. */
const NodeType = builder.enumType(NODE_TYPE, {
  description: 'A type whose objects can be looked up by raw ID with `nodes`.',
  values: Object.fromEntries(
    names.map((name) => [
      name.replaceAll(/(?<=.)(?=[A-Z])/g, '_').toUpperCase(),
      { value: name, description: `${capitalize(withArticle(toWords(name)))}.` },
    ]),
  ),
});

builder.queryFields((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    description: 'Looks up an object by its global ID. Null if it doesn’t exist.',
    // No other arguments, because Relay's compiler rejects a `node` that has more than `id`.
    args: { id: t.arg.id({ required: true, description: 'Global ID, as returned by `id` fields.' }) },
    resolve: (_root, { id }, context, info) => resolveNode({ id }, ['id'], context, info),
  }),

  nodes: t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description: `Looks up objects by their global IDs, or by type and raw IDs, in the same order. Null for each object that doesn’t exist. Up to ${MAX_LOOKUPS} IDs.`,
    args: {
      ids: t.arg.idList({
        required: true,
        description: 'Global IDs, as returned by `id` fields. With `nodeType`, also raw IDs.',
        extensions: { maxItems: MAX_LOOKUPS } satisfies SizeExtensions,
      }),
      nodeType: t.arg({
        type: NodeType,
        description: 'Type of the objects. Set it to look up raw IDs, such as those in webhooks and exports of the Workspace API.',
      }),
    },
    extensions: { assumedSize: MAX_LOOKUPS },
    resolve: (_root, { ids, nodeType }, context, info) => {
      if (ids.length > MAX_LOOKUPS)
        throw invalidInput(['ids'], 'TOO_LONG', `must have at most ${MAX_LOOKUPS} entries, but has ${ids.length}.`, MAX_LOOKUPS);
      return ids.map((id, index) => resolveNode({ id, type: nodeType }, ['ids', String(index)], context, info));
    },
  }),
}));
