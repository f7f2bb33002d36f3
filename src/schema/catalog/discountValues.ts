import type { PublicDiscountDurationModeJson, PublicDiscountTypeJson } from '../../upstream/contract/generated/publicapi/v1/catalog_pb.ts';
import { builder } from '../kit/builder.ts';
import { toDecimal } from '../kit/decimals.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { Money, toMoney } from '../kit/money.ts';

const DiscountKind = defineWireEnum('DiscountKind', 'PublicDiscountType', {
  description: 'How the value of a discount is expressed.',
  members: {
    PERCENTAGE: 'A percentage of the price.',
    FIXED: 'A fixed amount of money.',
    OTHER: 'A kind that isn’t in this schema yet. See `kindText`.',
  },
});

const DiscountDuration = defineWireEnum('DiscountDuration', 'PublicDiscountDurationMode', {
  description: 'How long a recurring discount lasts.',
  members: {
    CONTRACT_LONG: 'For the duration of the contract.',
    PERMANENT: 'Indefinitely.',
    OTHER: 'A duration that isn’t in this schema yet. See `durationText`.',
  },
});

/** A discount as the upstream returns it: a number and its type. */
interface DiscountShape {
  /** A percentage, or minor units. */
  readonly value: string | number;
  readonly type: PublicDiscountTypeJson;
  /** Currency of a fixed amount. Undefined if the discount has no currency of its own. */
  readonly currency?: string;
  /** Undefined for one-off discounts. */
  readonly duration?: PublicDiscountDurationModeJson;
}

const getKind = ({ type }: DiscountShape) => DiscountKind.fromWire(type) ?? 'OTHER';

/** The value of a discount. `toDiscountValue` returns null if there is none. */
export const DiscountValue = builder.objectRef<DiscountShape>('DiscountValue').implement({
  description: 'The value of a discount: a percentage or a fixed amount.',
  fields: (t) => ({
    kind: t.field({
      type: DiscountKind.ref,
      nullable: false,
      description: 'Whether the value is a percentage or a fixed amount. Determines which of `percentage` and `amount` is set.',
      resolve: getKind,
    }),
    kindText: t.string({
      description: 'Raw value of `kind` from the Workspace API. Useful if `kind` is `OTHER`.',
      resolve: ({ type }) => DiscountKind.toText(type),
    }),
    percentage: t.field({
      type: 'Decimal',
      description: 'Percentage: 7.5 means 7.5%. Null unless `kind` is `PERCENTAGE`.',
      resolve: (value) => (getKind(value) === 'PERCENTAGE' ? toDecimal(value.value) : null),
    }),
    amount: t.field({
      type: Money,
      description:
        'Fixed amount. Null unless `kind` is `FIXED`. Also null for the values of a `Discount` for all countries, because their currency depends on the quote. See `Quote.discounts` for the deducted amounts.',
      resolve: (value) => (getKind(value) === 'FIXED' ? toMoney(value.value, value.currency) : null),
    }),
    duration: t.field({
      type: DiscountDuration.ref,
      description: 'How long a recurring discount lasts. Null if the Workspace API doesn’t specify it.',
      resolve: ({ duration }) => (duration === undefined ? null : DiscountDuration.fromWire(duration)),
    }),
    durationText: t.string({
      description: 'Raw value of `duration` from the Workspace API. Useful if `duration` is `OTHER`.',
      resolve: ({ duration }) => (duration === undefined ? null : DiscountDuration.toText(duration)),
    }),
  }),
});

/** Returns the value of a discount. Null if there is none, which the upstream returns as 0 without a type. */
export const toDiscountValue = (discount: DiscountShape): DiscountShape | null =>
  Number(discount.value) === 0 && DiscountKind.toText(discount.type) === null ? null : discount;
