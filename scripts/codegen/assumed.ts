import { type GraphQLSchema, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { ASSUMED } from '../../src/schema/kit/fieldAnnotations.ts';
import { Areas } from '../../src/subgraph/areas.ts';
import { getDeclaredTags } from '../../src/subgraph/directives.ts';
import { operations } from '../../src/upstream/contract/generated/operations.ts';
import { type Claim, listClaims } from '../contract/claims.ts';
import { listExposedOperations } from '../contract/exposure.ts';

/** Kinds of claims that aren't tagged on fields. */
const UNTAGGED = new Set([
  'service names in paths',
  'operation names in paths',
  'operation scopes',
  'request field rules',
  'enum values',
  'pagination styles',
  'default page sizes',
  'maximum page sizes',
  'covering lists',
  'lists that are subsets of another list',
  'index columns',
  'index relationships',
  'HTTP statuses',
]);

/** Formats a table of one kind of claims, with the number that the upstream documents and the assumed ones. */
function formatClaims([kind, all]: readonly [string, readonly Claim[]]): string {
  const assumed = [...Map.groupBy(all, ({ of }) => of)]
    .map(([of, each]) => ({ of, whats: each.filter(({ isStated }) => !isStated).map(({ what }) => `\`${what.replaceAll('|', '\\|')}\``) }))
    .filter(({ whats }) => whats.length > 0);
  const lines = assumed.map(({ of, whats }) => `| \`${of}\` | ${whats.join(', ')} |`);
  const stated = all.filter(({ isStated }) => isStated).length;
  return `### ${kind}: ${stated} of ${all.length} documented\n\n| Applies to | Assumed |\n| --- | --- |\n${lines.join('\n')}\n`;
}

/** Creates a page that lists every field tagged `assumed`, by area and type. */
export function createAssumedPage(schema: GraphQLSchema): string {
  const areas = new Areas(schema);
  const rows = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [];
    const fields = Object.values(type.getFields()).filter((field) => getDeclaredTags(field).includes(ASSUMED));
    return fields.length === 0
      ? []
      : [{ type: type.name, area: areas.getTypeArea(type) ?? 'root fields', names: fields.map(({ name }) => name) }];
  });
  const exposed = [...new Set(listExposedOperations(schema).map(({ operation }) => operation))];
  const count = rows.reduce((sum, { names }) => sum + names.length, 0);
  const sections = [...Map.groupBy(rows, ({ area }) => area)]
    .sort(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([area, types]) => {
      const lines = types
        .sort((one, other) => one.type.localeCompare(other.type, 'en'))
        .map(({ type, names }) => `| \`${type}\` | ${names.map((name) => `\`${name}\``).join(', ')} |`);
      return `## ${area}\n\n| Type | Fields |\n| --- | --- |\n${lines.join('\n')}\n`;
    });
  const otherClaims = [...Map.groupBy(listClaims(), ({ kind }) => kind)].filter(([kind]) => UNTAGGED.has(kind)).map(formatClaims);
  return `# Assumed fields

The Workspace API doesn't fully document its responses. The graph assumes the shape of ${count} fields, based on the conventions of the documented ones
([rationale](decisions/0001-assumed-shapes.md)). It exposes ${exposed.length} of the upstream's ${operations.length} operations; the shapes of ${exposed.filter(({ assumed }) => assumed).length} are assumed. In \`subgraph.graphql\`,
assumed fields are tagged \`@tag(name: "assumed")\`, so that a platform can exclude them. For the stability of assumed fields, see [versioning](versioning.md#assumed-fields).

${sections.join('\n')}
## Other assumptions

The contract in \`proto/\` also defines paths, scopes, rules, page sizes, and the columns of the analytics catalog that searches use. The parts that the upstream doesn't document are listed here by their names in the contract. The graph
relies on them, and they may be wrong. The graph doesn't reject requests because of assumed rules; it leaves that to the upstream.

${otherClaims.join('\n')}`;
}
