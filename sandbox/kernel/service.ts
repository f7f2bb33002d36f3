import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import type { GenService, GenServiceMethods } from '@bufbuild/protobuf/codegenv2';
import { type OperationOptions, operation } from '../../src/upstream/contract/generated/publicapi/v1/options_pb.ts';
import type { CallContext } from './call.ts';
import type { Principal } from './keys.ts';
import type { Permission } from './permissions.ts';
import type { Table } from './table.ts';
import type { World } from './world.ts';

/** Waits until a call of this principal can run. Resolves to a function that ends its slot. */
type AcquireSlot = (world: World, principal: Principal) => Promise<() => void>;

interface Handler<Input extends DescMessage, Output extends DescMessage> {
  /** The member behind the key needs one of these permissions. An empty list requires only the scopes. */
  readonly permission: Permission | readonly Permission[];
  /** Runs in a transaction. Throwing rolls back all changes. */
  readonly run: (request: MessageShape<Input>, call: CallContext) => MessageInitShape<Output>;
  /** Waits for a slot before the request is read. Resolves to a function that releases the slot. Without it, calls aren't queued. */
  readonly acquireSlot?: AcquireSlot;
  /** Maximum size of a request body in bytes, if it's lower than the general limit. */
  readonly maxBytes?: number;
  /** Whether unknown fields of the request are rejected instead of ignored. */
  readonly isStrict?: boolean;
  /** Creates the response to a repeated key if the first response can be outdated. */
  readonly replay?: (first: MessageShape<Output>, call: CallContext) => MessageInitShape<Output>;
}

type Handlers<Methods extends GenServiceMethods> = {
  readonly [Name in keyof Methods]: Handler<Methods[Name]['input'], Methods[Name]['output']>;
};

/** Handles requests to paths other than operations, such as download links. */
export type Route = (world: World, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Parts of a domain other than its handlers. */
interface Registration {
  readonly tables?: readonly Pick<Table<never>, 'ddl'>[];
  /** By path prefix. */
  readonly routes?: Readonly<Record<string, Route>>;
}

interface Domain<Methods extends GenServiceMethods, Name extends keyof Methods> extends Registration {
  readonly handlers: Pick<Handlers<Methods>, Name>;
}

/**
 * Declares a domain: its tables, and its handlers of some or all operations of a service. `npm run codegen` adds the declaration to
 * `sandbox/all.gen.ts`.
 */
export const domain = <Methods extends GenServiceMethods, Name extends keyof Methods>(
  _service: GenService<Methods>,
  declared: Domain<Methods, Name>,
): Domain<Methods, Name> => declared;

/** An operation with its handler. */
export interface Endpoint {
  /** `Quote/ConfirmQuote`. */
  readonly name: string;
  readonly path: string;
  readonly method: DescMethod;
  readonly options: OperationOptions;
  readonly permissions: readonly Permission[];
  readonly run: (request: Message, call: CallContext) => MessageInitShape<DescMessage>;
  readonly acquireSlot: AcquireSlot | undefined;
  readonly maxBytes: number | undefined;
  readonly isStrict: boolean;
  readonly replay: ((first: Message, call: CallContext) => MessageInitShape<DescMessage>) | undefined;
}

/** A service of the contract with its domains. */
export interface Service {
  readonly endpoints: readonly Endpoint[];
  readonly domains: readonly Registration[];
}

type HandledBy<Some> = Some extends { readonly handlers: infer Own } ? keyof Own : never;
/** Requires a property that names the unhandled operations, so that a service with unhandled operations is a type error. */
type AllHandled<Methods, Some> = [Exclude<keyof Methods, HandledBy<Some>>] extends [never]
  ? unknown
  : { readonly unhandled: Exclude<keyof Methods, HandledBy<Some>> };

/** Combines the domains of a service. It's a type error if no domain handles an operation. */
export function service<
  Methods extends GenServiceMethods,
  const Domains extends readonly (Registration & { readonly handlers: Partial<Handlers<Methods>> })[],
>(descriptor: GenService<Methods>, domains: Domains & AllHandled<Methods, Domains[number]>): Service {
  const handlers = new Map<string, unknown>();
  for (const [name, handler] of domains.flatMap((each) => Object.entries(each.handlers))) {
    if (handlers.has(name)) throw new Error(`${name} of ${descriptor.name} must have one handler, but two domains have one.`);
    handlers.set(name, handler);
  }
  // The types of `service` ensure that each handler matches its messages. From here on, only descriptors are used.
  return { domains, endpoints: createEndpoints(descriptor, handlers as ReadonlyMap<string, Handler<DescMessage, DescMessage>>) };
}

function createEndpoints(descriptor: DescService, handlers: ReadonlyMap<string, Handler<DescMessage, DescMessage>>): Endpoint[] {
  return descriptor.methods.map((method) => {
    const handler = handlers.get(method.localName);
    if (!handler) throw new Error(`The sandbox has no handler for ${method.name}.`);
    return {
      name: `${method.parent.name}/${method.name}`,
      path: `/public-api/${method.parent.typeName}/${method.name}`,
      method,
      options: getOption(method, operation),
      permissions: [handler.permission].flat(),
      run: handler.run,
      acquireSlot: handler.acquireSlot,
      maxBytes: handler.maxBytes,
      isStrict: handler.isStrict ?? false,
      replay: handler.replay,
    };
  });
}
