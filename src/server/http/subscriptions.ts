import type { ServerResponse } from 'node:http';
import { isAsyncIterable, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import { currentRequest } from '../execution/currentRequest.ts';
import type { Overload } from '../execution/overload.ts';
import { createRequestError } from '../execution/rejections.ts';
import { findAccepted } from './accept.ts';

/** The media type of subscriptions, as in https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverSSE.md (distinct connections mode). */
const STREAM_TYPE = 'text/event-stream';

const NOT_ACCEPTED_MESSAGE = `Subscriptions are sent as server-sent events. Send \`Accept: ${STREAM_TYPE}\`.`;

/** Rejects subscriptions of clients that can't receive them, and doesn't count the others as requests in progress. */
export const useSubscriptions = (overload: Overload | undefined): Plugin<{ readonly res?: ServerResponse }> => ({
  onSubscribe({ args }) {
    const { request, res: response } = args.contextValue as YogaInitialContext & { readonly res: ServerResponse };
    if (!findAccepted(request.headers.get('accept'), [STREAM_TYPE])) throw createRequestError(406, 'BAD_REQUEST', NOT_ACCEPTED_MESSAGE);
    return {
      onSubscribeResult: ({ result }) => {
        if (!isAsyncIterable(result)) return;
        overload?.onIdle(response);
        const current = currentRequest.getStore();
        if (current) current.isSubscription = true;
      },
    };
  },
});
