import type { StatementId } from './fidelity/statements.ts';

/**
 * Marks a test, or every test of a `describe`, as showing that the sandbox satisfies statements of the upstream's specification:
 * `it('returns 401 without a key', spec('7.2'), async () => {})`.
 */
export const spec = (...ids: readonly StatementId[]) => ({ tags: ids.map((id) => `spec:${id}`) });
