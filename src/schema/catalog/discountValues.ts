import type { PublicDiscountDurationModeJson, PublicDiscountTypeJson } from '../../upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import { builder } from '../kit/builder.ts';
import { toDecimal } from '../kit/decimals.ts';
import { wireEnum } from '../kit/enums.ts';
import { Money, toMoney } from '../kit/money.ts';

const DiscountKind = wireEnum<PublicDiscountTypeJson>()('DiscountKind', {
  description: 'The way in which a discount is counted.',
  prefix: 'PUBLIC_DISCOUNT_TYPE',
  members: {
    PERCENTAGE: 'As a percentage.',
    FIXED: 'As an amount of money.',
    OTHER: 'In a way that this graph does not know: see `kindText`.',
  },
});

const DiscountDuration = wireEnum<PublicDiscountDurationModeJson>()('DiscountDuration', {
  description: 'The time for which a recurring discount lasts.',
  prefix: 'PUBLIC_DISCOUNT_DURATION_MODE',
  members: {
    CONTRACT_LONG: 'As long as the contract.',
    PERMANENT: 'For good.',
    OTHER: 'In a way that this graph does not know: see `durationText`.',
  },
});

/** A discount as the upstream tells it: a number, and beside it how it is counted. */
interface WireValue {
  /** A percentage, or minor units. */
  readonly figure: string | number | undefined;
  readonly type: PublicDiscountTypeJson | undefined;
  /** Of a fixed amount; undefined where the upstream tells none. */
  readonly currency?: string | undefined;
  readonly duration?: PublicDiscountDurationModeJson | undefined;
}

const kindOf = ({ type }: WireValue) => DiscountKind.fromWire(type) ?? 'OTHER';

/** Shows how much a discount takes off; a value that is null where `toDiscountValue` says that there is none. */
export const DiscountValue = builder.objectRef<WireValue>('DiscountValue').implement({
  description: 'The value of a discount: a percentage, or an amount.',
  fields: (t) => ({
    kind: t.field({
      type: DiscountKind.ref,
      nullable: false,
      description: 'The way in which it is counted, which tells which of the fields below has a value.',
      resolve: kindOf,
    }),
    kindText: t.string({
      description: 'The kind as the Workspace API spells it; useful when `kind` is OTHER.',
      resolve: ({ type }) => DiscountKind.toText(type),
    }),
    percentage: t.field({
      type: 'Decimal',
      description: 'The percentage, such as 7.5; null unless `kind` is PERCENTAGE.',
      resolve: (value) => (kindOf(value) === 'PERCENTAGE' ? toDecimal(value.figure) : null),
    }),
    amount: t.field({
      type: Money,
      description:
        'The amount; null unless `kind` is FIXED. Null too for the amounts that a `Discount` has for all countries: those are in the currency of the quote that gives it, and `Quote.discounts` tells what they came to.',
      resolve: (value) => (kindOf(value) === 'FIXED' ? toMoney(value.figure, value.currency) : null),
    }),
    duration: t.field({
      type: DiscountDuration.ref,
      description: 'The time for which a recurring discount lasts; null when it is not told.',
      resolve: ({ duration }) => DiscountDuration.fromWire(duration),
    }),
    durationText: t.string({
      description: 'The duration as the Workspace API spells it; useful when `duration` is OTHER.',
      resolve: ({ duration }) => DiscountDuration.toText(duration),
    }),
  }),
});

/** The value of a discount; null when there is none, which the upstream tells as 0 of no type. */
export const toDiscountValue = (value: WireValue): WireValue | null =>
  Number(value.figure ?? 0) === 0 && DiscountKind.toText(value.type) === null ? null : value;
