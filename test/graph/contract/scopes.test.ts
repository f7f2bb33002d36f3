import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import type { AnyOperation } from '../../../src/upstream/contract/operation.ts';
import { CONDITIONAL_SCOPES, DOCUMENTED, getDocumentedScopes, UNDOCUMENTED } from '../../support/contract/scopes.ts';

const getShortName = (name: string) => name.slice(name.indexOf('/') + 1);
const isDocumented = ({ name }: AnyOperation) => DOCUMENTED.has(getShortName(name));

/** The sources of the other tests. */
const testSources = globSync('test/graph/*/*.test.ts').map((file) => readFileSync(file, 'utf8'));

describe('scopes of the contract', () => {
  it.each(operations.filter(isDocumented).map((operation) => [operation.name, operation] as const))(
    'match the documentation: %s',
    (name, operation) => {
      const stated = getDocumentedScopes(getShortName(name));
      expect(operation.scopes).toEqual(stated ?? []);
      expect(operation.scopesUnknown ?? false).toBe(stated === null);
      expect(operation.conditionalScopes).toEqual(CONDITIONAL_SCOPES[getShortName(name)]);
    },
  );

  it('have documentation for all but six of the documented operations', () => {
    expect([...DOCUMENTED].filter((name) => getDocumentedScopes(name) === null).sort()).toEqual(UNDOCUMENTED.toSorted());
  });

  it('include every documented operation', () => {
    expect(
      operations
        .filter(isDocumented)
        .map(({ name }) => getShortName(name))
        .sort(),
    ).toEqual([...DOCUMENTED].sort());
    expect(DOCUMENTED.size).toBe(166);
  });

  it('appear in a test with the operation’s name and scopes if the table lacks them', () => {
    const isAsserted = ({ name, scopes }: AnyOperation) =>
      testSources.some((text) => [name, ...scopes].every((word) => text.includes(`'${word}'`)));
    expect(operations.filter((operation) => !isDocumented(operation) && !isAsserted(operation)).map(({ name }) => name)).toEqual([]);
  });

  it('have no documentation for these operations', () => {
    const unstated = operations.map(({ name }) => name).filter((name) => UNDOCUMENTED.includes(getShortName(name)));
    expect(unstated.toSorted()).toEqual([
      'ActionRequest/CancelActionRequest',
      'ActionRequest/GetActionRequest',
      'ActionRequest/ListActionRequests',
      'ActionRequest/ResendActionRequestNotification',
      'Member/RemoveMember',
      'Workspace/GetCompanyProfile',
    ]);
  });
});
