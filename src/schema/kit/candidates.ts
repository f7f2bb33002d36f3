import { builder } from './builder.ts';
import { ID_DESCRIPTION, RAW_ID_DESCRIPTION } from './globalIds.ts';

/** Maximum number of candidates. Chosen: a person compares them. */
export const MAX_CANDIDATES = 5;

/** Types with a mutation that declares a search implement it, and resolve its fields. */
export const CreatedRecord = builder.interfaceRef<object>('CreatedRecord').implement({
  description: 'A record that can be searched for if the response to its creation is lost.',
  fields: (t) => ({
    id: t.id({ nullable: false, description: ID_DESCRIPTION }),
    rawId: t.id({ nullable: false, description: RAW_ID_DESCRIPTION }),
  }),
});
