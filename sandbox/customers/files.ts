import type { MessageInitShape } from '@bufbuild/protobuf';
import { Customer } from '../../src/upstream/contract/generated/publicapi/v1/customers_pb.ts';
import {
  type CreateCustomerDocumentUploadRequest,
  type CreateCustomerPhotoUploadRequest,
  CustomerFileRecordSchema,
  type CustomerFileUploadRecordSchema,
  PublicCustomerFileKind,
} from '../../src/upstream/contract/generated/publicapi/v1/files_pb.ts';
import type { CallContext } from '../kernel/call.ts';
import { failedPrecondition, invalidArgument } from '../kernel/errors.ts';
import { domain } from '../kernel/service.ts';
import { missingOrDeniedError, type RowOf, table } from '../kernel/table.ts';
import { getCustomer } from './customerRecords.ts';
import { createFileLink, serveFile } from './uploads.ts';

export const fileTable = table('customer_files', CustomerFileRecordSchema, {
  also: { workspace_id: 'TEXT', bytes: 'BLOB' },
  indexes: { files_of_customer: 'workspace_id, customer_id, created_at' },
});
/** Pending uploads. `file_id` is the resulting file. */
const uploadTable = table('customer_uploads', CustomerFileRecordSchema, {
  without: ['createdAt'],
  also: { workspace_id: 'TEXT', bytes: 'BLOB NULL', file_id: 'TEXT NULL' },
});

/** Maximum size of a file, in bytes. Chosen. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** Validity of an upload link, in seconds. Chosen. */
const UPLOAD_SECONDS = 15 * 60;
/** Validity of a download link, in seconds. Chosen. */
const DOWNLOAD_SECONDS = 5 * 60;

const { DOCUMENT, PHOTO, UNSPECIFIED } = PublicCustomerFileKind;
type Kind = typeof DOCUMENT | typeof PHOTO;
const KIND_NAMES = { [DOCUMENT]: 'document', [PHOTO]: 'photo' } as const;

/** A file without its content, which operations don't return. */
type FileRow = Omit<RowOf<typeof fileTable>, 'workspace_id' | 'bytes'>;

interface UploadRow extends Pick<RowOf<typeof uploadTable>, 'id' | 'customer_id' | 'kind' | 'file_name' | 'file_id'> {
  readonly kind: Kind;
  readonly has_bytes: number;
}

function getFile(call: CallContext, id: string): FileRow {
  const row = call.store.get<FileRow>(
    `SELECT ${fileTable.recordColumns} FROM customer_files WHERE workspace_id = :workspaceId AND id = :id`,
    {
      workspaceId: call.workspaceId,
      id,
    },
  );
  if (!row) throw missingOrDeniedError(call, { name: 'customer_files', noun: 'file', id });
  return row;
}

type NewUpload = Omit<CreateCustomerDocumentUploadRequest | CreateCustomerPhotoUploadRequest, '$typeName' | '$unknown'>;

function createUpload(call: CallContext, kind: Kind, { customerId, fileName, contentType, sizeBytes }: NewUpload) {
  const customer = getCustomer(call, customerId);
  if (sizeBytes > MAX_FILE_BYTES) throw invalidArgument(`size_bytes must be at most ${MAX_FILE_BYTES}, but is ${sizeBytes}.`);
  const id = call.id();
  uploadTable.insert(call.store, {
    id,
    workspace_id: call.workspaceId,
    customer_id: customer.id,
    kind,
    file_name: fileName,
    content_type: contentType,
    size_bytes: Number(sizeBytes),
    bytes: null,
    file_id: null,
  });
  const expiresAt = call.now + UPLOAD_SECONDS;
  const upload: MessageInitShape<typeof CustomerFileUploadRecordSchema> = {
    id,
    url: createFileLink(call.baseUrl, 'uploads', id, expiresAt),
    method: 'PUT',
    headers: { 'content-type': contentType },
    expiresAt: BigInt(expiresAt),
  };
  return { upload };
}

function getUpload(call: CallContext, id: string): UploadRow {
  const row = call.store.get<UploadRow>(
    `SELECT id, customer_id, kind, file_name, bytes IS NOT NULL AS has_bytes, file_id FROM customer_uploads
     WHERE workspace_id = :workspaceId AND id = :id`,
    { workspaceId: call.workspaceId, id },
  );
  if (!row) throw missingOrDeniedError(call, { name: 'customer_uploads', noun: 'upload', id });
  return row;
}

function completeUpload(call: CallContext, kind: Kind, uploadId: string) {
  const upload = getUpload(call, uploadId);
  if (upload.kind !== kind)
    throw failedPrecondition(`Upload ${uploadId} is for a ${KIND_NAMES[upload.kind]}, not for a ${KIND_NAMES[kind]}.`);
  if (upload.file_id !== null) return { file: fileTable.read(getFile(call, upload.file_id)) };
  if (!upload.has_bytes) throw failedPrecondition(`Upload ${uploadId} hasn’t received any bytes. Send them to its url first.`);
  const id = call.id();
  call.store.run(
    `INSERT INTO customer_files (id, workspace_id, customer_id, kind, file_name, content_type, size_bytes, created_at, bytes)
     SELECT :id, workspace_id, customer_id, kind, file_name, content_type, size_bytes, :now, bytes FROM customer_uploads WHERE id = :uploadId`,
    { id, uploadId, now: call.now },
  );
  uploadTable.update(call.store, uploadId, { bytes: null, file_id: id });
  call.timeline(upload.customer_id, {
    eventType: 'file_added',
    entityType: 'file',
    entityId: id,
    summary: `The ${KIND_NAMES[kind]} ${upload.file_name} was added.`,
  });
  return { file: fileTable.read(getFile(call, id)) };
}

/** Operations of the Customer service on files. */
export const files = domain(Customer, {
  tables: [fileTable, uploadTable],
  routes: { '/files/': serveFile },
  handlers: {
    createCustomerDocumentUpload: {
      permission: 'boardAccess:READ_WRITE',
      run: (request, call) => createUpload(call, DOCUMENT, request),
    },

    completeCustomerDocumentUpload: {
      permission: 'boardAccess:READ_WRITE',
      run: (request, call) => completeUpload(call, DOCUMENT, request.uploadId),
    },

    createCustomerPhotoUpload: {
      permission: 'boardAccess:READ_WRITE',
      run: (request, call) => createUpload(call, PHOTO, request),
    },

    completeCustomerPhotoUpload: {
      permission: 'boardAccess:READ_WRITE',
      run: (request, call) => completeUpload(call, PHOTO, request.uploadId),
    },

    listCustomerFiles: {
      permission: 'boardAccess:READ_ONLY',
      run: (request, call) => {
        const { rows, ...page } = call.page<FileRow>(
          request,
          `SELECT ${fileTable.recordColumns} FROM customer_files
           WHERE workspace_id = :workspaceId AND customer_id = :customerId AND (:kind = ${UNSPECIFIED} OR kind = :kind)
           ORDER BY created_at DESC, rowid DESC`,
          { workspaceId: call.workspaceId, customerId: getCustomer(call, request.customerId).id, kind: request.kind },
        );
        return { files: rows.map(fileTable.read), ...page };
      },
    },

    getCustomerFileDownloadLink: {
      permission: 'boardAccess:READ_ONLY',
      run: (request, call) => {
        const { id } = getFile(call, request.fileId);
        const expiresAt = call.now + DOWNLOAD_SECONDS;
        return { url: createFileLink(call.baseUrl, 'downloads', id, expiresAt), expiresAt: BigInt(expiresAt) };
      },
    },
  },
});
