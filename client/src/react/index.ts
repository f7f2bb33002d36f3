export type { ExecuteMutation, MutationState } from './mutationRunner.ts';
export { type IdempotentMutation, useIdempotentMutation } from './useIdempotentMutation.ts';
export { useRecordsChanged, type WatchedRecords } from './useRecordsChanged.ts';
