import { useApolloClient } from '@apollo/client/react';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { createFormat } from '../../../cli/import/cells.ts';
import type { ImportMutation } from '../../../cli/import/mutations.ts';
import { CheckedFile } from './CheckedFile.tsx';
import { explain, type ImportSettings, type PreparedImport, prepareImport } from './prepareImport.ts';

type Check =
  | { readonly status: 'idle' | 'checking' }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'checked'; readonly prepared: PreparedImport; readonly settings: ImportSettings };

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
export function FileImport({ mutation }: { readonly mutation: ImportMutation }) {
  const client = useApolloClient();
  const [check, setCheck] = useState<Check>({ status: 'idle' });
  /** The last import that was opened. Only one can be open, because it holds a lock. */
  const opened = useRef<Promise<PreparedImport | undefined>>(Promise.resolve(undefined));

  const close = () => opened.current.then((prepared) => prepared?.close());
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes the import that is open at the end
  useEffect(() => () => void close(), []);

  const start = (settings: ImportSettings) => {
    setCheck({ status: 'checking' });
    const closing = close();
    const opening: typeof opened.current = closing
      .then(() => prepareImport(client, settings))
      .then(
        (prepared) => {
          if (opened.current === opening) setCheck({ status: 'checked', prepared, settings });
          return prepared;
        },
        (error: unknown) => {
          if (opened.current === opening) setCheck({ status: 'failed', message: explain(error) });
          return undefined;
        },
      );
    opened.current = opening;
  };

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const read = (name: string) => String(data.get(name)).trim() || undefined;
    const notation = { locale: read('locale'), timeZone: read('timeZone'), currency: read('currency') };
    try {
      const format = createFormat(notation);
      start({
        mutation,
        file: data.get('file') as File,
        format,
        notation: JSON.stringify(notation),
      });
    } catch (error) {
      setCheck({ status: 'failed', message: explain(error) });
    }
  };

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
          <summary>Notation of the cells</summary>
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
      {check.status === 'checked' && <CheckedFile prepared={check.prepared} settings={check.settings} client={client} />}
    </>
  );
}
