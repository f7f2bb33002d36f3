import { type DocumentNode, type ExecutionArgs, execute } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Whether a document may be answered in parts, by a look at its text. */
export const mayBeInParts = ({ loc }: DocumentNode): boolean => /@\s*(defer|stream)\b/.test(loc?.source.body ?? '');

/**
 * Has graphql-js execute what is answered whole: members of its answers stand in the order of the document, as the specification wants it. Yoga's executor, which
 * sets them in the order in which they become known, is left to answers in parts.
 */
export const useDocumentOrder = (): Plugin => ({
  onExecute({ args, setExecuteFn }) {
    if (!mayBeInParts(args.document)) setExecuteFn((executed: ExecutionArgs) => execute(executed));
  },
});
