import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  PublicWorkOrderTemplateStatus as Status,
  WorkOrderTemplate,
  WorkOrderTemplateRecordSchema,
} from '../../src/upstream/contract/generated/publicapi/v1/work_order_templates_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { domain } from '../kernel/service.ts';
import { type RowOf, type Scope, table } from '../kernel/table.ts';
import { CONTENT_TEMPLATE_READ, SETTINGS_READ, SETTINGS_WRITE } from './access.ts';
import { findLocationField, listVisibleLocationFields, requireLocationField } from './locations.ts';

export const workOrderTemplateTable = table('work_order_templates', WorkOrderTemplateRecordSchema, {
  // `tasks` is a JSON array of strings.
  also: { workspace_id: 'TEXT', tasks: 'TEXT' },
  without: ['requiresLocationOverride'],
  indexes: { work_order_templates_by_name: 'workspace_id, name, id' },
});

type TemplateRow = RowOf<typeof workOrderTemplateTable>;

/** Looks up a template by ID. Throws if the workspace doesn't contain it. */
export const getWorkOrderTemplate = (scope: Scope, id: string): TemplateRow =>
  workOrderTemplateTable.getOrThrow(scope, id, 'work order template');

/** Texts of the tasks that work orders inherit. */
export const parseTaskBodies = ({ tasks }: TemplateRow): readonly string[] => JSON.parse(tasks) as string[];

/** Converts a row to a template. If the preferred data field has been deleted, it's returned as unusable, even if customers have values for it. */
const toTemplate = (call: CallContext, row: TemplateRow): MessageInitShape<typeof WorkOrderTemplateRecordSchema> => ({
  ...workOrderTemplateTable.read(row),
  tasks: parseTaskBodies(row).map((body) => ({ body })),
  requiresLocationOverride: findLocationField(call, row.preferred_location_data_field_id) === undefined,
});

const readTemplate = (call: CallContext, id: string) => ({ workOrderTemplate: toTemplate(call, getWorkOrderTemplate(call, id)) });

/** The ID of a data field with locations that the caller can see. Empty for none. */
const requireField = (call: CallContext, id: string): string => (id === '' ? '' : requireLocationField(call, id).id);

export const workOrderTemplates = domain(WorkOrderTemplate, {
  tables: [workOrderTemplateTable],
  handlers: {
    listWorkOrderTemplates: {
      permission: [CONTENT_TEMPLATE_READ, SETTINGS_READ],
      run: (request, call) => {
        const { rows, ...page } = workOrderTemplateTable.page(call, request, { status: request.status }, 'name, id');
        return { workOrderTemplates: rows.map((row) => toTemplate(call, row)), ...page };
      },
    },

    getWorkOrderTemplate: {
      permission: [CONTENT_TEMPLATE_READ, SETTINGS_READ],
      run: ({ id }, call) => readTemplate(call, id),
    },

    listWorkOrderTemplateLocationFields: {
      permission: [CONTENT_TEMPLATE_READ, SETTINGS_READ],
      run: (_request, call) => ({ locationFields: listVisibleLocationFields(call).map(({ id, label }) => ({ id, label })) }),
    },

    createWorkOrderTemplate: {
      permission: SETTINGS_WRITE,
      run: ({ name, title, description, tasks, preferredLocationDataFieldId = '' }, call) => {
        const id = call.id();
        workOrderTemplateTable.insert(call.store, {
          id,
          workspace_id: call.workspaceId,
          name,
          status: Status.ACTIVE,
          title,
          description,
          tasks: JSON.stringify(tasks.map(({ body }) => body)),
          preferred_location_data_field_id: requireField(call, preferredLocationDataFieldId),
          created_at: call.now,
          updated_at: call.now,
          archived_at: null,
        });
        return readTemplate(call, id);
      },
    },

    updateWorkOrderTemplate: {
      permission: SETTINGS_WRITE,
      run: ({ id, name, title, description, preferredLocationDataFieldId: preferred }, call) => {
        getWorkOrderTemplate(call, id);
        workOrderTemplateTable.update(call.store, id, {
          ...(name !== undefined && { name }),
          ...(title !== undefined && { title }),
          ...(description !== undefined && { description }),
          ...(preferred !== undefined && { preferred_location_data_field_id: requireField(call, preferred) }),
          updated_at: call.now,
        });
        return readTemplate(call, id);
      },
    },

    archiveWorkOrderTemplate: {
      permission: SETTINGS_WRITE,
      run: ({ id }, call) => {
        const { status } = getWorkOrderTemplate(call, id);
        if (status !== Status.ARCHIVED) {
          workOrderTemplateTable.update(call.store, id, { status: Status.ARCHIVED, archived_at: call.now, updated_at: call.now });
        }
        return readTemplate(call, id);
      },
    },
  },
});
