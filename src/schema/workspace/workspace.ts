import { grantsIn } from '../../upstream/access/grants.ts';
import type {
  ApiKeyRecordJson,
  CompanyProfileRecordJson,
  MeResponseJson,
  WorkspaceRecordJson,
} from '../../upstream/contract/generated/publicapi/v1/workspace_pb.ts';
import { builder } from '../kit/builder.ts';
import { rawRecord } from '../kit/rawRecords.ts';
import { RecordFields } from '../kit/records.ts';

const workspaceRecord = new RecordFields<WorkspaceRecordJson>('WorkspaceRecord');

const Workspace = workspaceRecord.type('Workspace', {
  description: 'The workspace that a key opens.',
  key: 'id',
  fields: (t) => ({
    name: workspaceRecord.requiredText(t, 'name', 'The name of the workspace.'),
    timeZone: t.field({
      type: 'TimeZone',
      ...workspaceRecord.mark('timeZone', 'The time zone that its days are counted in.'),
      resolve: ({ timeZone }) => timeZone || null,
    }),
    currencyCode: workspaceRecord.code(t, 'currency', 'CurrencyCode', 'The currency that it works in.'),
    countryCode: workspaceRecord.code(t, 'countryCode', 'CountryCode', 'The country it is in.'),
  }),
});

const keyRecord = new RecordFields<ApiKeyRecordJson>('ApiKeyRecord');

const ApiKey = keyRecord.type('ApiKey', {
  description: 'An API key, without its secret.',
  key: 'id',
  fields: (t) => ({
    name: keyRecord.text(t, 'name', 'The name that its creator gave the key.'),
    creator: keyRecord.actor(t, 'creatorName', 'The person who made the key. The key can do what this person can.'),
    expiresAt: keyRecord.dateTime(t, 'expiresAt', 'The moment at which the key expires; null when it does not.'),
    allowedCidrs: keyRecord.texts(t, 'allowedCidrs', 'The addresses it may be used from; empty when from any.'),
  }),
});

export const Viewer = builder.objectRef<MeResponseJson>('Viewer').implement({
  description: 'The caller: the workspace, the API key and its scopes.',
  fields: (t) => ({
    workspace: t.field({
      type: Workspace,
      description: 'The workspace that the key opens.',
      resolve: ({ workspace }) => workspace ?? null,
    }),
    apiKey: t.field({ type: ApiKey, description: 'The key.', resolve: ({ apiKey }) => apiKey ?? null }),
    scopes: t.stringList({
      description: 'The scopes of the key; null when they are not told.',
      resolve: (answer) => {
        const { scopes } = grantsIn(answer);
        return scopes && [...scopes];
      },
    }),
    ...rawRecord(t),
  }),
});

const profile = new RecordFields<CompanyProfileRecordJson>('CompanyProfileRecord');

export const CompanyProfile = profile.type('CompanyProfile', {
  description: 'The details of the company that customers see.',
  fields: (t) => ({
    legalName: profile.text(t, 'legalName', 'The name in the trade register.'),
    registrationNumber: profile.text(t, 'registrationNumber', 'The number in the trade register.'),
    vatNumber: profile.text(t, 'vatNumber', 'The VAT number.'),
    email: profile.text(t, 'email', 'The email address.'),
    phone: profile.text(t, 'phone', 'The phone number.'),
    websiteUrl: t.field({ type: 'URL', ...profile.mark('websiteUrl', 'The website.'), resolve: ({ websiteUrl }) => websiteUrl || null }),
    street: profile.text(t, 'street', 'The street.'),
    houseNumber: profile.text(t, 'houseNumber', 'The house number with its addition.'),
    postalCode: profile.text(t, 'zipcode', 'The postal code.'),
    city: profile.text(t, 'city', 'The city.'),
    countryCode: profile.code(t, 'countryCode', 'CountryCode', 'The country.'),
    portalUrl: t.field({
      type: 'URL',
      ...profile.mark('portalUrl', 'The address of the customers’ portal.'),
      resolve: ({ portalUrl }) => portalUrl || null,
    }),
  }),
});
