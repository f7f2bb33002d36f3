import { invalidInput } from '../../failures/failures.ts';
import type { CustomerFileRecord, CustomerFileUploadRecord } from '../../upstream/contract/generated/records.ts';
import { builder } from '../kit/builder.ts';
import { defineWireEnum } from '../kit/enums.ts';
import { decodeGlobalId, toGlobalId, UNRESOLVABLE_ID_DESCRIPTION } from '../kit/globalIds.ts';
import { defineRecordType } from '../kit/recordTypes.ts';
import { Customer } from './customers.ts';

export const CustomerFileKind = defineWireEnum('CustomerFileKind', 'PublicCustomerFileKind', {
  description: 'The kind of a customer file.',
  members: { DOCUMENT: 'A document, such as a PDF.', PHOTO: 'A photo.', OTHER: 'A value that isn’t in this schema yet. See `kindText`.' },
});

export const CustomerFile = defineRecordType<CustomerFileRecord>('CustomerFile', {
  record: 'CustomerFileRecord',
  description: 'A file attached to a customer.',
  key: 'id',
  fields: (f) => ({
    ...f.enumWithText('kind', CustomerFileKind, 'Whether the file is a document or a photo.'),
    customer: f.requiredEdge('customerId', Customer, 'Customer that the file belongs to.'),
    fileName: f.requiredString('fileName', 'File name.'),
    contentType: f.requiredString('contentType', 'Media type, such as `application/pdf`.'),
    sizeBytes: f.int64('sizeBytes', 'File size in bytes.'),
    createdAt: f.dateTime('createdAt', 'When the file was added.'),
  }),
});

const UploadHeader = builder.objectRef<readonly [name: string, value: string]>('CustomerFileUploadHeader').implement({
  description: 'An HTTP header of the upload request.',
  fields: (t) => ({
    name: t.string({ nullable: false, description: 'Header name.', resolve: ([name]) => name }),
    value: t.string({ nullable: false, description: 'Header value.', resolve: ([, value]) => value }),
  }),
});

/** Kind of file that an upload was created for. A symbol, because the upstream didn't return it. */
const KIND = Symbol('kind');

type FileKind = 'DOCUMENT' | 'PHOTO';

/** Adds the kind of file to an upload. The upload's ID contains it, because the upstream has a separate operation to complete each kind. */
export const withKind = (kind: FileKind, record: CustomerFileUploadRecord) => ({ ...record, [KIND]: kind });

const UPLOAD_ID = /^(DOCUMENT|PHOTO)\/(.+)$/s;

/** Decodes an upload ID. Throws ValidationError for other IDs, because a raw upload ID doesn't include its kind. */
export function decodeUploadId(id: string, path: readonly string[]): { readonly kind: FileKind; readonly rawId: string } {
  const global = decodeGlobalId(id);
  const [, kind, rawId] = (global?.typename === 'CustomerFileUpload' && UPLOAD_ID.exec(global.id)) || [];
  if (!kind || !rawId)
    throw invalidInput(
      path,
      'INVALID_FORMAT',
      'must be an upload `id` returned by `customerFileUploadCreate`. A `rawId` isn’t accepted because it doesn’t include the kind of file.',
    );
  return { kind: kind as FileKind, rawId };
}

export const CustomerFileUpload = defineRecordType<CustomerFileUploadRecord>('CustomerFileUpload', {
  record: 'CustomerFileUploadRecord',
  description: 'A pending file upload. Send the content to `url`, then call `customerFileUploadComplete`.',
  key: 'id',
  fields: (f, t) => ({
    id: t.id({
      description: UNRESOLVABLE_ID_DESCRIPTION,
      nullable: false,
      resolve: ({ id, [KIND]: kind }: { readonly id: string; readonly [KIND]?: FileKind }) =>
        toGlobalId('CustomerFileUpload', `${kind}/${id}`),
    }),
    url: f.scalar('url', 'URL', 'URL to send the content to. Keep it secret: anyone who has it can send the file.'),
    method: f.string('method', 'HTTP method of the upload request.'),
    headers: t.field({
      type: [UploadHeader],
      nullable: false,
      ...f.annotate('headers', 'HTTP headers to include in the upload request.'),
      resolve: ({ headers }) => Object.entries(headers),
    }),
    expiresAt: f.dateTime('expiresAt', 'When `url` expires.'),
  }),
});
