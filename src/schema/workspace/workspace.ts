import { parseGrants } from '../../upstream/access/grants.ts';
import type { ApiKeyRecord, CompanyProfileRecord, MeResponse, WorkspaceRecord } from '../../upstream/contract/generated/records.ts';
import { builder } from '../kit/builder.ts';
import { defineRecordType } from '../kit/recordTypes.ts';

const Workspace = defineRecordType<WorkspaceRecord>('Workspace', {
  record: 'WorkspaceRecord',
  description: 'A workspace: the account whose data an API key gives access to.',
  key: 'id',
  fields: (f) => ({
    name: f.requiredString('name', 'Name of the workspace.'),
    timeZone: f.scalar('timeZone', 'TimeZone', 'Time zone that defines the workspace’s calendar days.'),
    currencyCode: f.scalar('currency', 'CurrencyCode', 'Currency that the workspace uses.'),
    countryCode: f.scalar('countryCode', 'CountryCode', 'Country of the workspace.'),
  }),
});

const ApiKey = defineRecordType<ApiKeyRecord>('ApiKey', {
  record: 'ApiKeyRecord',
  description: 'An API key, without its secret.',
  key: 'id',
  fields: (f) => ({
    name: f.string('name', 'Name that the creator gave the key.'),
    creator: f.actor('creatorName', 'Person who created the key. The key can do what this person can.'),
    expiresAt: f.dateTime('expiresAt', 'When the key expires. Null if it never expires.'),
    allowedCidrs: f.stringList(
      'allowedCidrs',
      'IP address ranges (CIDR) that the key can be used from. Empty if it can be used from any address.',
    ),
  }),
});

export const Viewer = builder.objectRef<MeResponse>('Viewer').implement({
  description: 'The caller: its workspace, its API key, and its scopes.',
  fields: (t) => ({
    workspace: t.field({
      type: Workspace,
      description: 'Workspace that the key belongs to.',
      resolve: ({ workspace }) => workspace,
    }),
    apiKey: t.field({ type: ApiKey, description: 'API key of the request.', resolve: ({ apiKey }) => apiKey }),
    scopes: t.stringList({
      description: 'Scopes of the key that the caller can use. Null if the Workspace API doesn’t return them.',
      resolve: (response, _args, { upstream }) => {
        const scopes = upstream.access.limitScopes(parseGrants(response).scopes);
        return scopes && [...scopes];
      },
    }),
  }),
});

export const CompanyProfile = defineRecordType<CompanyProfileRecord>('CompanyProfile', {
  record: 'CompanyProfileRecord',
  description: 'The company details that customers see.',
  fields: (f) => ({
    legalName: f.string('legalName', 'Name in the trade register.'),
    registrationNumber: f.string('registrationNumber', 'Number in the trade register.'),
    vatNumber: f.string('vatNumber', 'VAT identification number.'),
    email: f.string('email', 'Email address of the company.'),
    phone: f.string('phone', 'Phone number of the company.'),
    websiteUrl: f.scalar('websiteUrl', 'URL', 'Website of the company.'),
    street: f.string('street', 'Street of the address.'),
    houseNumber: f.string('houseNumber', 'House number with its addition.'),
    postalCode: f.string('zipcode', 'Postal code of the address.'),
    city: f.string('city', 'City of the address.'),
    countryCode: f.scalar('countryCode', 'CountryCode', 'Country of the address.'),
    portalUrl: f.scalar('portalUrl', 'URL', 'URL of the customer portal.'),
  }),
});
