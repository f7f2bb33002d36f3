import { type MissingFieldHandler, ROOT_TYPE } from 'relay-runtime';

/** Handlers for Relay’s `Environment` that resolve `node(id:)` from objects that the store already has. */
export const missingFieldHandlers: MissingFieldHandler[] = [
  {
    kind: 'linked',
    handle: (field, parent, { id }) => (field.name === 'node' && parent?.getType() === ROOT_TYPE ? id : undefined),
  },
];
