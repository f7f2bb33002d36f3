import { type DescMessage, type DescMethod, getOption, type Message, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import type { GenService, GenServiceMethods } from '@bufbuild/protobuf/codegenv2';
import { type OperationOptions, operation } from '../../src/upstream/contract/generated/publicapi/v1/options_pb.ts';
import type { Call } from './call.ts';
import type { Permission } from './keys.ts';

interface Handler<Input extends DescMessage, Output extends DescMessage> {
  /** What the caller's account must be allowed to do: one of these is enough. None: nothing beyond the scopes. */
  readonly permission: Permission | readonly Permission[];
  /** Runs within a transaction: a throw undoes everything. */
  readonly run: (request: MessageShape<Input>, call: Call) => MessageInitShape<Output>;
  /** What a repeated key gets instead of the first answer, where that may have aged. */
  readonly replay?: (first: MessageShape<Output>, call: Call) => MessageInitShape<Output>;
}

type Handlers<Methods extends GenServiceMethods> = {
  readonly [Name in keyof Methods]: Handler<Methods[Name]['input'], Methods[Name]['output']>;
};

/** One operation, ready to be served. */
export interface Endpoint {
  /** `Quote/ConfirmQuote`. */
  readonly name: string;
  readonly path: string;
  readonly method: DescMethod;
  readonly options: OperationOptions;
  readonly permissions: readonly Permission[];
  readonly run: (request: Message, call: Call) => MessageInitShape<DescMessage>;
  readonly replay: ((first: Message, call: Call) => MessageInitShape<DescMessage>) | undefined;
}

/** Binds a handler to every operation of a service of the contract: a missing one does not compile. */
export function service<Methods extends GenServiceMethods>(descriptor: GenService<Methods>, handlers: Handlers<Methods>): Endpoint[] {
  // The service's own types say which message goes with which handler; past this line only descriptors do.
  const untyped = handlers as unknown as Record<string, Handler<DescMessage, DescMessage>>;
  return Object.values<DescMethod>(descriptor.method).map((method) => {
    const handler = untyped[method.localName];
    if (!handler) throw new Error(`The sandbox has no handler for ${method.name}.`);
    return {
      name: `${method.parent.name}/${method.name}`,
      path: `/public-api/${method.parent.typeName}/${method.name}`,
      method,
      options: getOption(method, operation),
      permissions: [handler.permission].flat(),
      run: handler.run,
      replay: handler.replay,
    };
  });
}
