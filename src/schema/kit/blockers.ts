import { BLOCKER_CODES } from '../../failures/errorCodes.ts';
import type { Blocker as BlockerShape } from '../../failures/failures.ts';
import { builder } from './builder.ts';
import { describeValues } from './enums.ts';

const Code = builder.enumType('BlockerCode', {
  description: 'A machine-readable reason why a mutation is blocked. Codes may be added, so handle unknown ones.',
  values: describeValues(BLOCKER_CODES),
});

export const Blocker = builder.objectRef<BlockerShape>('Blocker').implement({
  description: 'A condition that blocks a mutation.',
  fields: (t) => ({
    code: t.field({ type: Code, nullable: false, description: 'Machine-readable reason.', resolve: ({ code }) => code }),
    message: t.string({ nullable: false, description: 'Human-readable reason in English.', resolve: ({ message }) => message }),
    path: t.stringList({
      nullable: false,
      description:
        'Path in the input, from the outermost field, such as `["lines", "0", "quantity"]`. Empty if the condition concerns the record itself.',
      resolve: ({ path = [] }) => [...path],
    }),
  }),
});
