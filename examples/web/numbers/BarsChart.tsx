import { Bar, BarChart, CartesianGrid, ReferenceLine, ResponsiveContainer, XAxis, YAxis } from 'recharts';

/** A bar: null where there is no figure. */
export interface BarOf {
  readonly label: string;
  readonly figure: number | null;
  /** There is a figure that is not known: the place is marked, so that nobody takes it for nothing. */
  readonly isUnknown: boolean;
}

const LABEL = { fontSize: 12, fill: '#5a6675' };
const UNKNOWN = { value: '?', position: 'insideTopRight', fontSize: 16, fill: '#a3260f' } as const;

/** Bars side by side, or, for names that need room, below each other. Readers of screens get the table beside it. */
export function BarsChart({ bars, isLying = false }: { readonly bars: readonly BarOf[]; readonly isLying?: boolean }) {
  const figures = <XAxis type="number" hide />;
  const names = <YAxis type="category" dataKey="label" width={110} tick={LABEL} tickLine={false} axisLine={false} />;
  const height = isLying ? 24 + bars.length * 34 : 200;
  return (
    <div className="chart" aria-hidden="true">
      <ResponsiveContainer width="100%" height={height}>
        <BarChart
          data={[...bars]}
          layout={isLying ? 'vertical' : 'horizontal'}
          accessibilityLayer={false}
          margin={{ top: 8, right: 8, left: 0, bottom: 0 }}
        >
          {isLying ? figures : <CartesianGrid vertical={false} stroke="#dde3ea" />}
          {isLying ? names : <XAxis dataKey="label" tick={LABEL} tickLine={false} interval="preserveStartEnd" />}
          {!isLying && <YAxis width={48} tick={LABEL} tickLine={false} axisLine={false} tickFormatter={shortFigure} />}
          <Bar dataKey="figure" fill="#14549c" isAnimationActive={false} maxBarSize={36} />
          {bars
            .filter(({ isUnknown }) => isUnknown)
            .map(({ label }) => (
              <ReferenceLine
                key={label}
                {...(isLying ? { y: label } : { x: label })}
                stroke="#c8502f"
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
const shortFigure = (figure: number): string => SHORT.format(figure);
