import { invalidInput } from '../../failures.ts';
import type {
  CustomerFileRecordJson,
  CustomerFileUploadRecordJson,
  PublicCustomerFileKindJson,
} from '../../upstream/contract/generated/publicapi/v1/files_pb.ts';
import { builder } from '../kit/builder.ts';
import { wireEnum } from '../kit/enums.ts';
import { ID_DESCRIPTION, readGlobalId, toGlobalId } from '../kit/globalIds.ts';
import { secret } from '../kit/marks.ts';
import { RecordFields } from '../kit/records.ts';
import { Customer } from './customers.ts';

export const CustomerFileKind = wireEnum<PublicCustomerFileKindJson>()('CustomerFileKind', {
  description: 'The kind of a file.',
  prefix: 'PUBLIC_CUSTOMER_FILE_KIND',
  members: { DOCUMENT: 'A document.', PHOTO: 'A photo.', OTHER: 'A kind that this graph does not know: see `kindText`.' },
});

const file = new RecordFields<CustomerFileRecordJson>('CustomerFileRecord');

export const CustomerFile = file.type('CustomerFile', {
  description: 'A file of a customer.',
  key: 'id',
  fields: (t) => ({
    ...file.word(t, 'kind', CustomerFileKind, 'The kind of the file.'),
    customer: file.requiredEdge(t, 'customerId', Customer, 'The customer it belongs to.'),
    fileName: file.requiredText(t, 'fileName', 'The name of the file.'),
    contentType: file.requiredText(t, 'contentType', 'Its media type, such as `application/pdf`.'),
    sizeBytes: file.int64(t, 'sizeBytes', 'The size in bytes.'),
    createdAt: file.dateTime(t, 'createdAt', 'The moment at which the file was added.'),
  }),
});

/** An HTTP header. */
const UploadHeader = builder.objectRef<readonly [name: string, value: string]>('CustomerFileUploadHeader').implement({
  description: 'A header to send with the bytes.',
  fields: (t) => ({
    name: t.string({ nullable: false, description: 'Its name.', resolve: ([name]) => name }),
    value: t.string({ nullable: false, description: 'Its value.', resolve: ([, value]) => value }),
  }),
});

/** The kind of the file that an upload was begun for. A symbol, since it is not what the upstream answered. */
const KIND = Symbol('kind');

type Kind = 'DOCUMENT' | 'PHOTO';

/** An upload with the kind that it was begun for, which its id carries: the upstream completes each kind by another operation. */
export const ofKind = (kind: Kind, record: CustomerFileUploadRecordJson) => ({ ...record, [KIND]: kind });

const UPLOAD_ID = /^(DOCUMENT|PHOTO)\/(.+)$/s;

/** Takes the id of an upload apart. Fails with ValidationError for any other id: the raw id of an upload does not tell its kind. */
export function readUploadId(id: string, path: readonly string[]): { readonly kind: Kind; readonly rawId: string } {
  const global = readGlobalId(id);
  const [, kind, rawId] = (global?.typename === 'CustomerFileUpload' && UPLOAD_ID.exec(global.id)) || [];
  if (!kind || !rawId)
    throw invalidInput(
      path,
      'INVALID_FORMAT',
      'must be the `id` of an upload, as `customerFileUploadCreate` answers it; its `rawId` does not tell the kind.',
    );
  return { kind: kind as Kind, rawId };
}

const upload = new RecordFields<CustomerFileUploadRecordJson>('CustomerFileUploadRecord');

upload.type('CustomerFileUpload', {
  description: 'An address for the bytes of a new file. Send them there, then complete the upload.',
  key: 'id',
  fields: (t) => ({
    id: t.id({
      description: ID_DESCRIPTION,
      nullable: false,
      resolve: ({ id, [KIND]: kind }: { readonly id?: string; readonly [KIND]?: Kind }) =>
        toGlobalId('CustomerFileUpload', `${kind}/${id}`),
    }),
    url: t.field({
      type: 'URL',
      ...secret(upload.mark('url', 'The address. Whoever has it can send the file.')),
      resolve: ({ url }) => url || null,
    }),
    method: upload.text(t, 'method', 'The HTTP method.'),
    headers: t.field({
      type: [UploadHeader],
      nullable: false,
      ...secret(upload.mark('headers', 'The headers to send.')),
      resolve: ({ headers }) => Object.entries(headers ?? {}),
    }),
    expiresAt: upload.dateTime(t, 'expiresAt', 'Until when the address can be used.'),
  }),
});
