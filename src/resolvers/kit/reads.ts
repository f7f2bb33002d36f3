import type { InputFieldBuilder, InputFieldMap, InputShapeFromFields, ObjectRef } from '@pothos/core';
import type { Context } from '../../context.ts';
import { NotFoundError, UpstreamInvalidError } from '../../failures/failures.ts';
import { builder, type Types } from '../../schema/kit/builder.ts';
import { createOperationOptions } from '../../schema/kit/fieldAnnotations.ts';
import { toInputPaths } from '../../schema/kit/inputPaths.ts';
import { NULL_ONLY_WITH_ERROR } from '../../schema/kit/nullability.ts';
import type { Operation } from '../../upstream/contract/operation.ts';

/** Paths of arguments, by the request field that they set if it has another name. Used for the paths of issues. */
type ArgumentNames = Readonly<Record<string, readonly string[]>>;

interface ReadOptions<Parent, Request, Response, Args extends InputFieldMap, Value extends object> {
  readonly description: string;
  readonly type: ObjectRef<Types, Value>;
  readonly args?: (t: InputFieldBuilder<Types, 'Arg'>) => Args;
  readonly request: (parent: Parent, args: InputShapeFromFields<Args>) => Request;
  readonly names?: ArgumentNames;
  /** Additional extensions of the field, such as its cost or `isServedByKey`. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Returns the field's value from the response. */
  readonly resolveValue: (response: Response, context: Context, parent: Parent) => Value | null | undefined;
}

const buildArgs = <Args extends InputFieldMap>(args: ((t: InputFieldBuilder<Types, 'Arg'>) => Args) | undefined): InputFieldMap =>
  args ? builder.args(args) : {};

/** Converts the paths of the issues of a rejected request to paths of the field's arguments. Returns other errors unchanged. */
export const toArgumentPaths = (error: unknown, args: object, names: ArgumentNames = {}): unknown =>
  toInputPaths(error, args, (path) => {
    const [, renamed] = Object.entries(names).find(([wire]) => wire === path[0]) ?? [];
    return renamed ? [...renamed, ...path.slice(1)] : path;
  });

/** A field that reads one object with its own operation. A response without a value is an error, unless the field is optional. */
export const read = <Parent, Request, Response, Value extends object, Args extends InputFieldMap = Record<never, never>>(
  operation: Operation<Request, Response>,
  options: ReadOptions<Parent, Request, Response, Args, Value> & { readonly isOptional?: boolean },
) => {
  const { description, type, args, request, names, extensions, resolveValue, isOptional = false } = options;
  return createOperationOptions(operation, description, {
    type,
    nullable: true as const,
    args: buildArgs(args),
    extensions: { ...extensions, ...(!isOptional && NULL_ONLY_WITH_ERROR) },
    resolve: async (parent: Parent, fieldArgs: object, context: Context): Promise<Value | null> => {
      const callRequest = request(parent, fieldArgs as InputShapeFromFields<Args>);
      const response = await context.upstream.call(operation, callRequest).catch((error: unknown) => {
        if (isOptional && error instanceof NotFoundError) return null;
        throw toArgumentPaths(error, fieldArgs, names);
      });
      const value = (response && resolveValue(response, context, parent)) ?? null;
      if (value === null && !isOptional) throw new UpstreamInvalidError(`${type.name} is missing`);
      return value;
    },
  });
};

/** A field that reads a short, unpaginated list. */
export const readAll = <Parent, Request, Response, Row extends object, Args extends InputFieldMap = Record<never, never>>(
  operation: Operation<Request, Response>,
  options: Omit<ReadOptions<Parent, Request, Response, Args, Row>, 'resolveValue'> & {
    readonly resolveValue: (response: Response, context: Context, parent: Parent) => readonly Row[];
  },
) => {
  const { description, type, args, request, names, extensions, resolveValue } = options;
  return createOperationOptions(operation, description, {
    type: [type] as [ObjectRef<Types, Row>],
    nullable: { list: true as const, items: false as const },
    args: buildArgs(args),
    extensions: { ...extensions, ...NULL_ONLY_WITH_ERROR },
    resolve: async (parent: Parent, fieldArgs: object, context: Context): Promise<readonly Row[]> => {
      const callRequest = request(parent, fieldArgs as InputShapeFromFields<Args>);
      try {
        return resolveValue(await context.upstream.call(operation, callRequest), context, parent);
      } catch (error) {
        throw toArgumentPaths(error, fieldArgs, names);
      }
    },
  });
};
