import { invalidInput } from '../../failures/failures.ts';
import { builder } from '../../schema/kit/builder.ts';
import { NULL_ONLY_WITH_ERROR } from '../../schema/kit/nullability.ts';
import type { SizeExtensions } from '../../schema/kit/valueSizes.ts';
import { getCoordinateOperations } from '../../schema/scopeRequirements.ts';
import { ViewerCan } from '../../schema/workspace/viewerCan.ts';

/** Maximum number of coordinates in one request. Chosen: more than one page needs. */
const MAX_COORDINATES = 200;

builder.queryField('viewerCan', (t) =>
  t.field({
    type: [ViewerCan],
    nullable: { list: true, items: false },
    description: `Checks whether the caller’s scopes allow it to use parts of the graph, so that pages can hide what would be rejected. Up to ${MAX_COORDINATES} coordinates.`,
    args: {
      coordinates: t.arg.stringList({
        required: true,
        description:
          'Schema coordinates of the parts, such as `Mutation.quoteConfirm`, `Customer.quotes`, or `Quote` for looking up a quote by ID.',
        extensions: { maxItems: MAX_COORDINATES } satisfies SizeExtensions,
      }),
    },
    extensions: { ...NULL_ONLY_WITH_ERROR, assumedSize: MAX_COORDINATES },
    resolve: async (_root, { coordinates }, { upstream }, { schema }) => {
      if (coordinates.length > MAX_COORDINATES)
        throw invalidInput(
          ['coordinates'],
          'TOO_LONG',
          `must have at most ${MAX_COORDINATES} entries, but has ${coordinates.length}.`,
          MAX_COORDINATES,
        );
      return Promise.all(
        coordinates.map(async (coordinate, index) => {
          const operations = getCoordinateOperations(schema, coordinate);
          if (operations) return { coordinate, ...(await upstream.access.check(operations)) };
          throw invalidInput(
            ['coordinates', String(index)],
            'NOT_ALLOWED',
            'must be a type or a field of the schema, such as Mutation.quoteConfirm.',
          );
        }),
      );
    },
  }),
);
