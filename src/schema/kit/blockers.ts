import { BLOCKER_CODES } from '../../errorCodes.ts';
import type { Blocker as BlockerShape } from '../../failures.ts';
import { builder } from './builder.ts';
import { described } from './enums.ts';

const Code = builder.enumType('BlockerCode', {
  description: 'The reason why a step is blocked, for programs. New codes may be added.',
  values: described(BLOCKER_CODES),
});

export const Blocker = builder.objectRef<BlockerShape>('Blocker').implement({
  description: 'Something that stands in the way of a step.',
  fields: (t) => ({
    code: t.field({ type: Code, nullable: false, description: 'The reason, for programs.', resolve: ({ code }) => code }),
    message: t.string({ nullable: false, description: 'The reason, in English.', resolve: ({ message }) => message }),
  }),
});
