import {
  DataField,
  DataFieldRecordSchema,
  type PublicDataFieldType,
} from '../../src/upstream/contract/generated/publicapi/v1/data_fields_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, table } from '../kernel/table.ts';
import { fieldsSeenBy } from '../kernel/visibility.ts';

export const dataFieldTable = table('data_fields', DataFieldRecordSchema, {
  // `options` is a JSON array. Only work orders and their templates tell the `id`.
  also: { id: 'TEXT', workspace_id: 'TEXT', options: 'TEXT', position: 'INTEGER' },
  key: ['workspace_id', 'name'],
});

/** All data fields: what a value must be does not depend on who sees it. */
const dataFieldsOf = ({ store, workspaceId }: CallContext): RowOf<typeof dataFieldTable>[] =>
  dataFieldTable.list(store, { workspace_id: workspaceId }, 'position');

/** The type of each data field of the workspace, by name. */
export const dataFieldTypes = (call: CallContext): ReadonlyMap<string, PublicDataFieldType> =>
  new Map(dataFieldsOf(call).map(({ name, type }) => [name, type]));

export const dataFields = domain(DataField, {
  tables: [dataFieldTable],
  handlers: {
    listDataFields: {
      permission: [],
      run: (_request, call) => {
        const seen = fieldsSeenBy(call);
        const rows = dataFieldsOf(call).filter(({ name }) => seen?.has(name) ?? true);
        return { dataFields: rows.map((row) => ({ ...dataFieldTable.read(row), options: JSON.parse(row.options) as string[] })) };
      },
    },
  },
});
