import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { ANSWERS, accepts } from './accept.ts';

/** Ours: some hundred fields take about 1,000 tokens. */
const MAX_TOKENS = 10_000;
/** Ours, far above what any document of this graph needs; graphql-js runs out of stack at about 2,000. */
const MAX_NESTING = 100;

const OPENERS = new Set<TokenKind>([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSERS = new Set<TokenKind>([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Whether brackets nest too deep to parse. Reads tokens, so that brackets in strings and comments do not count. */
function isTooDeep(source: string): boolean {
  const lexer = new Lexer(new Source(source));
  let depth = 0;
  try {
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      if (OPENERS.has(token.kind)) depth += 1;
      else if (CLOSERS.has(token.kind)) depth -= 1;
      if (depth > MAX_NESTING) return true;
    }
  } catch {
    // No token: the parser says so, with its place.
  }
  return false;
}

/** Refuses documents that are too long or too deep to parse, and those whose fragments are too deep to check. */
export const useDocumentLimits = (): Plugin => ({
  onParse({ params }) {
    const source = typeof params.source === 'string' ? params.source : params.source.body;
    if (isTooDeep(source)) {
      throw new GraphQLError(`The document is nested more than ${MAX_NESTING} levels deep.`, {
        extensions: { code: 'GRAPHQL_PARSE_FAILED', http: { status: 400 } },
      });
    }
    params.options = { ...params.options, maxTokens: MAX_TOKENS };
  },
  onValidate({ validateFn, setValidationFn }) {
    setValidationFn((...args) => {
      try {
        return validateFn(...args);
      } catch (error) {
        // Fragments that lead back to themselves, or very far: graphql-js follows them until its stack is full.
        if (!(error instanceof RangeError)) throw error;
        return [new GraphQLError('The fragments of the document are nested too deep, or lead back to themselves.')];
      }
    });
  },
});

/** JSON, which is UTF-8. */
const JSON_TYPE = /^application\/(graphql(-response)?\+)?json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?(;\s*)?$/i;

const refusal = (status: number, message: string) => new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status } } });

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Takes JSON only: a form of another site could post anything else with a user's browser. Refuses a GET whose variables are no JSON, and
 * callers that take none of our answers: yoga would find that out after a mutation has run.
 */
export const useRequestForm = (): Plugin => ({
  onRequestParse({ request, url, endResponse, fetchAPI }) {
    if (!accepts(request.headers, ANSWERS)) {
      const message = `The answer comes as ${ANSWERS.join(', ')}: accept one of them.`;
      const body = { errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] };
      return endResponse(fetchAPI.Response.json(body, { status: 406 }));
    }
    if (request.method === 'POST' && !JSON_TYPE.test(request.headers.get('content-type') ?? ''))
      throw refusal(415, 'The content type must be application/json, in UTF-8.');
    const coding = request.headers.get('content-encoding') ?? 'identity';
    if (coding !== 'identity') throw refusal(415, 'The body must come as it is, without a content encoding.');
    const texts = request.method === 'GET' ? [url.searchParams.get('variables'), url.searchParams.get('extensions')] : [];
    if (texts.some((text) => text && !isJson(text))) throw refusal(400, '`variables` and `extensions` must be JSON.');
  },
  onParams({ params }) {
    const { operationName } = (params ?? {}) as { readonly operationName?: unknown };
    if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
      throw refusal(400, '`operationName` must be text.');
  },
});
