import { isJsonObject } from '../../../src/lib/json.ts';
import type { UpstreamRequest, UpstreamResponse } from '../../../src/upstream/transport/transport.ts';

export type Send = (request: UpstreamRequest) => Promise<UpstreamResponse>;

/** An upstream that deviates from the contract in one way: a sandbox whose requests or responses are changed. */
export type Deviation = (request: UpstreamRequest, send: Send) => Promise<UpstreamResponse>;

/** A deviation with the only expected finding, and whether an overlay corrects it. */
export type DeviationCase = readonly [name: string, deviation: Deviation, finding: string, isCorrectable: boolean];

type Json = Record<string, unknown>;

/** JSON with each member, at any depth, replaced by the result of `change`. */
function mapMembers(value: unknown, change: (name: string, value: unknown) => readonly (readonly [string, unknown])[]): unknown {
  if (Array.isArray(value)) return value.map((changeEntries) => mapMembers(changeEntries, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, changeEntries]) => change(name, mapMembers(changeEntries, change))));
}

const isCallTo = ({ path }: UpstreamRequest, target: string) => path.includes(`.${target}/`) || path.endsWith(`.${target}`);

/** Changes members of the responses of a service or an operation. */
export const changeMembers =
  (target: string, change: (name: string, value: unknown) => readonly (readonly [string, unknown])[]): Deviation =>
  async (request, send) => {
    const response = await send(request);
    return isCallTo(request, target) ? { ...response, body: JSON.stringify(mapMembers(JSON.parse(response.body), change)) } : response;
  };

/** Changes the requests of an operation. */
export const changeRequests =
  (operation: string, change: (request: Json) => Json): Deviation =>
  (request, send) =>
    send(request.path.endsWith(operation) ? { ...request, body: JSON.stringify(change(JSON.parse(request.body) as Json)) } : request);

export const createError = (status: number, code: string, message = 'No.'): UpstreamResponse => ({
  status,
  headers: {},
  body: JSON.stringify({ code, message }),
});

/** Serves a service only under another name. */
export const renameService =
  (service: string, name: string): Deviation =>
  (request, send) =>
    isCallTo(request, service)
      ? Promise.resolve(createError(404, 'unimplemented'))
      : send({ ...request, path: request.path.replace(`.${name}/`, `.${service}/`) });

/** Rejects larger pages of an operation. */
export const capPages =
  (operation: string, cap: number): Deviation =>
  (request, send) => {
    const { pageSize } = JSON.parse(request.body) as Json;
    return request.path.endsWith(operation) && Number(pageSize) > cap
      ? Promise.resolve(createError(400, 'invalid_argument'))
      : send(request);
  };

/** Changes the headers of all responses. */
export const changeHeaders =
  (change: (headers: UpstreamResponse['headers']) => UpstreamResponse['headers']): Deviation =>
  async (request, send) => {
    const response = await send(request);
    return { ...response, headers: change(response.headers) };
  };

/** Replaces enum values in responses, and replaces them back in requests. */
export const changeEnumValues =
  (own: RegExp, toOther: (value: string) => string, other: RegExp, toOwn: (value: string) => string): Deviation =>
  async (request, send) => {
    const response = await send({ ...request, body: request.body.replaceAll(other, (_match, value: string) => toOwn(value)) });
    return { ...response, body: response.body.replaceAll(own, (_match, value: string) => toOther(value)) };
  };

/** Changes the prefix of the values of an enum. */
export const changeEnumPrefix = (from: string, to: string): Deviation =>
  changeEnumValues(
    new RegExp(`"${from}(\\w+)"`, 'g'),
    (value) => `"${to}${value}"`,
    new RegExp(`"${to}(\\w+)"`, 'g'),
    (value) => `"${from}${value}"`,
  );

/** Removes a scope from the key, and rejects calls to the service that requires it. */
export const removeScope =
  (scope: string, service: string): Deviation =>
  async (request, send) => {
    if (isCallTo(request, service)) return createError(403, 'permission_denied', `The API key is missing required scopes: ${scope}.`);
    const response = await send(request);
    if (!request.path.endsWith('/Me')) return response;
    const change = (name: string, value: unknown) =>
      [[name, name === 'scopes' && Array.isArray(value) ? value.filter((changeEntries) => changeEntries !== scope) : value]] as const;
    return { ...response, body: JSON.stringify(mapMembers(JSON.parse(response.body), change)) };
  };

/** Changes the bodies of successful responses of a service or an operation. */
export const changeResponses =
  (target: string, change: (response: Json) => unknown): Deviation =>
  async (request, send) => {
    const response = await send(request);
    if (!isCallTo(request, target) || response.status !== 200) return response;
    return { ...response, body: JSON.stringify(change(JSON.parse(response.body) as Json)) };
  };

/** Returns this response for all calls of a service or an operation. */
export const respondWith =
  (target: string, response: UpstreamResponse): Deviation =>
  (request, send) =>
    isCallTo(request, target) ? Promise.resolve(response) : send(request);

/** The entries of a list, each replaced by the result of `change`. */
export const changeEntries = (list: unknown, change: (entry: Json) => Json): readonly Json[] => (list as readonly Json[]).map(change);

/** Changes successful responses of an operation depending on the request. */
export const changeResponsesByRequest =
  (operation: string, change: (response: Json, request: Json) => Json): Deviation =>
  (request, send) =>
    changeResponses(operation, (response) => change(response, JSON.parse(request.body) as Json))(request, send);
