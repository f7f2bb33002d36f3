import { toWords } from '../../lib/words.ts';
import { type ChangeSource, LIVE_TYPES, type LiveType } from '../../live/changes.ts';
import type { DeliveredSignal } from '../../live/requestLive.ts';
import { builder } from '../kit/builder.ts';
import { describeValues } from '../kit/enums.ts';
import { toGlobalId } from '../kit/globalIds.ts';

const NOTES: Readonly<Partial<Record<LiveType, string>>> = { Customer: 'Customers and portfolios, with the IDs of customers.' };

/** The internal values are the names of the types in the code. */
export const LiveTypeEnum = builder.enumType('LiveType', {
  description: 'A type whose changes are signaled.',
  values: Object.fromEntries(
    LIVE_TYPES.map((name) => [
      name.replaceAll(/(?<=.)(?=[A-Z])/g, '_').toUpperCase(),
      { value: name, description: NOTES[name] ?? `${toWords(`${name}s`).replace(/^./, (first) => first.toUpperCase())}.` },
    ]),
  ) as Readonly<Record<string, { readonly value: LiveType; readonly description: string }>>,
});

const ChangeSourceEnum = builder.enumType('ChangeSource', {
  description: 'Where a change became known.',
  values: describeValues({
    GRAPH: 'A mutation of this graph.',
    POLL: 'The analytics index of the Workspace API, which is polled for changes that were made elsewhere.',
  } satisfies Record<ChangeSource, string>),
});

export const RecordsChanged = builder.objectRef<DeliveredSignal>('RecordsChanged').implement({
  description: 'A signal to refetch. Without `ids` and with `isTruncated: false`, it’s a heartbeat.',
  fields: (t) => ({
    ids: t.idList({
      nullable: false,
      description: 'Global IDs of records that may have changed. Records may be new, or no longer exist.',
      resolve: ({ changes }) => changes.flatMap(({ type, ids }) => ids.map((id) => toGlobalId(type, id))),
    }),
    isTruncated: t.boolean({
      nullable: false,
      description: 'Whether more records may have changed than `ids` lists. Refetch everything that the subscription is for.',
      resolve: ({ changes }) => changes.some(({ isTruncated }) => isTruncated),
    }),
    source: t.expose('source', {
      type: ChangeSourceEnum,
      nullable: true,
      description: 'Where the change became known. Null for the first signal of a subscription and for heartbeats.',
    }),
    staleness: t.exposeInt('staleness', {
      nullable: true,
      description: 'Seconds since changes made elsewhere were last polled for. Null if they aren’t polled for.',
    }),
  }),
});
