import { operations } from '../../../src/upstream/contract/generated/operations.ts';
import { isRead } from '../../../src/upstream/contract/operation.ts';

const names = new Set(operations.filter(isRead).map(({ name }) => name));

/** Whether an operation, or a call to its path, is a read. */
export const isReadCall = (operation: string): boolean => names.has(operation.replace(/^.*publicapi\.v1\./, ''));
