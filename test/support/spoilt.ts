import { createHash } from 'node:crypto';
import { endpoints } from '../../sandbox/index.ts';
import { dispatch } from '../../sandbox/kernel/dispatch.ts';
import { standIn } from '../../sandbox/kernel/faults.ts';
import { type Reply, refusal } from '../../sandbox/kernel/http.ts';
import { authenticate } from '../../sandbox/kernel/keys.ts';
import { Random } from '../../sandbox/kernel/random.ts';
import type { Endpoint } from '../../sandbox/kernel/service.ts';
import type { World } from '../../sandbox/kernel/world.ts';
import { type Transport, TransportError, type UpstreamRequest } from '../../src/upstream/transport/transport.ts';
import { demoWorld, START } from '../sandbox/sandbox.ts';

/** How often a call fails, and how often a member of an answer is not what it should be. */
export interface Spoiling {
  readonly calls: number;
  readonly members: number;
}

export interface SpoiltUpstream {
  readonly transport: Transport;
  /** The calls so far, with what was asked. */
  readonly sent: string[];
}

/** Without 429, which keeps all later calls from being sent. */
const STATUSES = [400, 401, 403, 404, 404, 409, 500, 503];
const BODIES = ['', '{', 'null', '[]', '"x"', '{}', '<html></html>'];
const MEMBERS: readonly unknown[] = [undefined, undefined, null, null, 'x', '', 0, -1, 1.5, true, {}, [], [null], { id: 5 }];

/** A value of an answer, of which some members are missing, null or something else. */
function spoiltValue(value: unknown, random: Random, share: number): unknown {
  if (random.chance(share)) return random.pick(MEMBERS.map((member) => ({ member }))).member;
  if (Array.isArray(value)) return value.map((item) => spoiltValue(item, random, share));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, spoiltValue(member, random, share)]));
}

function trueReply(world: World, endpoint: Endpoint, { apiKey, body }: UpstreamRequest): Reply {
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
    return refusal(error);
  }
}

function spoiltReply(reply: Reply, random: Random, { calls, members }: Spoiling): Reply {
  if (random.chance(calls)) {
    if (random.chance(0.1)) throw new TransportError(true, random.chance(0.5));
    if (random.chance(0.3)) return { ...reply, body: random.pick(BODIES) };
    return standIn(random.pick(STATUSES), { operation: '*' });
  }
  if (reply.status !== 200) return reply;
  return { ...reply, body: JSON.stringify(spoiltValue(JSON.parse(reply.body), random, members)) ?? '' };
}

/**
 * The sandbox with its demo data in this process, no server in between, and with faults that follow from a seed and from what is asked: to ask
 * again answers the same. `Me` never fails.
 */
export function spoiltUpstream(seed: number, spoiling: Spoiling): SpoiltUpstream {
  const world = demoWorld(() => START * 1000);
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  const sent: string[] = [];
  const answer = (request: UpstreamRequest) => {
    const endpoint = byPath.get(request.path);
    if (!endpoint) throw new Error(`The sandbox serves no ${request.path}.`);
    const reply = trueReply(world, endpoint, request);
    if (endpoint.name === 'Workspace/Me') return reply;
    const asked = `${endpoint.name} ${request.body}`;
    sent.push(asked);
    return spoiltReply(reply, new Random(createHash('sha256').update(`${seed} ${asked}`).digest().readUInt32LE()), spoiling);
  };
  return {
    sent,
    transport: {
      // Within the promise, or it would fail in another way than transports do.
      send: async (request) => {
        const { status, body, headers } = answer(request);
        const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
        return { status, body, headers: { 'content-type': 'application/json', ...Object.fromEntries(lower) } };
      },
      close: async () => world.close(),
    },
  };
}
