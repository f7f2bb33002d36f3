import { useApolloClient } from '@apollo/client/react';
import { use } from 'react';
import { listImportable, parseSchema, requireMutation } from '../../../cli/import/mutations.ts';
import { formatTemplate, hasCustomFields } from '../../../cli/import/template.ts';
import { toWords } from '../../../src/lib/words.ts';
import { goTo } from '../route.ts';
import { useTitle } from '../useTitle.ts';
import { downloadText } from './downloadText.ts';
import { FileImport } from './FileImport.tsx';
import { MAX_ROWS, readWorkspaceFields } from './prepareImport.ts';
import './import.css';

/** In a chunk of its own, because it's large. */
const loading = import('../../../client/schema.graphql?raw').then(({ default: text }) => parseSchema(text));

/** The mutations that are offered first. */
const COMMON: Readonly<Record<string, string>> = {
  customerCreate: 'Customers',
  contactCreate: 'Contacts',
  productCreate: 'Products',
  inventoryAdjust: 'Stock counts and adjustments',
  inventoryMove: 'Stock moves',
};

/** Describes a mutation, such as “Create invoice” for `invoiceCreate`. */
const describeMutation = (name: string): string => name.replace(/^(.+)([A-Z][a-z]+)$/, (_, record, verb) => `${verb} ${toWords(record)}`);

/** Imports a file with the mutation in the URL. */
export function ImportView({ name }: { readonly name: string }) {
  useTitle('Import');
  const schema = use(loading);
  const importable = listImportable(schema);
  const mutation = requireMutation(schema, importable.includes(name) ? name : 'customerCreate');
  const client = useApolloClient();
  const downloadTemplate = async () => {
    const fields = hasCustomFields(mutation) ? await readWorkspaceFields(client) : [];
    downloadText(`${mutation.name}.csv`, formatTemplate(mutation, fields));
  };
  return (
    <div className="import">
      <h2>Import</h2>
      <p className="unknown">
        Sends each row of a CSV file, an Excel workbook or a JSON lines file once, also if you close this tab and choose the same file
        again. Up to {MAX_ROWS.toLocaleString('en')} rows. The command <code>workspace-graph import</code> sends more.
      </p>
      <div className="toolbar">
        <label>
          Records
          <select value={mutation.name} onChange={(event) => goTo('import', event.currentTarget.value)}>
            <optgroup label="Common">
              {Object.entries(COMMON).map(([each, label]) => (
                <option key={each} value={each}>
                  {label} ({each})
                </option>
              ))}
            </optgroup>
            <optgroup label="Others">
              {importable
                .filter((each) => !(each in COMMON))
                .map((each) => (
                  <option key={each} value={each}>
                    {describeMutation(each)} ({each})
                  </option>
                ))}
            </optgroup>
          </select>
        </label>
        <button type="button" className="quiet" onClick={downloadTemplate}>
          Download a template
        </button>
      </div>
      <FileImport key={mutation.name} mutation={mutation} requireMatched={(field) => requireMutation(schema, mutation.name, field)} />
    </div>
  );
}
