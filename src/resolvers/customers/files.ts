import type { Context } from '../../context.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { CustomerFile, CustomerFileKind, ofKind, readUploadId } from '../../schema/customers/files.ts';
import { builder } from '../../schema/kit/builder.ts';
import { own } from '../../schema/kit/inputs.ts';
import { calling, secret } from '../../schema/kit/marks.ts';
import {
  CompleteCustomerDocumentUpload,
  CompleteCustomerPhotoUpload,
  CreateCustomerDocumentUpload,
  CreateCustomerPhotoUpload,
  GetCustomerFileDownloadLink,
  ListCustomerFiles,
} from '../../upstream/contract/generated/operations.ts';
import { filterOf } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';

const FileFilter = filterOf(ListCustomerFiles, CustomerFile, (f) => ({ kind: f.kind('Only those of this kind.', CustomerFileKind) }));

builder.objectField(Customer.ref, 'files', (t) =>
  t.field(
    list(ListCustomerFiles, {
      description: 'The files of this customer.',
      order: 'Newest first.',
      on: Customer,
      node: CustomerFile,
      filter: FileFilter,
    }),
  ),
);

builder.objectField(CustomerFile, 'downloadUrl', (t) =>
  t.field(
    secret(
      calling(
        GetCustomerFileDownloadLink,
        'An address that the file can be fetched from for a short time. Each one is a call to the Workspace API.',
        {
          type: 'URL' as const,
          resolve: async ({ id = '' }: { id?: string }, _args: object, { upstream }: Context) =>
            (await upstream.call(GetCustomerFileDownloadLink, { fileId: id })).url || null,
        },
      ),
    ),
  ),
);

mutation('customerFileUploadCreate', CreateCustomerDocumentUpload, {
  description:
    'Begins the upload of a file: answers where to send its bytes. The address and its headers are told once: a repeat under the same key is answered without them; begin another upload then.',
  on: Customer,
  input: (f) => ({
    kind: own(CustomerFileKind.input, 'The kind of the file.', { required: true }),
    fileName: f.fileName('The name of the file.'),
    contentType: f.contentType('Its media type. It is like `application/pdf`, and a photo’s begins with `image/`.'),
    sizeBytes: f.sizeBytes('The size in bytes.'),
  }),
  variants: { by: ({ kind }) => kind, operations: { PHOTO: CreateCustomerPhotoUpload } },
  returns: { upload: 'The address for the bytes.' },
  answer: ({ upload }, _request, { kind }) => ({ upload: upload?.id ? ofKind(kind, upload) : undefined }),
  leadsTo: { customer: [Customer, 'The customer.', (_response, { customerId }) => customerId] },
});

mutation('customerFileUploadComplete', CompleteCustomerDocumentUpload, {
  description: 'Makes a file of the bytes that were sent.',
  input: () => ({
    uploadId: own('ID', 'The `id` of the upload. Not its `rawId`, which does not tell the kind of the file.', { required: true }),
  }),
  variants: { by: ({ uploadId }) => readUploadId(uploadId, ['uploadId']).kind, operations: { PHOTO: CompleteCustomerPhotoUpload } },
  request: (_request, { uploadId }) => ({ uploadId: readUploadId(uploadId, ['uploadId']).rawId }),
  returns: { file: 'The new file.' },
  leadsTo: { customer: [Customer, 'The customer. Its `files` have changed.', ({ file }) => file?.customerId] },
});
