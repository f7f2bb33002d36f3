import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CompleteCustomerDocumentUploadRequest,
  type CompleteCustomerPhotoUploadRequest,
  type CreateCustomerDocumentUploadRequest,
  type CreateCustomerPhotoUploadRequest,
  type CustomerFileRecordSchema,
  type CustomerFileUploadRecordSchema,
  type GetCustomerFileDownloadLinkRequest,
  type ListCustomerFilesRequest,
  PublicCustomerFileKind,
} from '../../src/upstream/contract/generated/publicapi/v1/files_pb.ts';
import type { Call } from '../kernel/call.ts';
import { blocked, invalid, notFound } from '../kernel/errors.ts';
import { customerOf } from './customerRecords.ts';
import { fileLink } from './uploads.ts';

export const fileTables = `
  CREATE TABLE IF NOT EXISTS customer_files (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, customer_id TEXT NOT NULL, kind INTEGER NOT NULL, file_name TEXT NOT NULL,
    content_type TEXT NOT NULL, size_bytes INTEGER NOT NULL, created_at INTEGER NOT NULL, bytes BLOB NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS files_of_customer ON customer_files (workspace_id, customer_id, created_at);
  CREATE TABLE IF NOT EXISTS customer_uploads (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, customer_id TEXT NOT NULL, kind INTEGER NOT NULL, file_name TEXT NOT NULL,
    content_type TEXT NOT NULL, size_bytes INTEGER NOT NULL, bytes BLOB, file_id TEXT
  ) STRICT;
`;

/** The largest file, in bytes. Ours. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** How long bytes may be sent for, in seconds. Ours. */
const UPLOAD_SECONDS = 15 * 60;
/** How long a file may be fetched for, in seconds. Ours. */
const DOWNLOAD_SECONDS = 5 * 60;

const { DOCUMENT, PHOTO, UNSPECIFIED } = PublicCustomerFileKind;
type Kind = typeof DOCUMENT | typeof PHOTO;
const NAME_OF = { [DOCUMENT]: 'document', [PHOTO]: 'photo' } as const;

interface FileRow {
  readonly id: string;
  readonly customer_id: string;
  readonly kind: Kind;
  readonly file_name: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly created_at: number;
}

/** Everything of a file but its bytes, which no answer carries. */
const FILE_COLUMNS = 'id, customer_id, kind, file_name, content_type, size_bytes, created_at';

interface UploadRow {
  readonly id: string;
  readonly customer_id: string;
  readonly kind: Kind;
  readonly file_name: string;
  readonly has_bytes: number;
  readonly file_id: string | null;
}

const toFile = (row: FileRow): MessageInitShape<typeof CustomerFileRecordSchema> => ({
  id: row.id,
  customerId: row.customer_id,
  kind: row.kind,
  fileName: row.file_name,
  contentType: row.content_type,
  sizeBytes: BigInt(row.size_bytes),
  createdAt: BigInt(row.created_at),
});

function fileOf(call: Call, id: string): FileRow {
  const row = call.store.get<FileRow>(`SELECT ${FILE_COLUMNS} FROM customer_files WHERE workspace_id = :workspaceId AND id = :id`, {
    workspaceId: call.workspaceId,
    id,
  });
  if (!row) throw notFound('file', id);
  return row;
}

type NewUpload = Omit<CreateCustomerDocumentUploadRequest | CreateCustomerPhotoUploadRequest, '$typeName' | '$unknown'>;

function createUpload(call: Call, kind: Kind, { customerId, fileName, contentType, sizeBytes }: NewUpload) {
  const customer = customerOf(call, customerId);
  if (sizeBytes > MAX_FILE_BYTES) throw invalid(`size_bytes must be at most ${MAX_FILE_BYTES}, but is ${sizeBytes}.`);
  const id = call.id();
  call.store.insert('customer_uploads', {
    id,
    workspace_id: call.workspaceId,
    customer_id: customer.id,
    kind,
    file_name: fileName,
    content_type: contentType,
    size_bytes: Number(sizeBytes),
  });
  const expiresAt = call.now + UPLOAD_SECONDS;
  const upload: MessageInitShape<typeof CustomerFileUploadRecordSchema> = {
    id,
    url: fileLink(call.baseUrl, 'uploads', id, expiresAt),
    method: 'PUT',
    headers: { 'content-type': contentType },
    expiresAt: BigInt(expiresAt),
  };
  return { upload };
}

