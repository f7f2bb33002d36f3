import { ANALYTICS } from './analytics.ts';
import { OPERATIONS } from './operations.ts';
import { RECORDS } from './records.ts';
import { RULES } from './rules.ts';

/**
 * What the upstream's specification says about behavior. Tests refer to statements by ID: the section of the specification and a number. IDs are never
 * changed or reused; a new statement gets the next number of its section. The scopes of single operations aren't listed: the contract contains them.
 */
export const STATEMENTS = { ...RECORDS, ...OPERATIONS, ...ANALYTICS, ...RULES };

export type StatementId = keyof typeof STATEMENTS;
