import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { type Area, NamedRecords, post } from './case.ts';

const CREATE = `mutation ($input: CustomerFileUploadCreateInput!) {
  customerFileUploadCreate(input: $input) {
    __typename
    ... on CustomerFileUploadCreatePayload { effect upload { id url method headers { name value } expiresAt } customer { rawId } }
    ... on MutationError { code message retry ... on ValidationError { issues { path code limit message } } }
  }
}`;

const COMPLETE = `mutation ($input: CustomerFileUploadCompleteInput!) {
  customerFileUploadComplete(input: $input) {
    __typename
    ... on CustomerFileUploadCompletePayload {
      effect
      file { kind fileName contentType sizeBytes downloadUrl }
      customer { files(first: 5) { nodes { fileName } } }
    }
    ... on MutationError { code message retry }
  }
}`;

const PHOTO = { fileName: 'roof.png', contentType: 'image/png', sizeBytes: '4' };

export const files: Area = {
  name: 'files',
  cases: [
    {
      title: 'photo',
      steps: async (sandbox) => {
        const records = new NamedRecords(sandbox, 'photo');
        const customerId = await records.id('Customer');
        const { upload } = await records.call('Customer/CreateCustomerPhotoUpload', { customerId, ...PHOTO });
        await fetch(upload.url, { method: 'PUT', headers: { 'content-type': PHOTO.contentType }, body: 'four' });
        const missing = await records.call('Customer/CreateCustomerPhotoUpload', { customerId, ...PHOTO });
        const complete = (id: string) => post(COMPLETE, { input: { uploadId: toGlobalId('CustomerFileUpload', `PHOTO/${id}`) } });
        const create = (more: object) => post(CREATE, { input: { customerId, kind: 'PHOTO', ...PHOTO, ...more } });
        return [
          { title: 'photo upload', request: create({ idempotencyKey: 'photo' }) },
          { title: 'photo upload repeated without a second link', request: create({ idempotencyKey: 'photo' }) },
          { title: 'photo upload of another content type', request: create({ contentType: 'application/pdf' }) },
          { title: 'photo upload of no bytes', request: create({ sizeBytes: '0' }) },
          { title: 'photo completed', request: complete(upload.id) },
          { title: 'photo completed without its bytes', request: complete(missing.upload.id) },
        ];
      },
    },
  ],
};
