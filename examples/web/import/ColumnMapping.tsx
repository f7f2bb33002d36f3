import { type SubmitEvent, useId, useState } from 'react';
import type { ColumnChoice, FieldOption } from './columnChoice.ts';
import type { TableStart } from './prepareImport.ts';

interface ColumnMappingProps {
  readonly start: TableStart;
  readonly options: readonly FieldOption[];
  readonly initial: ColumnChoice;
  readonly onChoose: (choice: ColumnChoice) => void;
}

/** Prefixes of the names of form fields, which headers and fields follow. */
const COLUMN = 'column ';
const CONSTANT = 'constant ';

const readEntries = (data: FormData, prefix: string): readonly (readonly [string, string])[] =>
  [...data].flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), String(value)] as const] : []));

function FieldOptions({ options }: { readonly options: readonly FieldOption[] }) {
  return options.map(({ field, label, isRequired }) => (
    <option key={field} value={field}>
      {label}
      {isRequired && ' (required)'}
    </option>
  ));
}

/** A form for the field of each column, with a preview of the file, and for values that all rows have. */
export function ColumnMapping({ start: { headers, rows }, options, initial, onChoose }: ColumnMappingProps) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const fields = Object.fromEntries(readEntries(data, COLUMN).map(([header, field]) => [header, field || null]));
    const constants = Object.fromEntries(readEntries(data, CONSTANT).filter(([, text]) => text !== ''));
    const used = [...Object.values(fields), ...Object.keys(constants)].filter((field) => field !== null);
    const repeated = options.find(({ field }) => used.filter((each) => each.replace(/:.*/, '') === field).length > 1);
    if (repeated) setProblem(`${repeated.label} is chosen more than once. Each field can have one column or value.`);
    else onChoose({ fields, constants });
  };
  return (
    <form onSubmit={submit} className="card" aria-labelledby={id}>
      <h3 id={id}>Columns</h3>
      <p className="unknown">Choose what each column is for. This browser remembers it for files with the same columns.</p>
      <div className="import-columns">
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">First rows</th>
              <th scope="col">Field</th>
            </tr>
          </thead>
          <tbody>
            {headers.map((header) => (
              <tr key={header}>
                <th scope="row">{header}</th>
                <td>{rows.map((cells) => cells.get(header) || '–').join(' · ')}</td>
                <td>
                  <select name={COLUMN + header} aria-label={`Field of ${header}`} defaultValue={initial.fields[header] ?? ''}>
                    <option value="">Leave out</option>
                    <FieldOptions options={options} />
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <details>
        <summary>The same value in all rows</summary>
        <div className="import-constants">
          {options
            .filter(({ field }) => !field.includes(':'))
            .map(({ field, label }) => (
              <label key={field}>
                <span>{label}</span>
                <input name={CONSTANT + field} defaultValue={initial.constants[field]} autoComplete="off" spellCheck={false} />
              </label>
            ))}
        </div>
      </details>
      {problem && (
        <p role="alert" className="notice failed">
          {problem}
        </p>
      )}
      <button type="submit">Use these columns</button>
    </form>
  );
}
