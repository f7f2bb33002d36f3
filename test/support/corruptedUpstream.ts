import { createHash } from 'node:crypto';
import { endpoints } from '../../sandbox/index.ts';
import { dispatch } from '../../sandbox/kernel/dispatch.ts';
import { createFaultResponse } from '../../sandbox/kernel/faults.ts';
import { type HttpResponse, toErrorResponse } from '../../sandbox/kernel/http.ts';
import { authenticate } from '../../sandbox/kernel/keys.ts';
import { Random } from '../../sandbox/kernel/random.ts';
import type { Endpoint } from '../../sandbox/kernel/service.ts';
import type { World } from '../../sandbox/kernel/world.ts';
import { type Transport, TransportError, type UpstreamRequest } from '../../src/upstream/transport/transport.ts';
import { createDemoWorld, START } from '../sandbox/sandbox.ts';

/** How often calls fail, and how often fields of responses are invalid. */
export interface Corruption {
  readonly calls: number;
  readonly members: number;
}

export interface CorruptedUpstream {
  readonly transport: Transport;
  /** The calls so far, with their requests. */
  readonly sent: string[];
}

/** Excludes 429, after which the graph sends no more calls. */
const STATUSES = [400, 401, 403, 404, 404, 409, 500, 503];
const BODIES = ['', '{', 'null', '[]', '"x"', '{}', '<html></html>'];
const MEMBERS: readonly unknown[] = [undefined, undefined, null, null, 'x', '', 0, -1, 1.5, true, {}, [], [null], { id: 5 }];

/** A copy of a response value in which some fields are missing, null or invalid. */
function corruptValue(value: unknown, random: Random, share: number): unknown {
  if (random.nextBoolean(share)) return random.pick(MEMBERS.map((member) => ({ member }))).member;
  if (Array.isArray(value)) return value.map((item) => corruptValue(item, random, share));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, corruptValue(member, random, share)]));
}

function createReply(world: World, endpoint: Endpoint, { apiKey, body }: UpstreamRequest): HttpResponse {
  try {
    const now = world.now();
    const headers = { authorization: `Bearer ${apiKey}`, apiKey: undefined, address: '127.0.0.1' };
    const principal = authenticate({ store: world.store, now }, headers);
    return {
      status: 200,
      body: dispatch(endpoint, { world, principal, body, sendsDefaults: true, baseUrl: 'http://files.example' }),
      headers: {},
    };
  } catch (error) {
    return toErrorResponse(error);
  }
}

function corruptReply(reply: HttpResponse, random: Random, { calls, members }: Corruption): HttpResponse {
  if (random.nextBoolean(calls)) {
    if (random.nextBoolean(0.1)) throw new TransportError(true, random.nextBoolean(0.5));
    if (random.nextBoolean(0.3)) return { ...reply, body: random.pick(BODIES) };
    return createFaultResponse(random.pick(STATUSES), { operation: '*' });
  }
  if (reply.status !== 200) return reply;
  return { ...reply, body: JSON.stringify(corruptValue(JSON.parse(reply.body), random, members)) ?? '' };
}

/**
 * An in-process sandbox with demo data, without a server. Its faults depend only on the seed and the request, so that repeating a request returns the same
 * response. `Me` never fails.
 */
export function createCorruptedUpstream(seed: number, corruption: Corruption): CorruptedUpstream {
  const world = createDemoWorld(() => START * 1000);
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  const sent: string[] = [];
  const respond = (request: UpstreamRequest) => {
    const endpoint = byPath.get(request.path);
    if (!endpoint) throw new Error(`The sandbox serves no ${request.path}.`);
    const reply = createReply(world, endpoint, request);
    if (endpoint.name === 'Workspace/Me') return reply;
    const call = `${endpoint.name} ${request.body}`;
    sent.push(call);
    return corruptReply(reply, new Random(createHash('sha256').update(`${seed} ${call}`).digest().readUInt32LE()), corruption);
  };
  return {
    sent,
    transport: {
      // Async, so that errors reject the promise, as transports do.
      send: async (request) => {
        const { status, body, headers } = respond(request);
        const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
        return { status, body, headers: { 'content-type': 'application/json', ...Object.fromEntries(lower) } };
      },
      close: async () => world.close(),
    },
  };
}
