import type { UpstreamRequest, UpstreamResponse } from '../../../src/upstream/transport/transport.ts';

export type Send = (request: UpstreamRequest) => Promise<UpstreamResponse>;

/** An upstream that differs from the contract in one thing: the sandbox, with what goes in or comes out of it changed. */
export type Deviation = (request: UpstreamRequest, usual: Send) => Promise<UpstreamResponse>;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON with each member, at whatever depth, as `change` answers it. */
function eachMember(value: unknown, change: (name: string, value: unknown) => readonly (readonly [string, unknown])[]): unknown {
  if (Array.isArray(value)) return value.map((each) => eachMember(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, each]) => change(name, eachMember(each, change))));
}

const isOf = ({ path }: UpstreamRequest, place: string) => path.includes(`.${place}/`) || path.endsWith(`.${place}`);

/** Changes members of the answers of a service, or of one operation. */
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

/** Serves a service under another name only. */
export const serving =
  (service: string, name: string): Deviation =>
  (request, usual) =>
    isOf(request, service)
      ? Promise.resolve(refused(404, 'unimplemented'))
      : usual({ ...request, path: request.path.replace(`.${name}/`, `.${service}/`) });

/** Refuses pages of an operation that are larger than this. */
export const capping =
  (operation: string, cap: number): Deviation =>
  (request, usual) => {
    const { pageSize } = JSON.parse(request.body) as Json;
    return request.path.endsWith(operation) && Number(pageSize) > cap ? Promise.resolve(refused(400, 'invalid_argument')) : usual(request);
  };

/** Answers headers otherwise. */
export const withHeaders =
  (change: (headers: UpstreamResponse['headers']) => UpstreamResponse['headers']): Deviation =>
  async (request, usual) => {
    const answer = await usual(request);
    return { ...answer, headers: change(answer.headers) };
  };

/** Renames words in answers by the first pair, and in requests back by the second. */
export const wordingBy =
  (own: RegExp, toOther: (word: string) => string, other: RegExp, toOwn: (word: string) => string): Deviation =>
  async (request, usual) => {
    const answer = await usual({ ...request, body: request.body.replaceAll(other, (_match, word: string) => toOwn(word)) });
    return { ...answer, body: answer.body.replaceAll(own, (_match, word: string) => toOther(word)) };
  };

/** Gives the words of an enum another prefix. */
export const wording = (from: string, to: string): Deviation =>
  wordingBy(
    new RegExp(`"${from}(\\w+)"`, 'g'),
    (word) => `"${to}${word}"`,
    new RegExp(`"${to}(\\w+)"`, 'g'),
    (word) => `"${from}${word}"`,
  );

/** Tells fewer scopes of the key, and refuses the service that takes the one that is gone. */
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

/** Changes whole answers of a service, or of one operation. */
export const replying =
  (place: string, change: (answer: Json) => unknown): Deviation =>
  async (request, usual) => {
    const answer = await usual(request);
    if (!isOf(request, place) || answer.status !== 200) return answer;
    return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body) as Json)) };
  };

/** Answers all calls of a service, or of one operation, with this. */
export const always =
  (place: string, answer: UpstreamResponse): Deviation =>
  (request, usual) =>
    isOf(request, place) ? Promise.resolve(answer) : usual(request);

/** The entries of a list, each as `change` answers it. */
export const each = (list: unknown, change: (entry: Json) => Json): readonly Json[] => (list as readonly Json[]).map(change);

/** Changes successes of an operation by what was asked for. */
export const telling =
  (operation: string, change: (answer: Json, request: Json) => Json): Deviation =>
  (request, usual) =>
    replying(operation, (answer) => change(answer, JSON.parse(request.body) as Json))(request, usual);
