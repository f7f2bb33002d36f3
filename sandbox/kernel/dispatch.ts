// Derives from the contract what holds for every operation: scopes, permissions, shapes, idempotency keys and transactions. Handlers contain only domain rules.
import { create, fromJson, fromJsonString, type Message, toJson, toJsonString } from '@bufbuild/protobuf';
import { createValidator } from '@bufbuild/protovalidate';
import { Effect } from '../../src/upstream/contract/generated/publicapi/v1/options_pb.ts';
import { CallContext } from './call.ts';
import { invalidArgument, SandboxError } from './errors.ts';
import { findFirstResponse, storeResponse } from './idempotency.ts';
import type { Principal } from './keys.ts';
import { readRequest } from './requestJson.ts';
import type { Endpoint } from './service.ts';
import { requireVisibleReferences } from './visibility.ts';
import type { World } from './world.ts';

const validator = createValidator();

function decode({ method, isStrict }: Endpoint, body: string): Message {
  const schema = method.input;
  const json = readRequest(schema, body);
  let message: Message;
  try {
    message = fromJson(schema, json, { ignoreUnknownFields: !isStrict });
  } catch (error) {
    throw invalidArgument(error instanceof Error ? error.message : 'The body doesn’t match the request type.');
  }
  const result = validator.validate(schema, message);
  if (result.kind === 'error') throw result.error;
  if (result.kind === 'invalid') throw invalidArgument(result.violations.map(String).join('; '));
  return message;
}

const hasValue = (value: unknown) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Value of the request's field that an option of the operation names. */
function getNamedField(endpoint: Endpoint, request: Message, protoName: string): unknown {
  const field = endpoint.method.input.fields.find(({ name }) => name === protoName);
  return field && (request as unknown as Record<string, unknown>)[field.localName];
}

function requireScopes({ scopes }: Principal, wanted: readonly string[]): void {
  const missing = wanted.filter((scope) => !scopes.has(scope));
  if (missing.length > 0) throw new SandboxError('permission_denied', `The API key is missing required scopes: ${missing.join(', ')}.`);
}

function requirePermission(endpoint: Endpoint, { permissions }: Principal): void {
  if (endpoint.permissions.length > 0 && !endpoint.permissions.some((permission) => permissions.has(permission))) {
    throw new SandboxError(
      'permission_denied',
      `The key’s member doesn’t have the required permission: ${endpoint.permissions.join(' or ')}.`,
    );
  }
}

function requireSize({ maxBytes }: Endpoint, body: string): void {
  const size = Buffer.byteLength(body);
  if (maxBytes !== undefined && size > maxBytes) throw invalidArgument(`The body must be at most ${maxBytes} bytes, but has ${size}.`);
}

function perform(endpoint: Endpoint, request: Message, call: CallContext): Message {
  const { method, options } = endpoint;
  const respond = () => create(method.output, endpoint.run(request, call));
  const key = options.keyField && getNamedField(endpoint, request, options.keyField);
  if (typeof key !== 'string' || key === '') return respond();

  const payload = toJsonString(method.input, request);
  const use = { workspaceId: call.workspaceId, operation: endpoint.name, key, payload };
  const earlier = findFirstResponse(call.store, use);
  if (earlier !== undefined) {
    requireVisibleReferences(call, JSON.parse(earlier));
    const first = fromJsonString(method.output, earlier);
    return endpoint.replay ? create(method.output, endpoint.replay(first, call)) : first;
  }
  const fresh = respond();
  storeResponse(call.store, use, toJsonString(method.output, fresh));
  return fresh;
}

export interface DispatchOptions {
  readonly world: World;
  readonly principal: Principal;
  readonly body: string;
  /** Includes fields with default values in responses. */
  readonly sendsDefaults: boolean;
  /** Base of the URLs for uploading and downloading files. */
  readonly baseUrl: string;
}

/** Handles one call: checks scopes, permissions and the request's shape, then runs the handler in a transaction. */
export function dispatch(endpoint: Endpoint, { world, principal, body, sendsDefaults, baseUrl }: DispatchOptions): string {
  const { method, options } = endpoint;
  requireScopes(principal, [...options.scopes, ...options.assumedScopes]);
  requirePermission(endpoint, principal);
  requireSize(endpoint, body);
  const request = decode(endpoint, body);
  const conditional = options.conditionalScopes.filter(({ field }) => hasValue(getNamedField(endpoint, request, field)));
  requireScopes(
    principal,
    conditional.map(({ scope }) => scope),
  );
  const call = new CallContext(world, principal, options.page?.defaultSize ?? 0, baseUrl);
  const work = () => perform(endpoint, request, call);
  const response = world.visibility.runAs(principal, () => (options.effect === Effect.READ ? work() : world.store.transaction(work)));
  return JSON.stringify(toJson(method.output, response, { alwaysEmitImplicit: sendsDefaults }));
}