function uploadOf(call: Call, id: string): UploadRow {
  const row = call.store.get<UploadRow>(
    `SELECT id, customer_id, kind, file_name, bytes IS NOT NULL AS has_bytes, file_id FROM customer_uploads
     WHERE workspace_id = :workspaceId AND id = :id`,
    { workspaceId: call.workspaceId, id },
  );
  if (!row) throw notFound('upload', id);
  return row;
}

function completeUpload(call: Call, kind: Kind, uploadId: string) {
  const upload = uploadOf(call, uploadId);
  if (upload.kind !== kind) throw blocked(`The upload ${uploadId} is of a ${NAME_OF[upload.kind]}, not of a ${NAME_OF[kind]}.`);
  if (upload.file_id !== null) return { file: toFile(fileOf(call, upload.file_id)) };
  if (!upload.has_bytes) throw blocked(`No bytes have arrived for the upload ${uploadId}: send them to its url first.`);
  const id = call.id();
  call.store.run(
    `INSERT INTO customer_files
     SELECT :id, workspace_id, customer_id, kind, file_name, content_type, size_bytes, :now, bytes FROM customer_uploads WHERE id = :uploadId`,
    { id, uploadId, now: call.now },
  );
  call.store.run('UPDATE customer_uploads SET bytes = NULL, file_id = :id WHERE id = :uploadId', { id, uploadId });
  call.timeline(upload.customer_id, {
    eventType: 'file_added',
    entityType: 'file',
    entityId: id,
    summary: `The ${NAME_OF[kind]} ${upload.file_name} was added.`,
  });
  return { file: toFile(fileOf(call, id)) };
}

/** The part of the Customer service that takes, lists and gives files. */
export const fileHandlers = {
  createCustomerDocumentUpload: {
    permission: 'customers:write',
    run: (request: CreateCustomerDocumentUploadRequest, call: Call) => createUpload(call, DOCUMENT, request),
  },

  completeCustomerDocumentUpload: {
    permission: 'customers:write',
    run: (request: CompleteCustomerDocumentUploadRequest, call: Call) => completeUpload(call, DOCUMENT, request.uploadId),
  },

  createCustomerPhotoUpload: {
    permission: 'customers:write',
    run: (request: CreateCustomerPhotoUploadRequest, call: Call) => createUpload(call, PHOTO, request),
  },

  completeCustomerPhotoUpload: {
    permission: 'customers:write',
    run: (request: CompleteCustomerPhotoUploadRequest, call: Call) => completeUpload(call, PHOTO, request.uploadId),
  },

  listCustomerFiles: {
    permission: 'customers:read',
    run: (request: ListCustomerFilesRequest, call: Call) => {
      const { rows, ...page } = call.page<FileRow>(
        request,
        `SELECT ${FILE_COLUMNS} FROM customer_files
         WHERE workspace_id = :workspaceId AND customer_id = :customerId AND (:kind = ${UNSPECIFIED} OR kind = :kind)
         ORDER BY created_at DESC, rowid DESC`,
        { workspaceId: call.workspaceId, customerId: customerOf(call, request.customerId).id, kind: request.kind },
      );
      return { files: rows.map(toFile), ...page };
    },
  },

  getCustomerFileDownloadLink: {
    permission: 'customers:read',
    run: (request: GetCustomerFileDownloadLinkRequest, call: Call) => {
      const { id } = fileOf(call, request.fileId);
      const expiresAt = call.now + DOWNLOAD_SECONDS;
      return { url: fileLink(call.baseUrl, 'downloads', id, expiresAt), expiresAt: BigInt(expiresAt) };
    },
  },
} as const;
