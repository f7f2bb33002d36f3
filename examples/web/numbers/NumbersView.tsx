import { type RowOf, UNAVAILABLE } from '../../client/analytics.gen.ts';
import { formatStatus } from '../formatStatus.ts';
import { formatAmount } from '../money.ts';
import { useTitle } from '../useTitle.ts';
import { BarsChart } from './BarsChart.tsx';
import { formatLongMonth, formatShortMonth, listMonths } from './months.ts';
import { type AnalyticsResult, Panel } from './Panel.tsx';
import { RESULTS, REVENUE, WORK_ORDERS } from './queries.ts';
import './numbers.css';

type Revenue = RowOf<typeof REVENUE>;

const isUnknown = (row: Revenue | undefined): boolean => row?.[UNAVAILABLE].includes('revenue') ?? false;

/** Explains a missing amount: no orders, orders without an amount, or an unknown amount. */
function Amount({ row }: { readonly row: Revenue | undefined }) {
  if (!row) return <span className="unknown">no orders</span>;
  if (isUnknown(row)) return <span className="out">unknown</span>;
  return row.revenue ? formatAmount(row.revenue) : <span className="unknown">no amount</span>;
}

function RevenueByMonth({ rows, result }: { readonly rows: readonly Revenue[]; readonly result: AnalyticsResult }) {
  const { resolvedTimeRange, timezone } = result;
  const resultMonths = resolvedTimeRange && timezone ? listMonths(resolvedTimeRange, timezone) : [];
  const months = [...new Set([...resultMonths, ...rows.map(({ month }) => month)])].sort();
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  const find = (month: string, currency: string) => rows.find((row) => row.month === month && row.currency === currency);
  return (
    <>
      {currencies.map((currency) => (
        <div key={currency}>
          <h4>{currency}</h4>
          <BarsChart
            bars={months.map((month) => {
              const row = find(month, currency);
              // Precise enough to draw. The table has the exact amount.
              return { label: formatShortMonth(month), value: row?.revenue ? Number(row.revenue.amount) : null, isUnknown: isUnknown(row) };
            })}
          />
        </div>
      ))}
      <div className="wide">
        <table>
          <thead>
            <tr>
              <th scope="col">Month</th>
              {currencies.map((currency) => (
                <th key={currency} scope="col" className="number">
                  {currency}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.map((month) => (
              <tr key={month}>
                <th scope="row">{formatLongMonth(month)}</th>
                {currencies.map((currency) => (
                  <td key={currency} className="number">
                    <Amount row={find(month, currency)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface Count {
  readonly name: string;
  readonly count: bigint;
}

function Counts({ of, counts }: { readonly of: string; readonly counts: readonly Count[] }) {
  return (
    <>
      <BarsChart isHorizontal bars={counts.map(({ name, count }) => ({ label: name, value: Number(count), isUnknown: false }))} />
      <table>
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col" className="number">
              Count
            </th>
          </tr>
        </thead>
        <tbody>
          {counts.map(({ name, count }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="number">{String(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Current metrics of the workspace. */
export function NumbersView() {
  useTitle('Dashboard');
  return (
    <>
      <h2>Dashboard</h2>
      <div className="panels">
        <Panel
          title="Revenue by month"
          description="One-off totals of the orders of the last twelve months, excluding VAT and canceled orders."
          query={REVENUE}
        >
          {(rows, result) => <RevenueByMonth rows={rows} result={result} />}
        </Panel>
        <Panel title="Work orders by status" description="All work orders." query={WORK_ORDERS}>
          {(rows) => <Counts of="Status" counts={rows.map(({ status, count }) => ({ name: formatStatus(status), count }))} />}
        </Panel>
        <Panel title="Appointments by result" description="Appointments with a recorded result." query={RESULTS}>
          {(rows) => <Counts of="Result" counts={rows.map(({ result, count }) => ({ name: result, count }))} />}
        </Panel>
      </div>
    </>
  );
}
