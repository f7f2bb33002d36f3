import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';

/** A subgraph as composers take it. */
export interface Subgraph {
  readonly name: string;
  /** Where the gateway will send its requests. */
  readonly url: string;
  readonly sdl: string;
}

/** Asks a subgraph for its schema, as every federation subgraph must answer it. */
export async function readSubgraph(name: string, url: string): Promise<Subgraph> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  });
  const { data } = (await response.json()) as { data?: { _service?: { sdl?: string } } };
  const sdl = data?._service?.sdl;
  if (!sdl) throw new Error(`The subgraph ${name} at ${url} did not tell its schema: it must answer { _service { sdl } }.`);
  return { name, url, sdl };
}

/** The supergraph of some subgraphs. Throws everything that keeps them from being one. */
export function composeSupergraph(subgraphs: readonly Subgraph[]): string {
  const { supergraphSdl, errors } = composeServices(subgraphs.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) })));
  if (errors) throw new Error(`The subgraphs do not compose:\n  ${errors.map(({ message }) => message).join('\n  ')}`);
  return supergraphSdl;
}
