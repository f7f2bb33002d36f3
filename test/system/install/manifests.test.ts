import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { LONG_TEST_MS } from '../../support/timeouts.ts';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const note = hasKubectl ? '' : ' (skipped: kubectl is not installed)';

function render(folder: string): readonly Manifest[] {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return parseAllDocuments(stdout).map((document) => document.toJS());
}

/** Writes an overlay with every component, including those that no overlay of the repository contains. Returns its path. */
function writeCompleteOverlay(): string {
  const folder = mkdtempSync(join(tmpdir(), 'overlay-'));
  const getPath = (path: string) => `  - ${relative(folder, resolve('deploy', path))}\n`;
  const components = readdirSync('deploy/components').map((name) => getPath(`components/${name}`));
  const text = `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n${getPath('base')}components:\n${components.join('')}`;
  writeFileSync(join(folder, 'kustomization.yaml'), text);
  return folder;
}

/** The package that contains the schema and the type of a manifest. */
const getPackage = ({ apiVersion, kind }: Manifest): string => {
  const name = apiVersion.startsWith('monitoring.coreos.com/') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models';
  return `${name}/${apiVersion}/${kind}`;
};

/** A module that only compiles if every member of the manifests exists in Kubernetes. Their schemas accept unknown members. */
function printModule(manifests: readonly Manifest[]): string {
  const kinds = new Map(manifests.map((manifest) => [manifest.kind, getPackage(manifest)]));
  const imports = [...kinds].map(([kind, path]) => `import type { I${kind} } from '${path}';`);
  const checks = manifests.map((manifest) => `(${JSON.stringify(manifest)}) satisfies I${manifest.kind};`);
  return [...imports, ...checks].join('\n');
}

/** Compiles modules. Returns the errors of each. */
function compile(modules: ReadonlyMap<string, readonly Manifest[]>): ReadonlyMap<string, readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
  symlinkSync(resolve('test/system/node_modules'), join(folder, 'node_modules'));
  const compilerOptions = { module: 'nodenext', target: 'esnext', strict: true, noEmit: true, skipLibCheck: true, types: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  for (const [name, manifests] of modules) writeFileSync(join(folder, `${name}.ts`), printModule(manifests));
  const { stdout } = spawnSync(resolve('node_modules/.bin/tsc'), ['--project', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return new Map([...modules.keys()].map((name) => [name, lines.filter((line) => line.includes(`${name}.ts(`))]));
}

/** Problems of manifests according to the schemas of Kubernetes. */
async function validate(manifests: readonly Manifest[]): Promise<string[]> {
  const problems: string[] = [];
  for (const manifest of manifests) {
    const { [manifest.kind]: Model } = await import(getPackage(manifest));
    try {
      new Model(manifest).validate();
    } catch (error) {
      problems.push(`${manifest.kind} ${manifest.metadata.name}: ${error}`);
    }
  }
  return problems;
}

const replaceIn = (manifests: readonly Manifest[], text: string, by: string): readonly Manifest[] => {
  const json = JSON.stringify(manifests);
  expect(json).toContain(text);
  return JSON.parse(json.replace(text, by));
};

describe.runIf(hasKubectl)(`schemas of the manifests in deploy/${note}`, () => {
  const rendered = new Map<string, readonly Manifest[]>();
  let errors: ReadonlyMap<string, readonly string[]>;

  beforeAll(() => {
    for (const overlay of readdirSync('deploy/overlays')) rendered.set(overlay, render(`deploy/overlays/${overlay}`));
    const complete = render(writeCompleteOverlay());
    rendered.set('complete', complete);
    errors = compile(
      new Map([
        ...rendered,
        ['misspelled', replaceIn(complete, '"livenessProbe"', '"livenesProbe"')],
        ['mistyped', replaceIn(complete, '"containerPort":4000', '"containerPort":"4000"')],
      ]),
    );
  }, LONG_TEST_MS);

  it.each([...readdirSync('deploy/overlays'), 'complete'])('accept the overlay %s', async (overlay) => {
    const manifests = rendered.get(overlay) ?? [];
    expect(manifests.length).toBeGreaterThan(2);
    expect(errors.get(overlay)).toEqual([]);
    expect(await validate(manifests)).toEqual([]);
  });

  it('reject misspelled members', () => {
    expect(errors.get('misspelled')).toEqual([expect.stringContaining("does not exist in type 'IContainer'")]);
  });

  it('reject values of another type', async () => {
    expect(errors.get('mistyped')).toEqual([expect.stringContaining("Type 'string' is not assignable to type 'number'")]);
    const broken = replaceIn(rendered.get('complete') ?? [], '"containerPort":4000', '"containerPort":"4000"');
    expect(await validate(broken)).toEqual([expect.stringContaining('Deployment workspace-graph')]);
  });
});
