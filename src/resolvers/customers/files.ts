import type { Context } from '../../context.ts';
import { UpstreamInvalidError } from '../../failures/failures.ts';
import { Customer } from '../../schema/customers/customers.ts';
import { CustomerFile, CustomerFileKind, CustomerFileUpload, decodeUploadId, withKind } from '../../schema/customers/files.ts';
import { builder } from '../../schema/kit/builder.ts';
import { createOperationOptions, tagSecret } from '../../schema/kit/fieldAnnotations.ts';
import { unbound, unboundEnum } from '../../schema/kit/inputs.ts';
import { NULL_ONLY_WITH_ERROR } from '../../schema/kit/nullability.ts';
import { OWNER } from '../../schema/kit/parts.ts';
import { rankDescendingBy } from '../../schema/paging/anchors.ts';
import {
  CompleteCustomerDocumentUpload,
  CompleteCustomerPhotoUpload,
  CreateCustomerDocumentUpload,
  CreateCustomerPhotoUpload,
  GetCustomerFileDownloadLink,
  ListCustomerFiles,
} from '../../upstream/contract/generated/operations.ts';
import { declareFilter } from '../kit/filters.ts';
import { list } from '../kit/lists.ts';
import { mutation } from '../kit/mutation.ts';
import { readFirstPage, registerReread, reuseIfOwnerVisible } from '../kit/rereads.ts';

const FileFilter = declareFilter(ListCustomerFiles, CustomerFile, (f) => ({ kind: f.kind('Only files of this kind.', CustomerFileKind) }));

builder.objectField(Customer.ref, 'files', (t) =>
  t.field(
    list(ListCustomerFiles, {
      description: 'The customer’s files.',
      order: 'Newest first.',
      sortedBy: rankDescendingBy('createdAt'),
      on: Customer,
      node: CustomerFile,
      filter: FileFilter,
    }),
  ),
);

builder.objectField(CustomerFile, 'downloadUrl', (t) =>
  t.field(
    tagSecret(
      createOperationOptions(GetCustomerFileDownloadLink, 'Temporary URL to download the file. Costs one upstream call per file.', {
        type: 'URL' as const,
        extensions: { isServedByKey: true, ...NULL_ONLY_WITH_ERROR },
        resolve: async ({ id }: { readonly id: string }, _args: object, { upstream }: Context) => {
          const { url } = await upstream.call(GetCustomerFileDownloadLink, { fileId: id });
          if (url) return url;
          throw new UpstreamInvalidError('it doesn’t contain the URL');
        },
      }),
    ),
  ),
);

registerReread(
  CustomerFile,
  readFirstPage(ListCustomerFiles, ({ customerId }) => ({ customerId })),
);
registerReread(
  CustomerFileUpload,
  reuseIfOwnerVisible(Customer, ({ [OWNER]: customerId }) => customerId),
);

mutation('customerFileUploadCreate', CreateCustomerDocumentUpload, {
  description:
    'Starts a file upload and returns the URL to send the content to. The URL and headers are returned only once. A retry with the same key omits them, so start a new upload instead.',
  on: Customer,
  input: (f) => ({
    kind: unboundEnum(CustomerFileKind, 'Whether the file is a document or a photo.', { required: true }),
    fileName: f.fileName('File name.'),
    contentType: f.contentType('Media type, such as `application/pdf`. Photos need an `image/` type.'),
    sizeBytes: f.sizeBytes('File size in bytes.'),
  }),
  request: { variants: { by: ({ kind }) => kind, operations: { PHOTO: CreateCustomerPhotoUpload } } },
  returns: { upload: 'The pending upload.' },
  payload: {
    resolve: ({ upload }, { customerId }, { kind }) => ({
      upload: upload?.id ? { ...withKind(kind, upload), [OWNER]: customerId } : undefined,
    }),
  },
  affects: { customer: [Customer, 'Customer that the file is for.', (_response, { customerId }) => customerId] },
});

mutation('customerFileUploadComplete', CompleteCustomerDocumentUpload, {
  description: 'Completes a file upload and creates the file.',
  input: () => ({
    uploadId: unbound('ID', '`id` of the upload. The `rawId` isn’t accepted because it doesn’t include the kind of file.', {
      required: true,
    }),
  }),
  request: {
    complete: (_request, { uploadId }) => ({ uploadId: decodeUploadId(uploadId, ['uploadId']).rawId }),
    variants: { by: ({ uploadId }) => decodeUploadId(uploadId, ['uploadId']).kind, operations: { PHOTO: CompleteCustomerPhotoUpload } },
  },
  returns: { file: 'The new file.' },
  affects: { customer: [Customer, 'The customer. Its `files` have changed; refetch them.', ({ file }) => file?.customerId] },
});
