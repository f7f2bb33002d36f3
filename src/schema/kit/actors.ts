import { builder } from './builder.ts';

/** A person who has done something. */
export interface ActorShape {
  readonly displayName: string;
  /** The member that it is; absent where the upstream tells the name alone. */
  readonly memberId?: string | undefined;
}

export const Actor = builder.objectRef<ActorShape>('Actor').implement({
  description: 'A person who performed an action.',
  fields: (t) => ({
    displayName: t.exposeString('displayName', { nullable: false, description: 'Name of the person as shown to users.' }),
  }),
});
