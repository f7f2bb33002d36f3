import { type ApolloClient, ApolloLink, ServerError } from '@apollo/client';
import { parse } from 'graphql';
import { firstValueFrom, tap } from 'rxjs';
import { createTemporaryError, type GraphResponse, type GraphSender, readResponse } from '../../../cli/bulk/graphResponse.ts';
import { parseJson } from '../../../src/lib/json.ts';

/** Sends documents through the links of the page's client, so that they're authenticated like its other requests. */
export class GraphLink implements GraphSender {
  readonly #client: ApolloClient;
  readonly #link: ApolloLink;
  /** By how much the graph's clock is ahead of this one, in milliseconds. */
  #clockAheadMs = 0;

  constructor(client: ApolloClient) {
    this.#client = client;
    const learnTime = new ApolloLink((operation, forward) =>
      forward(operation).pipe(
        tap(() => {
          const time = Date.parse(operation.getContext().response?.headers.get('date') ?? '');
          if (!Number.isNaN(time)) this.#clockAheadMs = time - Date.now();
        }),
      ),
    );
    this.#link = ApolloLink.from([learnTime, client.link]);
  }

  /** Unix milliseconds of the graph's clock, to the second. That of this device before the first response. */
  get graphTimeMs(): number {
    return Date.now() + this.#clockAheadMs;
  }

  async send(query: string, variables: object): Promise<GraphResponse> {
    let failure: unknown;
    const request = { query: parse(query), variables: { ...variables } };
    const body: unknown = await firstValueFrom(ApolloLink.execute(this.#link, request, { client: this.#client })).catch(
      (error: unknown) => {
        failure = error;
        return ServerError.is(error) ? parseJson(error.bodyText) : undefined;
      },
    );
    const response = readResponse(body);
    if (response) return response;
    throw createTemporaryError(`The graph can’t be reached: ${(failure as Error | undefined)?.message ?? 'no response'}.`, failure);
  }
}
