import { builder } from './builder.ts';

/** A person who has done something. */
interface ActorShape {
  readonly displayName: string;
}

export const Actor = builder.objectRef<ActorShape>('Actor').implement({
  description: 'A person who has done something.',
  fields: (t) => ({
    displayName: t.exposeString('displayName', { nullable: false, description: 'The name that people see.' }),
  }),
});
