import { DataField, type PublicDataFieldType } from '../../src/upstream/contract/generated/publicapi/v1/data_fields_pb.ts';
import type { Call } from '../kernel/call.ts';
import { service } from '../kernel/service.ts';

export const dataFieldTables = `
  CREATE TABLE IF NOT EXISTS data_fields (
    workspace_id TEXT NOT NULL, name TEXT NOT NULL, label TEXT NOT NULL, type INTEGER NOT NULL, currency TEXT NOT NULL,
    options TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (workspace_id, name)
  ) STRICT;
`;

interface DataFieldRow {
  readonly name: string;
  readonly label: string;
  readonly type: PublicDataFieldType;
  readonly currency: string;
  /** A JSON array. */
  readonly options: string;
}

const dataFieldsOf = (call: Call): DataFieldRow[] =>
  call.store.all<DataFieldRow>('SELECT * FROM data_fields WHERE workspace_id = :workspaceId ORDER BY position', {
    workspaceId: call.workspaceId,
  });

/** The type of each data field of the workspace, by name. */
export const dataFieldTypes = (call: Call): ReadonlyMap<string, PublicDataFieldType> =>
  new Map(dataFieldsOf(call).map(({ name, type }) => [name, type]));

export const dataFields = service(DataField, {
  listDataFields: {
    permission: [],
    run: (_request, call) => ({
      dataFields: dataFieldsOf(call).map(({ options, ...field }) => ({ ...field, options: JSON.parse(options) as string[] })),
    }),
  },
});
