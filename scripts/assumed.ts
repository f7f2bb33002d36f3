import { type GraphQLSchema, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { ASSUMED } from '../src/schema/kit/marks.ts';
import { Areas } from '../src/subgraph/areas.ts';
import { declaredTags } from '../src/subgraph/directives.ts';

/** A page that lists every field tagged `assumed`, by area and type. */
export function assumedPage(schema: GraphQLSchema): string {
  const areas = new Areas(schema);
  const rows = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [];
    const fields = Object.values(type.getFields()).filter((field) => declaredTags(field).includes(ASSUMED));
    return fields.length === 0
      ? []
      : [{ type: type.name, area: areas.ofType(type) ?? 'root fields', names: fields.map(({ name }) => name) }];
  });
  const count = rows.reduce((sum, { names }) => sum + names.length, 0);
  const sections = [...Map.groupBy(rows, ({ area }) => area)]
    .sort(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([area, types]) => {
      const lines = types
        .sort((one, other) => one.type.localeCompare(other.type, 'en'))
        .map(({ type, names }) => `| \`${type}\` | ${names.map((name) => `\`${name}\``).join(', ')} |`);
      return `## ${area}\n\n| type | fields |\n| --- | --- |\n${lines.join('\n')}\n`;
    });
  return `# Assumed fields

The Workspace API does not document the shape of everything that it answers. The graph assumes the shape of ${count} fields, by the habits of the
rest ([why](decisions/0001-assumed-shapes.md)). In \`subgraph.graphql\` each has \`@tag(name: "assumed")\`, so that a platform can leave them out;
[docs/versioning.md](versioning.md) tells how far they are promised.

${sections.join('\n')}`;
}
