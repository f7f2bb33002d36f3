import { flag, integer, issuerUrl, keyStore, oneOf, publicUrl, text, textList } from './settingKinds.ts';
import type { Setting } from './settingTypes.ts';

/** Without an issuer, sign-in is disabled: tokens would be sent upstream as API keys. */
const needs = [{ variable: 'AUTH_ISSUER' }];

/** The settings of signing in with access tokens. */
export const SIGN_IN_SETTINGS = {
  AUTH_ISSUER: {
    group: 'Sign-in',
    kind: issuerUrl,
    default: '',
    needs: [{ variable: 'AUTH_AUDIENCE' }, { variable: 'AUTH_KEYS' }],
    description:
      'Issuer of the access tokens that clients can send instead of API keys ([sign-in](sign-in.md)), exactly as the provider names itself. Its OpenID Connect configuration must be at `/.well-known/openid-configuration` below it. If unset, sign-in is disabled.',
  },
  AUTH_AUDIENCE: {
    group: 'Sign-in',
    kind: textList,
    default: '',
    needs,
    description: 'Audiences of access tokens for `/graphql`. A token must have one of them.',
  },
  AUTH_KEYS: {
    group: 'Sign-in',
    kind: keyStore,
    default: '',
    needs,
    description:
      'Where [the API keys of accounts](sign-in.md#api-keys-of-accounts) are stored: `file:` and a path, `env:` and the name of a variable, or `redis://` or `rediss://` with an optional database number and `?prefix=`.',
  },
  AUTH_CLAIM: {
    group: 'Sign-in',
    kind: text,
    default: 'sub',
    needs,
    description:
      'Claim of the access token whose value, or one of whose values, an API key is assigned to: `sub` for a key per person, or the claim with the tenant or the groups. A name with dots can also be a path, such as `realm_access.roles`.',
  },
  AUTH_TOKEN_TYPE: {
    group: 'Sign-in',
    kind: oneOf(['at+jwt', 'any'] as const),
    default: 'at+jwt',
    needs,
    description:
      'Required `typ` of access tokens. `any` is for providers that don’t set it. ID tokens are then accepted, too, so use an audience that they don’t have.',
  },
  AUTH_API_KEYS: {
    group: 'Sign-in',
    kind: flag,
    default: 'true',
    needs,
    description: 'Whether clients can also send API keys.',
  },
  AUTH_RESOURCE: {
    group: 'Sign-in',
    kind: publicUrl,
    default: '',
    needs,
    description:
      'Public base URL of the graph, such as `https://graph.example.com`. Agents need it [to sign in](sign-in.md#agents): their tokens must have this URL followed by `/mcp` as audience.',
  },
  AUTH_KEYS_STALE_MS: {
    group: 'Sign-in',
    kind: integer(0, 86_400_000, 'ms'),
    default: '300000',
    needs,
    description:
      'How long assignments of API keys are used while their store can’t be read. After that, requests of their accounts get 503.',
  },
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
