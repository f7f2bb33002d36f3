import { useApolloClient } from '@apollo/client/react';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { createFormat } from '../../../cli/import/cells.ts';
import { UnknownColumnsError } from '../../../cli/import/columns.ts';
import type { ImportMutation } from '../../../cli/import/mutations.ts';
import { isJsonLines } from '../../../cli/import/table.ts';
import { hasCustomFields, listTemplateColumns } from '../../../cli/import/template.ts';
import { CheckedFile } from './CheckedFile.tsx';
import { ColumnMapping } from './ColumnMapping.tsx';
import { type ColumnChoice, type FieldOption, listMatches, listOptions, recallChoice, storeChoice, suggestChoice } from './columnChoice.ts';
import {
  explain,
  type ImportSettings,
  type PreparedImport,
  prepareImport,
  readStart,
  readWorkspaceFields,
  type TableStart,
} from './prepareImport.ts';

interface Mapping {
  readonly start: TableStart;
  readonly options: readonly FieldOption[];
  readonly initial: ColumnChoice;
}

type Check =
  | { readonly status: 'idle' | 'checking' }
  | { readonly status: 'mapping'; readonly mapping: Mapping; readonly settings: ImportSettings }
  | { readonly status: 'failed'; readonly message: string; readonly settings?: ImportSettings }
  | { readonly status: 'checked'; readonly prepared: PreparedImport; readonly settings: ImportSettings };

interface FileImportProps {
  readonly mutation: ImportMutation;
  /** The mutation, with records that are matched by a field. */
  readonly requireMatched: (field: string) => ImportMutation;
}

function Field({ name, label, children }: { readonly name: string; readonly label: string; readonly children: ReactNode }) {
  return (
    <label>
      <span>
        {label} (<code>{children}</code>)
      </span>
      <input name={name} autoComplete="off" spellCheck={false} />
    </label>
  );
}

/** Chooses and checks a file, and sends its rows. */
export function FileImport({ mutation, requireMatched }: FileImportProps) {
  const client = useApolloClient();
  const [check, setCheck] = useState<Check>({ status: 'idle' });
  /** The last import that was opened. Only one can be open, because it holds a lock. */
  const opened = useRef<Promise<PreparedImport | undefined>>(Promise.resolve(undefined));

  /** Number of the last action of the user. What is read for an earlier one is ignored. */
  const actions = useRef(0);

  const close = () => opened.current.then((prepared) => prepared?.close());
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes the import that is open at the end
  useEffect(
    () => () => {
      actions.current += 1;
      void close();
    },
    [],
  );

  /** Reads the beginning of a file, and the fields that its columns can be for. Null if the file has no columns. */
  const readMapping = async ({ file, sheet, choice }: ImportSettings): Promise<Mapping | null> => {
    const start = await readStart(file, sheet);
    if (!start) return null;
    const fields = hasCustomFields(mutation) ? await readWorkspaceFields(client) : [];
    const options = listOptions(mutation, listTemplateColumns(mutation, fields));
    return { start, options, initial: choice ?? suggestChoice(start.headers, options) };
  };

  const start = (unmatched: ImportSettings) => {
    const { choice } = unmatched;
    const settings = { ...unmatched, mutation: choice?.match ? requireMatched(choice.match) : mutation };
    setCheck({ status: 'checking' });
    const closing = close();
    const fail = async (error: unknown) => {
      const mapping = error instanceof UnknownColumnsError ? await readMapping(settings) : null;
      if (opened.current !== opening) return undefined;
      setCheck(mapping ? { status: 'mapping', mapping, settings } : { status: 'failed', message: explain(error), settings });
      return undefined;
    };
    const opening: typeof opened.current = closing
      .then(() => prepareImport(client, settings))
      .then((prepared) => {
        if (opened.current === opening) setCheck({ status: 'checked', prepared, settings });
        return prepared;
      }, fail)
      .catch((error: unknown) => {
        if (opened.current === opening) setCheck({ status: 'failed', message: explain(error) });
        return undefined;
      });
    opened.current = opening;
  };

  /** Lets the user choose what the columns are for. */
  const map = async (settings: ImportSettings) => {
    const action = ++actions.current;
    try {
      const mapping = await readMapping(settings);
      if (mapping && action === actions.current) setCheck({ status: 'mapping', mapping, settings });
    } catch (error) {
      if (action === actions.current) setCheck({ status: 'failed', message: explain(error) });
    }
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const read = (name: string) => String(data.get(name)).trim() || undefined;
    const notation = { locale: read('locale'), timeZone: read('timeZone'), currency: read('currency') };
    const file = data.get('file') as File;
    const sheet = read('sheet');
    const action = ++actions.current;
    try {
      const format = createFormat(notation);
      const { headers = [] } = (await readStart(file, sheet)) ?? {};
      if (action !== actions.current) return;
      const choice = recallChoice(mutation.name, headers);
      start({ mutation, file, sheet, format, notation: JSON.stringify({ ...notation, sheet }), choice });
    } catch (error) {
      if (action === actions.current) setCheck({ status: 'failed', message: explain(error) });
    }
  };

  const changeable = check.status === 'checked' || check.status === 'failed' ? check.settings : undefined;
  return (
    <>
      <form onSubmit={submit} className="import-file">
        <label>
          File
          <input
            type="file"
            name="file"
            required
            accept=".csv,.xlsx,.jsonl,.ndjson,text/csv"
            // So that the same file can be chosen again, after it was changed.
            onClick={(event) => {
              event.currentTarget.value = '';
            }}
            onChange={(event) => event.currentTarget.files?.length && event.currentTarget.form?.requestSubmit()}
          />
        </label>
        <details>
          <summary>Notation of the cells, and sheet</summary>
          <div className="import-notation">
            <p className="unknown">Messages name the options of the command, which are in parentheses.</p>
            <Field name="locale" label="Language of numbers and dates, such as de">
              --locale
            </Field>
            <Field name="timeZone" label="Time zone of timestamps, such as Europe/Amsterdam">
              --time-zone
            </Field>
            <Field name="currency" label="Currency of amounts, such as EUR">
              --currency
            </Field>
            <Field name="sheet" label="Sheet of a workbook that has several">
              --sheet
            </Field>
          </div>
        </details>
        <button type="submit" className="quiet" disabled={check.status === 'checking'}>
          Check the file
        </button>
      </form>
      <div role="status">
        {check.status === 'checking' && <p>Checking…</p>}
        {check.status === 'checked' && <p className="visually-hidden">Checked {check.settings.file.name}.</p>}
        {check.status === 'failed' && <p className="notice failed">{check.message}</p>}
      </div>
      {check.status === 'mapping' && (
        <ColumnMapping
          {...check.mapping}
          matches={listMatches(mutation)}
          onChoose={(choice) => {
            storeChoice(mutation.name, check.mapping.start.headers, choice);
            start({ ...check.settings, choice });
          }}
        />
      )}
      {changeable && !isJsonLines(changeable.file) && (
        <button type="button" className="quiet" onClick={() => void map(changeable)}>
          Change the columns
        </button>
      )}
      {check.status === 'checked' && <CheckedFile prepared={check.prepared} settings={check.settings} client={client} />}
    </>
  );
}
