import { describe, expect, it } from 'vitest';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();

const READ = `query ($email: ID!, $document: ID!) {
  emailTemplates(first: 2) { nodes { rawId name } pageInfo { hasNextPage } }
  documentTemplates(first: 2) { nodes { rawId name } pageInfo { hasNextPage } }
  emailTemplate(id: $email) { name subject body isPublished createdAt }
  documentTemplate(id: $document) { name isPublished createdAt }
}`;

const EMAIL = `mutation ($input: EmailTemplateCreateInput!) { emailTemplateCreate(input: $input) { __typename
  ... on EmailTemplateCreatePayload { emailTemplate { id rawId name subject body isPublished } effect }
  ... on ValidationError { issues { path code limit } } } }`;
const DOCUMENT = `mutation ($input: DocumentTemplateCreateInput!) { documentTemplateCreate(input: $input) { __typename
  ... on DocumentTemplateCreatePayload { documentTemplate { id rawId name isPublished } effect }
  ... on ValidationError { issues { path code limit } } } }`;

describe('templates', () => {
  it('lists templates and looks them up by ID', async () => {
    const variables = { email: demoId('email template 3'), document: demoId('document template 0') };
    const [{ data, errors }, calls] = await testGraph.recordCalls(() => testGraph.execute(READ, variables));
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      emailTemplates: { nodes: [expect.anything(), expect.anything()], pageInfo: { hasNextPage: true } },
      documentTemplates: { nodes: [expect.anything(), expect.anything()], pageInfo: { hasNextPage: true } },
      emailTemplate: {
        name: 'Yearly check',
        subject: 'Time for the yearly check',
        body: 'Choose a day in your portal.',
        isPublished: false,
      },
      documentTemplate: { name: 'Visit report', isPublished: true },
    });
    expect(calls.toSorted()).toEqual([
      'DocumentTemplate/GetDocumentTemplate',
      'DocumentTemplate/ListDocumentTemplates',
      'EmailTemplate/GetEmailTemplate',
      'EmailTemplate/ListEmailTemplates',
    ]);
  });

  it('creates email templates as plain-text drafts', async () => {
    const fields = { name: 'Delay', subject: 'We are late', body: 'By half an hour.' };
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(EMAIL, { input: fields }));
    expect(data.emailTemplateCreate).toMatchObject({ emailTemplate: { ...fields, isPublished: false }, effect: 'DONE' });
    expect(calls).toEqual(['EmailTemplate/CreateEmailTemplate']);
    const { id } = data.emailTemplateCreate.emailTemplate;
    const read = await testGraph.execute('query ($id: ID!) { node(id: $id) { ... on EmailTemplate { body } } }', { id });
    expect(read.data.node).toEqual({ body: 'By half an hour.' });
  });

  it('creates document templates as blank drafts', async () => {
    const [{ data }, calls] = await testGraph.recordCalls(() => testGraph.execute(DOCUMENT, { input: { name: 'Checklist' } }));
    expect(data.documentTemplateCreate).toMatchObject({ documentTemplate: { name: 'Checklist', isPublished: false }, effect: 'DONE' });
    expect(calls).toEqual(['DocumentTemplate/CreateDocumentTemplate']);
  });

  it('requires a non-blank name', async () => {
    const { data } = await testGraph.execute(DOCUMENT, { input: { name: ' ' } });
    expect(data.documentTemplateCreate).toMatchObject({ __typename: 'ValidationError', issues: [{ path: ['name'], code: 'BLANK' }] });
  });

  it('requires the settings permission in addition to the scopes', async () => {
    const { data, errors } = await testGraph.executeAs('demo-restricted', '{ emailTemplates { nodes { id } } }');
    expect(data).toEqual({ emailTemplates: null });
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', reason: 'PERMISSION_OR_RESOURCE' } }]);
  });
});
