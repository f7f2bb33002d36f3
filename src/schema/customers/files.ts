import { invalidInput } from '../../failures.ts';
import type { PublicCustomerFileKindJson } from '../../upstream/contract/generated/publicapi/v1/files_pb.ts';
import type { CustomerFileRecord, CustomerFileUploadRecord } from '../../upstream/contract/generated/records.ts';
import { builder } from '../kit/builder.ts';
import { wireEnum } from '../kit/enums.ts';
import { readGlobalId, toGlobalId, UNRESOLVABLE_ID_DESCRIPTION } from '../kit/globalIds.ts';
import { secret } from '../kit/marks.ts';
import { RecordFields } from '../kit/records.ts';
import { Customer } from './customers.ts';

export const CustomerFileKind = wireEnum<PublicCustomerFileKindJson>()('CustomerFileKind', {
  description: 'The kind of a customer file.',
  prefix: 'PUBLIC_CUSTOMER_FILE_KIND',
  members: { DOCUMENT: 'A document, such as a PDF.', PHOTO: 'A photo.', OTHER: 'A value that isn’t in this schema yet. See `kindText`.' },
});

const file = new RecordFields<CustomerFileRecord>('CustomerFileRecord');

export const CustomerFile = file.type('CustomerFile', {
  description: 'A file attached to a customer.',
  key: 'id',
  fields: (t) => ({
    ...file.word(t, 'kind', CustomerFileKind, 'Whether the file is a document or a photo.'),
    customer: file.requiredEdge(t, 'customerId', Customer, 'Customer that the file belongs to.'),
    fileName: file.requiredText(t, 'fileName', 'File name.'),
    contentType: file.requiredText(t, 'contentType', 'Media type, such as `application/pdf`.'),
    sizeBytes: file.int64(t, 'sizeBytes', 'File size in bytes.'),
    createdAt: file.dateTime(t, 'createdAt', 'When the file was added.'),
  }),
});

/** An HTTP header. */
const UploadHeader = builder.objectRef<readonly [name: string, value: string]>('CustomerFileUploadHeader').implement({
  description: 'An HTTP header of the upload request.',
  fields: (t) => ({
    name: t.string({ nullable: false, description: 'Header name.', resolve: ([name]) => name }),
    value: t.string({ nullable: false, description: 'Header value.', resolve: ([, value]) => value }),
  }),
});

/** The kind of the file that an upload was begun for. A symbol, since it is not what the upstream answered. */
const KIND = Symbol('kind');

type Kind = 'DOCUMENT' | 'PHOTO';

/** An upload with the kind that it was begun for, which its id carries: the upstream completes each kind by another operation. */
export const ofKind = (kind: Kind, record: CustomerFileUploadRecord) => ({ ...record, [KIND]: kind });

const UPLOAD_ID = /^(DOCUMENT|PHOTO)\/(.+)$/s;

/** Decodes an upload ID. Throws ValidationError for other IDs, because a raw upload ID doesn't include its kind. */
export function readUploadId(id: string, path: readonly string[]): { readonly kind: Kind; readonly rawId: string } {
  const global = readGlobalId(id);
  const [, kind, rawId] = (global?.typename === 'CustomerFileUpload' && UPLOAD_ID.exec(global.id)) || [];
  if (!kind || !rawId)
    throw invalidInput(
      path,
      'INVALID_FORMAT',
      'must be an upload `id` returned by `customerFileUploadCreate`. A `rawId` isn’t accepted because it doesn’t include the kind of file.',
    );
  return { kind: kind as Kind, rawId };
}

const upload = new RecordFields<CustomerFileUploadRecord>('CustomerFileUploadRecord');

export const CustomerFileUpload = upload.type('CustomerFileUpload', {
  description: 'A pending file upload. Send the content to `url`, then call `customerFileUploadComplete`.',
  key: 'id',
  fields: (t) => ({
    id: t.id({
      description: UNRESOLVABLE_ID_DESCRIPTION,
      nullable: false,
      resolve: ({ id, [KIND]: kind }: { readonly id: string; readonly [KIND]?: Kind }) => toGlobalId('CustomerFileUpload', `${kind}/${id}`),
    }),
    url: t.field({
      type: 'URL',
      ...secret(upload.mark('url', 'URL to send the content to. Keep it secret: anyone who has it can send the file.')),
      resolve: ({ url }) => url || null,
    }),
    method: upload.text(t, 'method', 'HTTP method of the upload request.'),
    headers: t.field({
      type: [UploadHeader],
      nullable: false,
      ...secret(upload.mark('headers', 'HTTP headers to include in the upload request.')),
      resolve: ({ headers }) => Object.entries(headers),
    }),
    expiresAt: upload.dateTime(t, 'expiresAt', 'When `url` expires.'),
  }),
});
