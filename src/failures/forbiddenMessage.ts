/** Why access is denied, as far as it's known. */
export type ForbiddenReason =
  | 'MISSING_SCOPE'
  | 'ACCOUNT_SCOPE'
  | 'UNDOCUMENTED_SCOPE'
  | 'PERMISSION_OR_RESOURCE'
  | 'ADDRESS'
  | 'UNDETERMINED';

const FORBIDDEN_MESSAGES: Readonly<Record<Exclude<ForbiddenReason, 'UNDETERMINED'>, string>> = {
  MISSING_SCOPE: 'The API key is missing a required scope. Use a key that has it.',
  ACCOUNT_SCOPE: 'Your account isn’t allowed a required scope. Contact your workspace administrator.',
  UNDOCUMENTED_SCOPE:
    'Your account is limited to certain scopes, and the scope of this operation isn’t documented. Contact your workspace administrator.',
  PERMISSION_OR_RESOURCE:
    'The API key has the required scopes, but its account doesn’t have permission for this operation or record. Grant the account the permission, or use the key of an account that has it.',
  ADDRESS:
    'The API key doesn’t allow requests from the graph’s IP address, as seen by the Workspace API. Add that address to the key’s allowlist.',
};

const createAccountScopesMessage = (scopes: readonly string[]): string =>
  `Your account isn’t allowed ${scopes.map((scope) => `\`${scope}\``).join(', ')}. Contact your workspace administrator.`;

const createMissingScopesMessage = (scopes: readonly string[]): string =>
  scopes.length > 1
    ? `The API key is missing required scopes: ${scopes.join(', ')}. Use a key that has them.`
    : `The API key is missing a required scope: ${scopes[0]}. Use a key that has it.`;

/** The message if only the Workspace API knows the reason: the API's response, and nothing else about the key. */
function createUndeterminedMessage(isDocumented: boolean, upstreamSays: string | null): string {
  const denial = upstreamSays
    ? `The Workspace API denied access: ${/[.!?]$/.test(upstreamSays) ? upstreamSays : `${upstreamSays}.`}`
    : 'The Workspace API denied access without giving a reason: a scope, a permission, or access to the record can be missing.';
  const advice = isDocumented
    ? 'Use a key that has the required scopes by name (a wildcard may not count) and whose account has permission.'
    : 'The required scope isn’t documented, so ask an administrator of the workspace.';
  return `${denial} ${advice}`;
}

/** Message of a ForbiddenError: the reason, and what to do. */
export function createForbiddenMessage(
  reason: ForbiddenReason,
  requiredScopes: readonly string[],
  missingScopes: readonly string[],
  upstreamSays: string | null,
): string {
  if (reason === 'UNDETERMINED') return createUndeterminedMessage(requiredScopes.length > 0, upstreamSays);
  const createMessage = reason === 'ACCOUNT_SCOPE' ? createAccountScopesMessage : createMissingScopesMessage;
  const explanation = missingScopes.length > 0 ? createMessage(missingScopes) : FORBIDDEN_MESSAGES[reason];
  return upstreamSays ? `${explanation} The Workspace API responded: ${upstreamSays}` : explanation;
}
