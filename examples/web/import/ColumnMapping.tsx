import { type SubmitEvent, useId, useState } from 'react';
import { type ColumnChoice, type FieldOption, formatValues, parseValues } from './columnChoice.ts';
import type { TableStart } from './prepareImport.ts';

interface ColumnMappingProps {
  readonly start: TableStart;
  readonly options: readonly FieldOption[];
  /** What records can be matched by. */
  readonly matches: readonly Pick<FieldOption, 'field' | 'label'>[];
  readonly initial: ColumnChoice;
  readonly onChoose: (choice: ColumnChoice) => void;
}

/** Prefixes of the names of form fields, which headers and fields follow. */
const COLUMN = 'column ';
const CONSTANT = 'constant ';
const VALUES = 'values ';
const MATCH = 'match';

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
export function ColumnMapping({ start: { headers, rows }, options, matches, initial, onChoose }: ColumnMappingProps) {
  const id = useId();
  const [problem, setProblem] = useState('');
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const fields = Object.fromEntries(readEntries(data, COLUMN).map(([header, field]) => [header, field || null]));
    const constants = Object.fromEntries(readEntries(data, CONSTANT).filter(([, text]) => text !== ''));
    const used = [...Object.values(fields), ...Object.keys(constants)].filter((field) => field !== null);
    const repeated = options.find(({ field }) => used.filter((each) => each.replace(/:.*/, '') === field).length > 1);
    const match = String(data.get(MATCH) ?? '') || null;
    const unmatched = options.find(({ field, isOnlyMatched }) => isOnlyMatched && field !== match && used.includes(field));
    const replaced = readEntries(data, VALUES).filter(([header, lines]) => fields[header] && lines.trim() !== '');
    const parsed = replaced.map(([header, lines]) => [header, parseValues(lines)] as const);
    const wrong = parsed.find(([, texts]) => texts === null);
    const values = Object.fromEntries(parsed.flatMap(([header, texts]) => (texts ? [[header, texts]] : [])));
    if (repeated) setProblem(`${repeated.label} is chosen more than once. Each field can have one column or value.`);
    else if (unmatched) setProblem(`${unmatched.label} only finds records. Choose it for “Records that exist”, or leave the column out.`);
    else if (wrong) setProblem(`Each replaced cell of ${wrong[0]} needs a line with =, such as yes = true.`);
    else onChoose({ fields, constants, values, match });
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
                  <details open={initial.values[header] !== undefined}>
                    <summary>Replace cells</summary>
                    <textarea
                      name={VALUES + header}
                      aria-label={`Replaced cells of ${header}`}
                      defaultValue={formatValues(initial.values[header])}
                      placeholder="yes = true"
                      rows={3}
                      spellCheck={false}
                    />
                  </details>
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
            .filter(({ field, isOnlyMatched }) => !field.includes(':') && !isOnlyMatched)
            .map(({ field, label }) => (
              <label key={field}>
                <span>{label}</span>
                <input name={CONSTANT + field} defaultValue={initial.constants[field]} autoComplete="off" spellCheck={false} />
              </label>
            ))}
        </div>
      </details>
      {matches.length > 0 && (
        <label>
          Records that exist
          <select name={MATCH} defaultValue={initial.match ?? ''}>
            <option value="">Create a record for each row</option>
            {matches.map(({ field, label }) => (
              <option key={field} value={field}>
                Update the record with the same {label.toLowerCase()}
              </option>
            ))}
          </select>
        </label>
      )}
      {problem && (
        <p role="alert" className="notice failed">
          {problem}
        </p>
      )}
      <button type="submit">Use these columns</button>
    </form>
  );
}
