import { composeServices as composeByApollo } from '@apollo/composition';
import { composeServices as composeByGuild } from '@theguild/federation-composition';
import { type GraphQLError, parse } from 'graphql';
import type { Subgraph } from '../../../examples/supergraph/compose.ts';

/** Result of composing subgraphs. */
export interface Composition {
  /** Undefined if the subgraphs don't compose. */
  readonly supergraphSdl?: string | undefined;
  /** Distinct error codes. */
  readonly codes: readonly string[];
  readonly messages: readonly string[];
  /** Hints of the composer, which don't prevent the composition. */
  readonly warnings: readonly string[];
}

const toServices = (subgraphs: readonly Subgraph[]) => subgraphs.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) }));

const createComposition = (
  supergraphSdl: string | undefined,
  errors: readonly GraphQLError[] = [],
  warnings: readonly string[] = [],
): Composition => ({
  supergraphSdl,
  codes: [...new Set(errors.map(({ extensions }) => String(extensions.code)))],
  messages: errors.map(({ message }) => message),
  warnings,
});

/** A public composer for supergraphs. */
export interface Composer {
  readonly name: string;
  readonly compose: (subgraphs: readonly Subgraph[]) => Composition;
}

export const APOLLO: Composer = {
  name: 'Apollo’s composer',
  compose: (subgraphs) => {
    const { supergraphSdl, errors, hints = [] } = composeByApollo(toServices(subgraphs));
    const warnings = hints.filter(({ definition }) => definition.level.name === 'WARN').map(({ message }) => message);
    return createComposition(supergraphSdl, errors, warnings);
  },
};

export const GUILD: Composer = {
  name: 'The Guild’s composer',
  compose: (subgraphs) => {
    const { supergraphSdl, errors } = composeByGuild(toServices(subgraphs));
    return createComposition(supergraphSdl, errors);
  },
};
