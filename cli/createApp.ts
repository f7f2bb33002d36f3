import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { PACKAGE_ROOT, readManifest } from '../src/lib/packageRoot.ts';
import { StartError } from '../src/lib/startup.ts';

const USAGE = `Usage: workspace-graph create FOLDER [--packages DIR]

Creates a web app in an empty or new folder: Vite, React and Apollo Client, with a test against a graph with demo data.

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

/** Creates an app from the template. Returns what to print. Throws StartError if it can't. */
export function createApp(args: readonly string[]): string {
  const {
    values: { help, packages },
    positionals: [folder, ...others],
  } = parse(args);
  if (help) return USAGE;
  if (folder === undefined || others.length > 0) throw new StartError(`Expected one folder.\n${USAGE}`);
  const specifiers = findPackages(folder, packages);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw new StartError(`Can’t create ${folder}: ${(cause as Error).message}. Choose another folder.`, { cause });
  }
  if (readdirSync(folder).length > 0) throw new StartError(`${folder} isn’t empty. Choose another folder.`);

  // A checkout also has what an installation in the template has created.
  const isSource = (path: string) => !['node_modules', 'gql', 'package-lock.json'].includes(basename(path));
  cpSync(new URL('examples/template/', PACKAGE_ROOT), folder, { recursive: true, filter: isSource });
  // npm packages can't contain a file with this name.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'));
  const manifest = join(folder, 'package.json');
  const template = readFileSync(manifest, 'utf8');
  writeFileSync(
    manifest,
    Object.entries(specifiers).reduce((text, [name, specifier]) => text.replace(`"${name}": "*"`, `"${name}": "${specifier}"`), template),
  );
  return `Created an app in ${folder}. Install its packages and run its test:

  cd ${folder}
  npm install
  npm test

To use it, start a graph with demo data, and in another terminal the app. Sign in with the API key demo-owner:

  npm run graph
  npm run dev`;
}
