import { memo } from 'react';
import type { InputColumn } from '../../../cli/import/columns.ts';
import type { IdentifiedRow } from '../../../cli/import/rows.ts';
import { getCurrencyDigits } from '../../../src/lib/currencies.ts';
import { isJsonObject } from '../../../src/lib/json.ts';
import { formatAmount } from '../money.ts';
import type { PreparedImport } from './prepareImport.ts';

/** The amount of an input as a decimal. */
function toAmount(minorUnits: string, currencyCode: string): string {
  const digits = getCurrencyDigits(currencyCode);
  const [, sign = '', units = ''] = /^(-?)(\d+)$/.exec(minorUnits) ?? [];
  const padded = units.padStart(digits + 1, '0');
  return digits === 0 ? minorUnits : `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

/** Formats a value of an input for people. */
function formatValue(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map(formatValue).join(', ');
  if (!isJsonObject(value)) return String(value);
  const { minorUnits, currencyCode } = value;
  if (typeof minorUnits !== 'string' || typeof currencyCode !== 'string') return JSON.stringify(value);
  return formatAmount({ amount: toAmount(minorUnits, currencyCode), currencyCode } as Parameters<typeof formatAmount>[0]);
}

/** The value that a column has in an input. That of a custom field is an item of a list. */
function readValue(input: unknown, { path, customField }: InputColumn): unknown {
  const steps = customField === undefined ? path : path.slice(0, -1);
  const value = steps.reduce<unknown>((each, step) => (each as Readonly<Record<string, unknown>> | undefined)?.[step], input);
  if (customField === undefined || !Array.isArray(value)) return value;
  const item = value.find(({ name }) => name === customField)?.value;
  return isJsonObject(item) ? Object.values(item)[0] : item;
}

const Row = ({
  row,
  columns,
  hasProblems,
}: {
  readonly row: IdentifiedRow;
  readonly columns: readonly InputColumn[];
  readonly hasProblems: boolean;
}) => (
  <tr>
    <th scope="row" className="number">
      {row.line}
    </th>
    {hasProblems && (
      <td className="problems">
        {row.problems.map(({ column, message }) => (
          <p key={`${column} ${message}`}>
            {column !== null && <strong>{column}: </strong>}
            {message}
          </p>
        ))}
      </td>
    )}
    {columns.map((column) => (
      <td key={column.header}>{formatValue(readValue(row.input, column))}</td>
    ))}
    {columns.length === 0 && <td>{formatValue(row.input)}</td>}
  </tr>
);

/** The rows as they're sent: invalid ones with their problems, and then the others. Not rendered again while rows are sent. */
export const CheckedRows = memo(({ prepared: { displayed, columns, report } }: { readonly prepared: PreparedImport }) => {
  const hasProblems = report.invalid > 0;
  return (
    <section className="card" aria-labelledby="import-rows">
      <h3 id="import-rows">Rows</h3>
      {displayed.length < report.rows && (
        <p className="unknown">
          {displayed.length} of {report.rows.toLocaleString('en')} rows.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section className="wide" aria-label="Table of rows" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col" className="number">
                Line
              </th>
              {hasProblems && <th scope="col">Problems</th>}
              {columns.map(({ header }) => (
                <th key={header} scope="col">
                  {header}
                </th>
              ))}
              {columns.length === 0 && <th scope="col">Input</th>}
            </tr>
          </thead>
          <tbody>
            {displayed.map((row) => (
              <Row key={row.identity} row={row} columns={columns} hasProblems={hasProblems} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
});
