// Scripts for what Tailcall's templates can't do: defaults for omitted fields, parts of enum names, and fields of a line's parent row. They accept and return
// JSON, and run once per list.

const toMoney = (minor, currency) => ({ minorUnits: String(minor ?? 0), currencyCode: currency ?? null });

function toLine({ quantity, totalMinor, productId }, currency) {
  return { quantity, total: toMoney(totalMinor, currency), productId };
}

function toQuote({ id, title, status, customerId, currency, totalOnceMinor, lineItems = [] }) {
  return {
    rawId: id,
    title,
    status: status.slice(status.indexOf('STATUS_') + 7),
    customerId,
    totalOnce: toMoney(totalOnceMinor, currency),
    lines: lineItems.map((line) => toLine(line, currency)),
  };
}

// biome-ignore lint/correctness/noUnusedVariables: called by tailcall.graphql
function quoteNodes(page) {
  return JSON.stringify((JSON.parse(page).quotes ?? []).map(toQuote));
}

// biome-ignore lint/correctness/noUnusedVariables: called by tailcall.graphql
function balanceNodes(page) {
  const { balances = [] } = JSON.parse(page);
  return JSON.stringify(balances.map(({ onHand, available }) => ({ onHand: Number(onHand ?? 0), available: Number(available ?? 0) })));
}
