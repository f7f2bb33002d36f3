import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PACKAGE_ROOT, readManifest } from '../src/lib/packageRoot.ts';
import { StartError } from '../src/lib/startup.ts';

const USAGE = `Usage: workspace-graph create FOLDER [--packages DIR]

Creates a web app in a new folder, or in one that is empty except for .git: Vite, React, Mantine, TanStack Router and Apollo Client, with a test against a graph with demo data.

Options:
  --packages DIR  Folder with the .tgz files of workspace-graph and @workspace-graph/client. The app installs them from there.
                  Default: the app installs them from the registry
  --help          Show this help`;

const OPTIONS = { packages: { type: 'string' }, help: { type: 'boolean' } } as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n${USAGE}`);
  }
}

/** The fields of the template's package.json that `create` changes. */
type Manifest = Readonly<Record<'dependencies' | 'devDependencies', Record<string, string>>>;

/** The packages of this version that the app depends on, as versions or as files. */
function findPackages(folder: string, packages: string | undefined): Readonly<Record<string, string>> {
  const { version } = readManifest();
  const find = (file: string): string => {
    if (packages === undefined) return version;
    const path = join(packages, `${file}-${version}.tgz`);
    if (!existsSync(path))
      throw new StartError(`${path} doesn’t exist. Pass the folder with the .tgz files of both packages as --packages.`);
    return `file:${relative(folder, path).replaceAll('\\', '/')}`;
  };
  return { 'workspace-graph': find('workspace-graph'), '@workspace-graph/client': find('workspace-graph-client') };
}

/**
 * Characters of a path with which an app can't be tested: Vite reads `#`, `?` and `%` as parts of a URL, and GraphQL Code Generator finds no documents in a folder
 * with one of the others. Source: https://github.com/ardatan/graphql-tools/blob/master/packages/utils/src/helpers.ts, `invalidPathRegex`.
 */
const UNUSABLE = /[#?%!^<>`‘“\n]/;

/** Creates the folder if it doesn't exist. Throws StartError if the app can't be created there. */
function prepareFolder(folder: string): void {
  const path = resolve(folder);
  const [character] = UNUSABLE.exec(path) ?? [];
  if (character !== undefined)
    throw new StartError(
      `The path ${path} contains ${JSON.stringify(character)}, with which Vitest or GraphQL Code Generator can’t load files. Choose another folder.`,
    );
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw new StartError(`Can’t create ${folder}: ${(cause as Error).message}. Choose another folder.`, { cause });
  }
  if (lstatSync(folder).isSymbolicLink())
    throw new StartError(`${folder} is a symbolic link. Pass the path of the folder that it leads to.`);
  if (readdirSync(folder).some((name) => name !== '.git')) throw new StartError(`${folder} isn’t empty. Choose another folder.`);
}

/** The folder as an argument of a command. All shells, also those of Windows, know double quotes, but some replace characters between them. */
function quote(folder: string): string {
  if (/^[\w./:\\-]+$/.test(folder)) return folder;
  return /["$`!\\]/.test(folder) ? `'${folder.replaceAll("'", "'\\''")}'` : `"${folder}"`;
}

/** Creates an app from the template. Returns what to print. Throws StartError if it can't. */
export function createApp(args: readonly string[]): string {
  const {
    values: { help, packages },
    positionals: [folder, ...others],
  } = parse(args);
  if (help) return USAGE;
  if (folder === undefined || others.length > 0) throw new StartError(`Expected one folder.\n${USAGE}`);
  const specifiers = findPackages(folder, packages);
  prepareFolder(folder);

  // A checkout also has what an installation in the template has created.
  const isSource = (path: string) => !['node_modules', 'gql', 'package-lock.json'].includes(basename(path));
  cpSync(new URL('examples/template/', PACKAGE_ROOT), folder, { recursive: true, filter: isSource });
  // npm packages can't contain a file with this name.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'));
  const manifest = join(folder, 'package.json');
  const template: Manifest = JSON.parse(readFileSync(manifest, 'utf8'));
  for (const dependencies of [template.dependencies, template.devDependencies])
    for (const name of Object.keys(dependencies)) dependencies[name] = specifiers[name] ?? dependencies[name] ?? '';
  writeFileSync(manifest, `${JSON.stringify(template, null, 2)}\n`);
  return `Created an app in ${folder}. Install its packages and run its test:

  cd ${quote(folder)}
  npm install
  npm test

To use it, start a graph with demo data, and in another terminal the app. Sign in with the API key demo-owner:

  npm run graph
  npm run dev`;
}
