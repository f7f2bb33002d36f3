import type { Context } from '../../context.ts';
import type { BoundFields } from '../../schema/kit/inputs.ts';
import { checkCurrency, MoneyInput, type MoneyInputValue } from '../../schema/kit/money.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import { fetchCurrent } from './reconcile.ts';

interface CurrencyAmount {
  readonly money: MoneyInputValue;
  readonly path: readonly string[];
}

/** Lists the amounts in an input: the values of fields that are bound to minor units. */
export const listAmounts = (fields: BoundFields, input: object, path: readonly string[] = []): CurrencyAmount[] =>
  Object.entries(fields).flatMap(([name, { field, codec }]) => {
    const value = (input as Readonly<Record<string, unknown>>)[name];
    const here = [...path, name];
    if (value === null || value === undefined || field.list) return [];
    if (codec.type === MoneyInput) return [{ money: value as MoneyInputValue, path: here }];
    return codec.inner ? listAmounts(codec.inner, value, here) : [];
  });

/** Rejects amounts in a currency other than the record's. Reads the record only if an amount specifies a currency. */
export async function checkCurrencies(
  entity: Pick<Entity<{ readonly currency: string }>, 'load'>,
  id: string | undefined,
  amounts: readonly CurrencyAmount[],
  context: Context,
): Promise<void> {
  if (!amounts.some(({ money }) => money.currencyCode)) return;
  const record = await fetchCurrent(entity, id, context);
  if (record) for (const { money, path } of amounts) checkCurrency(money, record.currency, path);
}
