import { type RowOf, UNAVAILABLE } from '../../client/analytics.gen.ts';
import { amountOf } from '../money.ts';
import { statusName } from '../statusName.ts';
import { BarsChart } from './BarsChart.tsx';
import { longMonth, monthsOf, shortMonth } from './months.ts';
import { type Answer, Panel } from './Panel.tsx';
import { RESULTS, REVENUE, WORK_ORDERS } from './questions.ts';
import './numbers.css';

type Revenue = RowOf<typeof REVENUE>;

const isUnknown = (row: Revenue | undefined): boolean => row?.[UNAVAILABLE].includes('revenue') ?? false;

/** Why there is no amount is said: no orders, orders without an amount, or an amount that is not known. */
function Amount({ row }: { readonly row: Revenue | undefined }) {
  if (!row) return <span className="unknown">no orders</span>;
  if (isUnknown(row)) return <span className="out">unknown</span>;
  return row.revenue ? amountOf(row.revenue) : <span className="unknown">no amount</span>;
}

function RevenueByMonth({ rows, answer }: { readonly rows: readonly Revenue[]; readonly answer: Answer }) {
  const { resolvedTimeRange, timezone } = answer;
  const told = resolvedTimeRange && timezone ? monthsOf(resolvedTimeRange, timezone) : [];
  const months = [...new Set([...told, ...rows.map(({ month }) => month)])].sort();
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
              // Near enough to draw; the table has the exact amount.
              return { label: shortMonth(month), figure: row?.revenue ? Number(row.revenue.amount) : null, isUnknown: isUnknown(row) };
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
                <th scope="row">{longMonth(month)}</th>
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
      <BarsChart isLying bars={counts.map(({ name, count }) => ({ label: name, figure: Number(count), isUnknown: false }))} />
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

/** Figures of the workspace as it is now. */
export function NumbersView() {
  return (
    <>
      <h2>Numbers</h2>
      <div className="panels">
        <Panel
          title="Revenue by month"
          about="One-off totals of the orders of the last twelve months, excluding VAT and canceled orders."
          question={REVENUE}
        >
          {(rows, answer) => <RevenueByMonth rows={rows} answer={answer} />}
        </Panel>
        <Panel title="Work orders by status" about="All work orders." question={WORK_ORDERS}>
          {(rows) => <Counts of="Status" counts={rows.map(({ status, count }) => ({ name: statusName(status), count }))} />}
        </Panel>
        <Panel title="Appointments by result" about="Appointments with a recorded result." question={RESULTS}>
          {(rows) => <Counts of="Result" counts={rows.map(({ result, count }) => ({ name: result, count }))} />}
        </Panel>
      </div>
    </>
  );
}
