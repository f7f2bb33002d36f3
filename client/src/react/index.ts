export type { ExecuteMutation, MutationState } from './mutationRunner.ts';
export { type IdempotentMutation, useIdempotentMutation } from './useIdempotentMutation.ts';
