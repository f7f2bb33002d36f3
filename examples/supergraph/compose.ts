import { composeServices } from '@theguild/federation-composition';
import { parse } from 'graphql';

/** A subgraph, in the form that composition requires. */
export interface Subgraph {
  readonly name: string;
  /** URL that the gateway sends requests to. */
  readonly url: string;
  readonly sdl: string;
}

/** Fetches the SDL of a subgraph, which every federation subgraph returns. */
export async function readSubgraph(name: string, url: string): Promise<Subgraph> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  });
  const { data } = (await response.json()) as { data?: { _service?: { sdl?: string } } };
  const sdl = data?._service?.sdl;
  if (!sdl) throw new Error(`The subgraph ${name} at ${url} did not return its schema: it must respond to { _service { sdl } }.`);
  return { name, url, sdl };
}

/** Composes subgraphs into a supergraph. Throws an error with every composition problem. */
export function composeSupergraph(subgraphs: readonly Subgraph[]): string {
  const { supergraphSdl, errors } = composeServices(subgraphs.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) })));
  if (errors) throw new Error(`The subgraphs do not compose:\n  ${errors.map(({ message }) => message).join('\n  ')}`);
  return supergraphSdl;
}
