import type { UpstreamRequest, UpstreamResponse } from '../../../src/upstream/transport/transport.ts';

export type Send = (request: UpstreamRequest) => Promise<UpstreamResponse>;

/** An upstream that deviates from the contract in one way: a sandbox whose requests or responses are changed. */
export type Deviation = (request: UpstreamRequest, usual: Send) => Promise<UpstreamResponse>;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON with each member, at any depth, replaced by the result of `change`. */
function eachMember(value: unknown, change: (name: string, value: unknown) => readonly (readonly [string, unknown])[]): unknown {
  if (Array.isArray(value)) return value.map((each) => eachMember(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, each]) => change(name, eachMember(each, change))));
}

const isOf = ({ path }: UpstreamRequest, place: string) => path.includes(`.${place}/`) || path.endsWith(`.${place}`);

/** Changes members of the responses of a service or an operation. */
export const answering =
  (place: string, change: (name: string, value: unknown) => readonly (readonly [string, unknown])[]): Deviation =>
  async (request, usual) => {
    const answer = await usual(request);
    return isOf(request, place) ? { ...answer, body: JSON.stringify(eachMember(JSON.parse(answer.body), change)) } : answer;
  };

/** Changes the requests of an operation. */
export const asking =
  (operation: string, change: (request: Json) => Json): Deviation =>
  (request, usual) =>
    usual(request.path.endsWith(operation) ? { ...request, body: JSON.stringify(change(JSON.parse(request.body) as Json)) } : request);

export const refused = (status: number, code: string, message = 'No.'): UpstreamResponse => ({
  status,
  headers: {},
  body: JSON.stringify({ code, message }),
});

/** Serves a service only under another name. */
export const serving =
  (service: string, name: string): Deviation =>
  (request, usual) =>
    isOf(request, service)
      ? Promise.resolve(refused(404, 'unimplemented'))
      : usual({ ...request, path: request.path.replace(`.${name}/`, `.${service}/`) });

/** Rejects larger pages of an operation. */
export const capping =
  (operation: string, cap: number): Deviation =>
  (request, usual) => {
    const { pageSize } = JSON.parse(request.body) as Json;
    return request.path.endsWith(operation) && Number(pageSize) > cap ? Promise.resolve(refused(400, 'invalid_argument')) : usual(request);
  };

/** Changes the headers of all responses. */
export const withHeaders =
  (change: (headers: UpstreamResponse['headers']) => UpstreamResponse['headers']): Deviation =>
  async (request, usual) => {
    const answer = await usual(request);
    return { ...answer, headers: change(answer.headers) };
  };

/** Replaces enum values in responses, and replaces them back in requests. */
export const wordingBy =
  (own: RegExp, toOther: (word: string) => string, other: RegExp, toOwn: (word: string) => string): Deviation =>
  async (request, usual) => {
    const answer = await usual({ ...request, body: request.body.replaceAll(other, (_match, word: string) => toOwn(word)) });
    return { ...answer, body: answer.body.replaceAll(own, (_match, word: string) => toOther(word)) };
  };

/** Changes the prefix of the values of an enum. */
export const wording = (from: string, to: string): Deviation =>
  wordingBy(
    new RegExp(`"${from}(\\w+)"`, 'g'),
    (word) => `"${to}${word}"`,
    new RegExp(`"${to}(\\w+)"`, 'g'),
    (word) => `"${from}${word}"`,
  );

/** Removes a scope from the key, and rejects calls to the service that requires it. */
export const withoutScope =
  (scope: string, service: string): Deviation =>
  async (request, usual) => {
    if (isOf(request, service)) return refused(403, 'permission_denied', `The API key is missing required scopes: ${scope}.`);
    const answer = await usual(request);
    if (!request.path.endsWith('/Me')) return answer;
    const change = (name: string, value: unknown) =>
      [[name, name === 'scopes' && Array.isArray(value) ? value.filter((each) => each !== scope) : value]] as const;
    return { ...answer, body: JSON.stringify(eachMember(JSON.parse(answer.body), change)) };
  };

/** Changes the bodies of successful responses of a service or an operation. */
export const replying =
  (place: string, change: (answer: Json) => unknown): Deviation =>
  async (request, usual) => {
    const answer = await usual(request);
    if (!isOf(request, place) || answer.status !== 200) return answer;
    return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body) as Json)) };
  };

/** Returns this response for all calls of a service or an operation. */
export const always =
  (place: string, answer: UpstreamResponse): Deviation =>
  (request, usual) =>
    isOf(request, place) ? Promise.resolve(answer) : usual(request);

/** The entries of a list, each replaced by the result of `change`. */
export const each = (list: unknown, change: (entry: Json) => Json): readonly Json[] => (list as readonly Json[]).map(change);

/** Changes successful responses of an operation depending on the request. */
export const telling =
  (operation: string, change: (answer: Json, request: Json) => Json): Deviation =>
  (request, usual) =>
    replying(operation, (answer) => change(answer, JSON.parse(request.body) as Json))(request, usual);
