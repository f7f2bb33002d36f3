// Runs the steps of the release workflow on this machine, as its runner would, but publishes nothing.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { run } from './pack/files.ts';

interface Step {
  readonly name: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A step that was run, or replaced, with its output. */
export interface StepResult {
  readonly name: string;
  readonly status: number | null;
  readonly output: string;
}

export interface StepOptions {
  readonly tag: string;
  /** Whether the registry reports that the versions are published. */
  readonly isPublished?: boolean;
  /** Whether the image is built. If not, stand-ins replace its files. */
  readonly buildsImage?: boolean;
  /** Whether the website is built, which installs its packages. */
  readonly buildsWebsite?: boolean;
}

/** Commands that replace steps, by a part of what they replace. Those that install something would change this machine: `npm ci` empties linked folders. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  'npm ci': 'echo "Left out: packages are linked."',
  'apt-get install': 'echo "Left out: programs aren’t installed."',
};
const createStandIns = ({ tag, buildsImage, buildsWebsite }: StepOptions): Readonly<Record<string, string>> => ({
  ...(!buildsImage && {
    'npm run image': `for each in oci.tar digest cdx.json; do echo stand-in > "build/workspace-graph-image-${tag.slice(1)}.$each"; done`,
  }),
  ...(!buildsWebsite && { 'npm run docs': 'echo "Left out: the website of $DOCS_URL isn’t built."' }),
});

/**
 * Programs that come first in PATH. `npm publish` doesn't publish, and without provenance, which only a workflow can prove. `npm view` is a registry without
 * these packages, or with all versions. `gh` lists the files that it would upload, and fails if one is missing. `skopeo` prints what it would push, and fails if the
 * archive is missing. `sudo` runs the command as this user.
 */
const createPrograms = (npm: string, isPublished: boolean): Readonly<Record<string, string>> => ({
  npm: `case $1 in
publish)
  arguments=(--dry-run)
  for each in "$@"; do [ "$each" = --provenance ] || arguments+=("$each"); done
  exec ${npm} "\${arguments[@]}" ;;
view) ${isPublished ? `echo '"0.0.0"'` : `echo '{ "error": { "code": "E404" } }'; exit 1`} ;;
*) exec ${npm} "$@" ;;
esac`,
  gh: 'echo "gh $*"; for each in "$@"; do case $each in */*) [ -s "$each" ] || exit 1 ;; esac; done',
  skopeo:
    'cat > /dev/null; echo "skopeo $*"; for each in "$@"; do case $each in oci-archive:*) [ -s "$(echo "$each" | cut -d: -f2)" ] || exit 1 ;; esac; done',
  sudo: 'exec "$@"',
});

function writePrograms(folder: string, isPublished: boolean): void {
  const npm = run('sh', ['-c', 'command -v npm']).trim();
  for (const [name, script] of Object.entries(createPrograms(npm, isPublished)))
    writeFileSync(join(folder, name), `#!/usr/bin/env bash\n${script}\n`, { mode: 0o755 });
}

/** Replaces the expressions of a workflow: there are no secrets and variables here. */
const removeExpressions = (text: string): string =>
  text.replace(/\$\{\{ vars\.DOCS_URL \}\}/, 'https://docs.example').replace(/\$\{\{.*?\}\}/g, 'none');

/** The jobs that publish something, in order. */
const JOBS = ['publish', 'website'] as const;

/** Names of folders that aren't copied: packages, and what programs write. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'build', 'coverage', 'data', 'node_modules']);

/** Copies the files of this checkout to an empty folder, and links its packages, which no step may change. */
export function copyCheckout(folder: string): void {
  cpSync('.', folder, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
}

/** Runs the steps in a copy of a checkout, in order, up to the first that fails. Actions are left out. */
export function runReleaseSteps(folder: string, options: StepOptions): readonly StepResult[] {
  const { tag, isPublished = false } = options;
  const workflow = readFileSync(join(folder, '.github/workflows/release.yml'), 'utf8');
  const { jobs } = parse(workflow) as { readonly jobs: Readonly<Record<(typeof JOBS)[number], { readonly steps: readonly Step[] }>> };
  const { repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly repository: { readonly url: string };
  };
  const { origin, pathname } = new URL(repository.url.replace('git+', ''));
  const programs = mkdtempSync(join(tmpdir(), 'programs-'));
  const env = {
    ...process.env,
    // `npm run --silent` would also silence npm here.
    npm_config_loglevel: 'notice',
    PATH: [programs, join(folder, 'node_modules/.bin'), process.env.PATH].join(':'),
    GITHUB_ACTOR: 'dry-run',
    GITHUB_OUTPUT: join(programs, 'output'),
    GITHUB_REF_NAME: tag,
    GITHUB_SERVER_URL: origin,
    GITHUB_REPOSITORY: pathname.slice(1).replace(/\.git$/, ''),
  };
  const replacements = Object.entries({ ...REPLACEMENTS, ...createStandIns(options) });
  const results: StepResult[] = [];
  try {
    writePrograms(programs, isPublished);
    for (const { name, run: command, env: variables = {} } of JOBS.flatMap((job) => jobs[job].steps)) {
      if (command === undefined) continue;
      const replaced = replacements.find(([part]) => command.includes(part))?.[1] ?? command;
      const added = Object.fromEntries(Object.entries(variables).map(([variable, value]) => [variable, removeExpressions(value)]));
      // GitHub's command line of `shell: bash`.
      const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', replaced], {
        cwd: folder,
        env: { ...env, ...added },
        encoding: 'utf8',
      });
      results.push({ name, status, output: stdout + stderr });
      if (status !== 0) break;
    }
    return results;
  } finally {
    rmSync(programs, { recursive: true });
  }
}
