import { Bar, BarChart, CartesianGrid, ReferenceLine, ResponsiveContainer, XAxis, YAxis } from 'recharts';

/** A bar. Its value is null if unknown. */
export interface BarData {
  readonly label: string;
  readonly value: number | null;
  /** The value is unknown. The bar is marked, so that it isn't mistaken for zero. */
  readonly isUnknown: boolean;
}

const LABEL = { fontSize: 12, fill: 'var(--soft)' };
const UNKNOWN = { value: '?', position: 'insideTopRight', fontSize: 16, fill: 'var(--bad)' } as const;

/** A bar chart, vertical, or horizontal for long names. Screen readers get the table next to it. */
export function BarsChart({ bars, isHorizontal = false }: { readonly bars: readonly BarData[]; readonly isHorizontal?: boolean }) {
  const values = <XAxis type="number" hide />;
  const names = <YAxis type="category" dataKey="label" width={110} tick={LABEL} tickLine={false} axisLine={false} />;
  const height = isHorizontal ? 24 + bars.length * 34 : 200;
  return (
    <div className="chart" aria-hidden="true">
      <ResponsiveContainer width="100%" height={height}>
        <BarChart
          data={[...bars]}
          layout={isHorizontal ? 'vertical' : 'horizontal'}
          accessibilityLayer={false}
          margin={{ top: 8, right: 8, left: 0, bottom: 0 }}
        >
          {isHorizontal ? values : <CartesianGrid vertical={false} stroke="var(--line)" />}
          {isHorizontal ? names : <XAxis dataKey="label" tick={LABEL} tickLine={false} interval="preserveStartEnd" />}
          {!isHorizontal && <YAxis width={48} tick={LABEL} tickLine={false} axisLine={false} tickFormatter={formatShort} />}
          <Bar dataKey="value" fill="var(--accent)" isAnimationActive={false} maxBarSize={36} />
          {bars
            .filter(({ isUnknown }) => isUnknown)
            .map(({ label }) => (
              <ReferenceLine
                key={label}
                {...(isHorizontal ? { y: label } : { x: label })}
                stroke="var(--bad)"
                strokeDasharray="4 4"
                label={UNKNOWN}
              />
            ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

const SHORT = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });
const formatShort = (value: number): string => SHORT.format(value);
