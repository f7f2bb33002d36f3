import { builder } from './builder.ts';

/** A person who performed an action. */
export interface ActorShape {
  readonly displayName: string;
  /** ID of the person's member record. Undefined if the upstream returns only the name. */
  readonly memberId?: string | undefined;
}

export const Actor = builder.objectRef<ActorShape>('Actor').implement({
  description: 'A person who performed an action.',
  fields: (t) => ({
    displayName: t.exposeString('displayName', { nullable: false, description: 'Name of the person as shown to users.' }),
  }),
});
