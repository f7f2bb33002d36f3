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

/** Waits until a call of this principal may run. */
type Turn = (world: World, principal: Principal) => Promise<() => void>;

interface Handler<Input extends DescMessage, Output extends DescMessage> {
  /** The permissions of which the member behind the key must have one. None: the scopes are enough. */
  readonly permission: Permission | readonly Permission[];
  /** Runs within a transaction: a throw undoes everything. */
  readonly run: (request: MessageShape<Input>, call: CallContext) => MessageInitShape<Output>;
  /** Waits for the call's turn, before anything of it is read; the answer ends the turn. Without it a call is answered as it comes. */
  readonly turn?: Turn;
  /** The largest body of its requests, in bytes, where that is less than what all may have. */
  readonly maxBytes?: number;
  /** Whether fields that its request does not have are refused, and not ignored. */
  readonly isStrict?: boolean;
  /** The answer to a repeated key, where the first answer may have aged. */
  readonly replay?: (first: MessageShape<Output>, call: CallContext) => MessageInitShape<Output>;
}

type Handlers<Methods extends GenServiceMethods> = {
  readonly [Name in keyof Methods]: Handler<Methods[Name]['input'], Methods[Name]['output']>;
};

/** Answers the requests under a path that is no operation's, such as the links to files. */
export type Route = (world: World, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The parts of a domain beside its handlers. */
interface Registration {
  readonly tables?: readonly Pick<Table<never>, 'ddl'>[];
  /** By the start of the path. */
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

/** An operation, ready to be served. */
export interface Endpoint {
  /** `Quote/ConfirmQuote`. */
  readonly name: string;
  readonly path: string;
  readonly method: DescMethod;
  readonly options: OperationOptions;
  readonly permissions: readonly Permission[];
  readonly run: (request: Message, call: CallContext) => MessageInitShape<DescMessage>;
  readonly turn: Turn | undefined;
  readonly maxBytes: number | undefined;
  readonly isStrict: boolean;
  readonly replay: ((first: Message, call: CallContext) => MessageInitShape<DescMessage>) | undefined;
}

/** A service with its domains. */
export interface Service {
  readonly endpoints: readonly Endpoint[];
  readonly domains: readonly Registration[];
}

type HandledBy<Some> = Some extends { readonly handlers: infer Own } ? keyof Own : never;
/** Asks for what cannot be given, by the names of the operations that no domain handles. */
type Complete<Methods, Some> = [Exclude<keyof Methods, HandledBy<Some>>] extends [never]
  ? unknown
  : { readonly unhandled: Exclude<keyof Methods, HandledBy<Some>> };

/** Puts the domains of a service of the contract together: an operation that none of them handles does not compile. */
export function service<
  Methods extends GenServiceMethods,
  const Domains extends readonly (Registration & { readonly handlers: Partial<Handlers<Methods>> })[],
>(descriptor: GenService<Methods>, domains: Domains & Complete<Methods, Domains[number]>): Service {
  const handlers = new Map<string, unknown>();
  for (const [name, handler] of domains.flatMap((each) => Object.entries(each.handlers))) {
    if (handlers.has(name)) throw new Error(`${name} of ${descriptor.name} must have one handler, but two domains have one.`);
    handlers.set(name, handler);
  }
  // The service's own types say which message goes with which handler; past this line only descriptors do.
  return { domains, endpoints: endpointsOf(descriptor, handlers as ReadonlyMap<string, Handler<DescMessage, DescMessage>>) };
}

function endpointsOf(descriptor: DescService, handlers: ReadonlyMap<string, Handler<DescMessage, DescMessage>>): Endpoint[] {
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
      turn: handler.turn,
      maxBytes: handler.maxBytes,
      isStrict: handler.isStrict ?? false,
      replay: handler.replay,
    };
  });
}
