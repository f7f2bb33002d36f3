import type { Context } from '../../context.ts';
import { checkCurrency, type GivenMoney } from '../../schema/kit/money.ts';
import type { Entity } from '../../schema/kit/registry.ts';
import { recordNow } from './lookUps.ts';

/** Refuses an amount in another currency than its record has. The record is read only when the amount names a currency. */
export async function checkCurrencyOf<RecordShape extends { readonly currency?: string }>(
  entity: Entity<RecordShape>,
  id: string | undefined,
  money: GivenMoney | null | undefined,
  path: readonly string[],
  context: Context,
): Promise<void> {
  if (!money?.currencyCode) return;
  const record = await recordNow(entity, id, context);
  if (record) checkCurrency(money, record.currency, path);
}
