import type { ServerResponse } from 'node:http';
import { isAsyncIterable, type Plugin, processRegularResult, type YogaInitialContext } from 'graphql-yoga';
import type { RequestLive } from '../../live/requestLive.ts';
import { type CurrentRequest, currentRequest } from '../execution/currentRequest.ts';
import type { Overload } from '../execution/overload.ts';
import { createRequestError } from '../execution/rejections.ts';
import { findAccepted } from './accept.ts';

/** The media type of subscriptions, as in https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverSSE.md (distinct connections mode). */
const STREAM_TYPE = 'text/event-stream';

const NOT_ACCEPTED_MESSAGE = `Subscriptions are sent as server-sent events. Send \`Accept: ${STREAM_TYPE}\`.`;

interface SubscriptionContext extends YogaInitialContext {
  readonly res: ServerResponse;
  readonly live: RequestLive | null;
}

/** Sign-in. `authenticate` sets the credential of a request, or returns why the request is refused. */
interface TokenCheck {
  authenticate(current: CurrentRequest, isTool: boolean): unknown;
}

/**
 * Rejects subscriptions of clients that can't receive them, and doesn't count the others as requests in progress. Clients that sign in are authenticated again before
 * each signal.
 */
export const useSubscriptions = (overload: Overload | undefined, authenticator: TokenCheck | undefined): Plugin => ({
  onSubscribe({ args }) {
    const { request, res: response, live } = args.contextValue as SubscriptionContext;
    if (!findAccepted(request.headers.get('accept'), [STREAM_TYPE])) throw createRequestError(406, 'BAD_REQUEST', NOT_ACCEPTED_MESSAGE);
    const current = currentRequest.getStore();
    if (live && current?.token && authenticator)
      live.signIn = {
        expiresAt: current.expiresAt ?? 0,
        reauthenticate: async () => ((await authenticator.authenticate(current, false)) === undefined ? current.credential : null),
      };
    return {
      onSubscribeResult: ({ result }) => {
        if (!isAsyncIterable(result)) return;
        // Its response has no body, so it would stay open until the client disconnects.
        if (current?.method === 'HEAD') void result.return?.();
        overload?.onIdle(response);
        if (current) current.isSubscription = true;
      },
    };
  },
  // Yoga sends subscriptions no multipart responses, and would send the error of a client that accepts nothing else without a body.
  onResultProcess({ resultProcessor, setResultProcessor }) {
    if (!resultProcessor) setResultProcessor(processRegularResult, 'application/json');
  },
});
