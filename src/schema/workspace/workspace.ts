import { grantsIn } from '../../upstream/access/grants.ts';
import type { ApiKeyRecord, CompanyProfileRecord, MeResponse, WorkspaceRecord } from '../../upstream/contract/generated/records.ts';
import { builder } from '../kit/builder.ts';
import { rawRecord } from '../kit/rawRecords.ts';
import { recordType } from '../kit/recordTypes.ts';

const Workspace = recordType<WorkspaceRecord>('Workspace', {
  record: 'WorkspaceRecord',
  description: 'A workspace: the account whose data an API key gives access to.',
  key: 'id',
  fields: (f) => ({
    name: f.requiredText('name', 'Name of the workspace.'),
    timeZone: f.scalar('timeZone', 'TimeZone', 'Time zone that defines the workspace’s calendar days.'),
    currencyCode: f.scalar('currency', 'CurrencyCode', 'Currency that the workspace uses.'),
    countryCode: f.scalar('countryCode', 'CountryCode', 'Country of the workspace.'),
  }),
});

const ApiKey = recordType<ApiKeyRecord>('ApiKey', {
  record: 'ApiKeyRecord',
  description: 'An API key, without its secret.',
  key: 'id',
  fields: (f) => ({
    name: f.text('name', 'Name that the creator gave the key.'),
    creator: f.actor('creatorName', 'Person who created the key. The key can do what this person can.'),
    expiresAt: f.dateTime('expiresAt', 'When the key expires. Null if it never expires.'),
    allowedCidrs: f.texts(
      'allowedCidrs',
      'IP address ranges (CIDR) that the key can be used from. Empty if it can be used from any address.',
    ),
  }),
});

export const Viewer = builder.objectRef<MeResponse>('Viewer').implement({
  description: 'The caller: its workspace, its API key, and the key’s scopes.',
  fields: (t) => ({
    workspace: t.field({
      type: Workspace,
      description: 'Workspace that the key belongs to.',
      resolve: ({ workspace }) => workspace,
    }),
    apiKey: t.field({ type: ApiKey, description: 'API key of the request.', resolve: ({ apiKey }) => apiKey }),
    scopes: t.stringList({
      description: 'Scopes of the key. Null if the Workspace API doesn’t return them.',
      resolve: (answer) => {
        const { scopes } = grantsIn(answer);
        return scopes && [...scopes];
      },
    }),
    ...rawRecord(t),
  }),
});

export const CompanyProfile = recordType<CompanyProfileRecord>('CompanyProfile', {
  record: 'CompanyProfileRecord',
  description: 'The company details that customers see.',
  fields: (f) => ({
    legalName: f.text('legalName', 'Name in the trade register.'),
    registrationNumber: f.text('registrationNumber', 'Number in the trade register.'),
    vatNumber: f.text('vatNumber', 'VAT identification number.'),
    email: f.text('email', 'Email address of the company.'),
    phone: f.text('phone', 'Phone number of the company.'),
    websiteUrl: f.scalar('websiteUrl', 'URL', 'Website of the company.'),
    street: f.text('street', 'Street of the address.'),
    houseNumber: f.text('houseNumber', 'House number with its addition.'),
    postalCode: f.text('zipcode', 'Postal code of the address.'),
    city: f.text('city', 'City of the address.'),
    countryCode: f.scalar('countryCode', 'CountryCode', 'Country of the address.'),
    portalUrl: f.scalar('portalUrl', 'URL', 'URL of the customer portal.'),
  }),
});
