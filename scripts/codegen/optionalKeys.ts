import { Kind, type NamedTypeNode, parse, print, visit } from 'graphql';

/**
 * The schema, with an optional `idempotencyKey` in every input. The client library adds missing keys to the variables, so generated types must not require them
 * from the application.
 */
export function createSchemaWithOptionalKeys(sdl: string): string {
  const schema = visit(parse(sdl), {
    // Only fields of inputs: `Query.idempotentOperation` still requires the key to look up.
    [Kind.INPUT_OBJECT_TYPE_DEFINITION]: (input) => ({
      ...input,
      fields: input.fields?.map((field) =>
        field.name.value === 'idempotencyKey' && field.type.kind === Kind.NON_NULL_TYPE
          ? { ...field, type: field.type.type as NamedTypeNode }
          : field,
      ),
    }),
  });
  return `${print(schema)}\n`;
}
