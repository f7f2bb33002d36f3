import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../../src/server/settings/config.ts';
import { listBlocks } from '../../support/codeBlocks.ts';

const blocks = new Map(listBlocks('several processes').map(([, { language, text }]) => [language, text]));
const [unit = '', balancer = '', compose = ''] = ['ini', 'haproxy', 'yaml'].map((language) => blocks.get(language));

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;

/** Writes a file that is deleted after the test. Returns its path. */
function writeTemporary(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'services-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The environment variables of an instance of the unit. */
const listVariables = (instance: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...unit.matchAll(/^Environment=(.+)$/gm)]
      .flatMap(([, variables = '']) => variables.replaceAll('%i', instance).split(' '))
      .map((variable) => variable.split('=') as [string, string]),
  );

const findNumber = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1]);

/** How long a shutdown with the default settings of production takes, in seconds. */
function getShutdownSeconds(): number {
  const { SHUTDOWN_DRAIN_MS, SHUTDOWN_TIMEOUT_MS } = readConfig({ NODE_ENV: 'production' });
  return (SHUTDOWN_DRAIN_MS + SHUTDOWN_TIMEOUT_MS) / 1000;
}

describe('services of several processes', () => {
  it.runIf(hasSystemd)('contain a unit that systemd accepts', () => {
    const path = writeTemporary('workspace-graph@.service', unit.replace(/^(ExecStart(?:Post)?)=\S+/gm, `$1=${process.execPath}`));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('contain a unit with valid settings and enough time to shut down', () => {
    const variables = listVariables('4002');
    const config = readConfig(variables);
    expect(Object.keys(variables).filter((name) => !(name in config))).toEqual([]);
    expect(config).toMatchObject({ NODE_ENV: 'production', PORT: 4002, UPSTREAM_URL: 'https://upstream.example' });
    const [, folder = ''] = /^StateDirectory=(.+)$/m.exec(unit) ?? [];
    expect(config.LEDGER_URL).toBe(`file:/var/lib/${folder}/ledger.sqlite`);
    expect(findNumber(unit, /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThan(getShutdownSeconds());
  });

  it.runIf(hasHaproxy)('contain a configuration that HAProxy accepts', () => {
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', writeTemporary('haproxy.cfg', balancer)], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('contain health checks that detect a shutdown during the drain period', () => {
    const [, seconds, fall] = /^ {2}default-server check inter (\d)s fall (\d) rise 1$/m.exec(balancer) ?? [];
    expect(Number(seconds) * Number(fall) * 1000).toBeLessThan(readConfig({ NODE_ENV: 'production' }).SHUTDOWN_DRAIN_MS);
  });

  it('contain containers with valid settings, one volume, and enough time to shut down', () => {
    const { services, volumes } = parse(compose, { merge: true });
    expect(Object.keys(services)).toEqual(['graph-1', 'graph-2']);
    for (const { environment, stop_grace_period, volumes: mounts } of Object.values<typeof services>(services)) {
      expect(readConfig(environment).UPSTREAM_URL).toBe('https://upstream.example');
      expect(mounts).toEqual(Object.keys(volumes).map((name) => `${name}:/data`));
      expect(findNumber(stop_grace_period, /^(\d+)s$/)).toBeGreaterThan(getShutdownSeconds());
    }
  });
});
