import type { InputObjectRef } from '@pothos/core';
import type { JsonObject } from '../../lib/json.ts';
import { builder, type Types } from '../../schema/kit/builder.ts';
import { CreatedRecord } from '../../schema/kit/candidates.ts';
import { getErrorTypes } from '../../schema/kit/errors.ts';
import { annotateOperation } from '../../schema/kit/fieldAnnotations.ts';
import type { Binder, InputMembers, ShapeOf } from '../../schema/kit/inputs.ts';
import { registerMutationTarget } from '../../schema/kit/subjects.ts';
import type { AnyOperation } from '../../upstream/contract/operation.ts';
import { bindInput } from './bindInput.ts';
import { declareGuards, type Guards } from './guards.ts';
import type { MutationOptions } from './mutationOptions.ts';
import { declarePayload, toPayloadRecords } from './payloads.ts';
import { type DeclaredMutation, runMutation } from './runMutation.ts';

interface DeclarationOptions<Sent extends AnyOperation, Members extends InputMembers, Payload extends object, RecordShape extends object>
  extends MutationOptions<Sent, ShapeOf<Members>, Payload, RecordShape> {
  /**
   * The input fields, by name, bound to fields of the request. The ID of the `on` record precedes them; `idempotencyKey` and `expectedVersion` are derived from
   * the operation.
   */
  readonly input?: (f: Binder<Sent['request']>) => Members;
}

const listFormat = new Intl.ListFormat('en');

/** Describes an update: which fields null clears, followed by the mutation's own description. */
const describePatch = (clearable: readonly string[], more: string | undefined): string => {
  const names = listFormat.format(clearable.map((name) => `\`${name}\``));
  const cleared = names === '' ? 'Null can’t clear any of them.' : `Null clears ${names}. Other fields can’t be cleared.`;
  const sentence = `Updates only the specified fields. ${cleared}`;
  return more ? `${sentence} ${more}` : sentence;
};

/** Declares a mutation over one operation. Keys, version, scopes, errors and annotations are derived from the operation. */
export function mutation<
  Sent extends AnyOperation,
  Payload extends object,
  const Members extends InputMembers = Record<never, never>,
  RecordShape extends object = object,
>(name: string, operation: Sent, options: DeclarationOptions<Sent, Members, Payload, RecordShape>): void {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const { on, isPatch = false, description, payload } = options;
  const { names = {}, complete, variants } = options.request ?? {};
  const countItems = payload?.countItems;
  const bound = bindInput(operation, options.input, { on, isPatch, names, isCompleted: complete !== undefined });

  const Input = builder.inputType(`${title}Input`, {
    description: `Input of \`${name}\`.`,
    fields: (t) => ({ ...bound.declare(t), ...declareGuards(t, operation) }),
  }) as InputObjectRef<Types, Guards & JsonObject>;

  const returned = toPayloadRecords(operation, options.returns, payload?.partial);
  const Payload = declarePayload(name, title, returned, options);
  // The types of the input and the messages are checked here, and erased where the mutation runs.
  const declared = { operation, options, bound, returned } as unknown as DeclaredMutation;
  const { on: target, reconcile } = declared.options;
  const search = typeof reconcile === 'object' ? reconcile : undefined;
  if (search) returned[0]?.type.addInterfaces([CreatedRecord]);
  if (target) registerMutationTarget(operation, target, target.state !== undefined, bound.versionMember !== undefined);

  builder.mutationField(name, (t) =>
    t.field({
      ...annotateOperation(operation, isPatch ? describePatch(bound.clearable, description) : (description ?? '')),
      type: Payload,
      nullable: true,
      args: { input: t.arg({ type: Input, required: true, description: 'Input of the mutation.' }) },
      // If a scope depends on the input, the session checks all scopes together, so that the error lists all missing ones.
      ...(operation.conditionalScopes ? {} : { authScopes: { operation } }),
      extensions: {
        alsoCalls: Object.values(variants?.operations ?? {}),
        ...(on && options.isUnchanged && { compares: on.operation }),
        candidateCalls: search?.calls ?? 0,
        ...(countItems && { countListItems: ({ input }: { readonly input: ShapeOf<Members> }) => countItems(input) }),
      },
      errors: {
        types: getErrorTypes(operation, bound.versionMember !== undefined),
        union: {
          name: `${title}Result`,
          description: `Result of \`${name}\`: its payload or an error.`,
        },
      },
      resolve: (_root, { input }, context, { fieldName }) => runMutation(declared, fieldName, input, context),
    }),
  );
}
