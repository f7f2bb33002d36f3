import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, parse } from 'graphql';
import type { Graph } from '../../graph.ts';
import { PACKAGE_ROOT } from '../../lib/packageRoot.ts';
import { Areas, SHARED } from '../../subgraph/areas.ts';

const FOLDER = new URL('examples/', PACKAGE_ROOT);

interface Example {
  /** File name without its extension. */
  readonly name: string;
  readonly query: string;
  /** Variables as JSON. They refer to records of the sandbox's demo data. */
  readonly variables?: string;
}

function readExample(name: string): Example {
  const query = readFileSync(new URL(`${name}.graphql`, FOLDER), 'utf8');
  const variables = new URL(`${name}.variables.json`, FOLDER);
  return { name, query, ...(existsSync(variables) && { variables: readFileSync(variables, 'utf8') }) };
}

/** The example documents with their variables, sorted by file name, which starts with a number. */
export const readExamples = (): Example[] =>
  readdirSync(FOLDER)
    .filter((name) => /^\d.*\.graphql$/.test(name))
    .sort()
    .map((name) => readExample(name.replace(/\.graphql$/, '')));

const asset = (name: string) => readFileSync(new URL(`src/server/graphiql/page/${name}`, PACKAGE_ROOT), 'utf8');

/** An example in the panel. */
interface ListedExample {
  /** The comment at the start of the document. */
  readonly title: string;
  /** Name of its operation. */
  readonly name: string;
  /** Area of its first field. */
  readonly area: string;
  readonly query: string;
  readonly variables?: string;
}

const getOperation = ({ definitions }: DocumentNode) =>
  definitions.find((definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION);

/** The area of an operation's first field, which is the subject of the example. */
function getArea(operation: OperationDefinitionNode | undefined, schema: GraphQLSchema, areas: Areas): string {
  const root = operation && schema.getRootType(operation.operation);
  const selection = operation?.selectionSet.selections.find(({ kind }) => kind === Kind.FIELD);
  const field = selection?.kind === Kind.FIELD ? root?.getFields()[selection.name.value] : undefined;
  return (root && field && areas.getFieldArea(root, field)) ?? SHARED;
}

/** The examples with the names of the served schema, sorted by the first example of their area. */
export function listExamples(schema: GraphQLSchema, rename: Graph['rename']): readonly ListedExample[] {
  const areas = new Areas(schema);
  return readExamples().map(({ name, query, variables }) => {
    const document = rename(query);
    const operation = getOperation(parse(document));
    const [, title = ''] = /^#\s*(.+)$/m.exec(document) ?? [];
    return {
      title: title.replace(/[.:].*/s, ''),
      name: operation?.name?.value ?? name,
      area: getArea(operation, schema, areas),
      query: document,
      ...(variables && { variables }),
    };
  });
}

const MARKUP = `
<button id="examples-toggle" type="button" aria-controls="examples">Examples</button>
<aside id="examples" aria-label="Side panel">
  <form><label>API key<input id="examples-key" type="password" autocomplete="off" spellcheck="false" placeholder="your API key"></label></form>
  <label>Filter examples<input id="examples-search" type="search" placeholder="by name, title, or area"></label>
  <nav id="examples-list" aria-label="Examples"></nav>
</aside>`;

const ROOT = '<div id="root"></div>';
const NO_GLOBAL_EDITOR = 'globalAPI: false';

/** Data for the panel's script. */
interface PanelData {
  readonly key: string;
  readonly examples: readonly ListedExample[];
  /** Markdown lines by coordinate, which are added to descriptions. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Inserts the panel into GraphiQL's page. Throws if the page has changed, such as after an upgrade. */
export function insertPanel(page: string, panelData: PanelData): string {
  if (!page.includes(ROOT) || !page.includes(NO_GLOBAL_EDITOR))
    throw new Error(
      'GraphiQL’s page has changed, so the example panel can’t be inserted. Update the insertion points in src/server/graphiql/panel.ts.',
    );
  const data = JSON.stringify(panelData).replaceAll('<', '\\u003c');
  const panel = `${MARKUP}\n<script type="application/json" id="examples-data">${data}</script>\n<script>${asset('panel.js')}</script>`;
  return (
    page
      .replace('</head>', () => `<style>${asset('panel.css')}</style></head>`)
      // Before the page's own scripts, which request the schema.
      .replace(ROOT, () => `${panel}${ROOT}`)
      // The panel opens examples through the editor's models.
      .replace(NO_GLOBAL_EDITOR, 'globalAPI: true')
  );
}
