import { grantsIn } from '../../upstream/access/grants.ts';
import type { ApiKeyRecord, CompanyProfileRecord, MeResponse, WorkspaceRecord } from '../../upstream/contract/generated/records.ts';
import { builder } from '../kit/builder.ts';
import { rawRecord } from '../kit/rawRecords.ts';
import { RecordFields } from '../kit/records.ts';

const workspaceRecord = new RecordFields<WorkspaceRecord>('WorkspaceRecord');

const Workspace = workspaceRecord.type('Workspace', {
  description: 'A workspace: the account whose data an API key gives access to.',
  key: 'id',
  fields: (t) => ({
    name: workspaceRecord.requiredText(t, 'name', 'Name of the workspace.'),
    timeZone: t.field({
      type: 'TimeZone',
      ...workspaceRecord.mark('timeZone', 'Time zone that defines the workspace’s calendar days.'),
      resolve: ({ timeZone }) => timeZone || null,
    }),
    currencyCode: workspaceRecord.code(t, 'currency', 'CurrencyCode', 'Currency that the workspace uses.'),
    countryCode: workspaceRecord.code(t, 'countryCode', 'CountryCode', 'Country of the workspace.'),
  }),
});

const keyRecord = new RecordFields<ApiKeyRecord>('ApiKeyRecord');

const ApiKey = keyRecord.type('ApiKey', {
  description: 'An API key, without its secret.',
  key: 'id',
  fields: (t) => ({
    name: keyRecord.text(t, 'name', 'Name that the creator gave the key.'),
    creator: keyRecord.actor(t, 'creatorName', 'Person who created the key. The key can do what this person can.'),
    expiresAt: keyRecord.dateTime(t, 'expiresAt', 'When the key expires. Null if it never expires.'),
    allowedCidrs: keyRecord.texts(
      t,
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

const profile = new RecordFields<CompanyProfileRecord>('CompanyProfileRecord');

export const CompanyProfile = profile.type('CompanyProfile', {
  description: 'The company details that customers see.',
  fields: (t) => ({
    legalName: profile.text(t, 'legalName', 'Name in the trade register.'),
    registrationNumber: profile.text(t, 'registrationNumber', 'Number in the trade register.'),
    vatNumber: profile.text(t, 'vatNumber', 'VAT identification number.'),
    email: profile.text(t, 'email', 'Email address of the company.'),
    phone: profile.text(t, 'phone', 'Phone number of the company.'),
    websiteUrl: t.field({
      type: 'URL',
      ...profile.mark('websiteUrl', 'Website of the company.'),
      resolve: ({ websiteUrl }) => websiteUrl || null,
    }),
    street: profile.text(t, 'street', 'Street of the address.'),
    houseNumber: profile.text(t, 'houseNumber', 'House number with its addition.'),
    postalCode: profile.text(t, 'zipcode', 'Postal code of the address.'),
    city: profile.text(t, 'city', 'City of the address.'),
    countryCode: profile.code(t, 'countryCode', 'CountryCode', 'Country of the address.'),
    portalUrl: t.field({
      type: 'URL',
      ...profile.mark('portalUrl', 'URL of the customer portal.'),
      resolve: ({ portalUrl }) => portalUrl || null,
    }),
  }),
});
