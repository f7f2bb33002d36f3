import {
  DataField,
  DataFieldRecordSchema,
  type PublicDataFieldType,
} from '../../src/upstream/contract/generated/publicapi/v1/data_fields_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';
import { getVisibleFields } from '../kernel/visibility.ts';

export const dataFieldTable = table('data_fields', DataFieldRecordSchema, {
  // `options` is a JSON array. Only work orders and their templates expose `id`.
  also: { id: 'TEXT', workspace_id: 'TEXT', options: 'TEXT', position: 'INTEGER' },
  key: ['workspace_id', 'name'],
});

/** All data fields of the workspace. Validation doesn't depend on what the caller can see. */
const listDataFields = ({ store, workspaceId }: CallContext): RowOf<typeof dataFieldTable>[] =>
  dataFieldTable.list(store, { workspace_id: workspaceId }, 'position');

/** The types of the workspace's data fields, by name. */
export const getDataFieldTypes = (call: CallContext): ReadonlyMap<string, PublicDataFieldType> =>
  new Map(listDataFields(call).map(({ name, type }) => [name, type]));

export const dataFields = domain(DataField, {
  tables: [dataFieldTable],
  handlers: {
    listDataFields: {
      permission: [],
      run: (_request, call) => {
        const seen = getVisibleFields(call);
        const rows = listDataFields(call).filter(({ name }) => seen?.has(name) ?? true);
        return { dataFields: rows.map((row) => ({ ...dataFieldTable.read(row), options: JSON.parse(row.options) as string[] })) };
      },
    },
  },
});
