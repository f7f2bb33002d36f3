import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createConfigurationPage } from '../../../scripts/codegen/configuration.ts';
import { readConfig, readSettings } from '../../../src/server/settings/config.ts';
import { SETTINGS } from '../../../src/server/settings/settings.ts';
import type { Setting } from '../../../src/server/settings/settingTypes.ts';

const settings: Readonly<Record<string, Setting<unknown>>> = SETTINGS;
const variables = Object.keys(settings);
const page = readFileSync('docs/configuration.md', 'utf8');

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
    .map((name) => join(folder, name));

/** Environment variables in a page's tables. */
const listTabled = (text: string) =>
  [...text.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm)].flatMap(([, names = '']) => names.match(/[A-Z_]+/g) ?? []);

/** Settings that have no effect without `AUTH_ISSUER`, with other values than the default. */
const SIGN_IN = [
  ['AUTH_AUDIENCE', 'https://graph.example.com/graphql'],
  ['AUTH_KEYS', 'file:/secrets/keys.json'],
  ['AUTH_CLAIM', 'tenant'],
  ['AUTH_TOKEN_TYPE', 'any'],
  ['AUTH_API_KEYS', 'false'],
  ['AUTH_RESOURCE', 'https://graph.example.com'],
  ['AUTH_KEYS_STALE_MS', '0'],
] as const;

describe('settings', () => {
  it('get their values from the environment in a single file', () => {
    const files = filesBelow('src');
    const readers = files.filter((file) => /process\.env|import\.meta\.env/.test(readFileSync(file, 'utf8')));
    expect(readers).toEqual(['src/main.ts']);
    const parsers = files.filter((file) => /\benv[.[]/.test(readFileSync(file, 'utf8')));
    expect(parsers).toEqual(['src/server/settings/config.ts']);
    expect(readFileSync('src/server/settings/config.ts', 'utf8').match(/\benv\.\w+/g)).toBeNull();
  });

  it('have one line each in the docs page, which is up to date', () => {
    expect(page).toContain(createConfigurationPage());
    const documented = listTabled(page).filter((variable) => !variable.startsWith('SANDBOX_'));
    expect(documented.toSorted()).toEqual(variables.toSorted());
  });

  it('also have a line each in the docs page for the sandbox', () => {
    const read = readFileSync('sandbox/kernel/config.ts', 'utf8').match(/'SANDBOX_\w+'/g) ?? [];
    const names = [...new Set(read.map((name) => name.slice(1, -1)))];
    expect(names.length).toBeGreaterThan(5);
    expect(
      listTabled(page)
        .filter((variable) => variable.startsWith('SANDBOX_'))
        .toSorted(),
    ).toEqual(names.toSorted());
  });

  it('have the same names in the production guide', () => {
    const [, section = ''] = /## Essential settings\n([\s\S]+?)\n## /.exec(readFileSync('docs/production.md', 'utf8')) ?? [];
    const named = listTabled(section);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((variable) => !variables.includes(variable))).toEqual([]);
  });

  it('can require other settings, and use them as defaults', () => {
    const others = Object.values(settings).flatMap(({ needs = [], defaultWhere }) => [
      ...needs.map(({ variable }) => variable),
      defaultWhere?.variable,
    ]);
    expect(others.filter((variable) => variable !== undefined && !variables.includes(variable))).toEqual([]);
    expect(others.filter(Boolean).length).toBeGreaterThan(3);
  });

  it.each(variables)('%s has a valid default and a description', (variable) => {
    const { kind, default: usual, defaultWhere, description } = SETTINGS[variable as keyof typeof SETTINGS] as Setting<unknown>;
    for (const text of [usual, defaultWhere?.default ?? usual]) expect(kind.read(text)).toHaveProperty('value');
    expect(description).toMatch(/^[A-Z`].*\.$/);
    expect(description).not.toContain('|');
  });

  it('accept only digits as integers, and treat blank values as missing', () => {
    expect(readConfig({ PORT: '  ' }).PORT).toBe(4000);
    for (const PORT of ['0x50', '1e3', '-1', '4000.0', '65536'])
      expect(() => readConfig({ PORT })).toThrow(`PORT must be an integer from 0 to 65535, but is ${PORT}.`);
  });

  it('report all problems of a list, and of requirements between settings', () => {
    const attempt = () => readConfig({ SUBGRAPH_TAGS: 'Query', APQ: 'true', TRUSTED_DOCUMENTS: 'documents.json', COST_LIMIT: '0' });
    expect(attempt).toThrow(
      [
        'The graph cannot start:',
        'COST_LIMIT must be an integer from 1 to 1000000000, but is 0.',
        'TRUSTED_DOCUMENTS must be the path of a readable file, but reading documents.json failed with ENOENT.',
        'APQ=true requires TRUSTED_DOCUMENTS_MODE=also. Set TRUSTED_DOCUMENTS_MODE=also, or change APQ.',
        'SUBGRAPH_TAGS must be a list of `coordinate=tag` pairs, such as Query.customer*=public, but contains Query.',
      ].join('\n  '),
    );
  });

  it('report all settings that sign-in requires', () => {
    const { problems, invalid } = readSettings({ AUTH_ISSUER: 'https://login.example.com', PORT: 'x', MCP: 'true' });
    expect(problems).toEqual([
      'PORT must be an integer from 0 to 65535, but is x.',
      'AUTH_ISSUER requires AUTH_AUDIENCE. Set AUTH_AUDIENCE, or change AUTH_ISSUER.',
      'AUTH_ISSUER requires AUTH_KEYS. Set AUTH_KEYS, or change AUTH_ISSUER.',
      'MCP=true with AUTH_ISSUER requires AUTH_RESOURCE. Set AUTH_RESOURCE, or change MCP.',
    ]);
    expect([...invalid]).toEqual(['PORT', 'AUTH_ISSUER', 'MCP']);
    expect(readSettings({ MCP: 'true' }).problems).toEqual([]);
  });

  it.each(SIGN_IN)('reject %s=%s if sign-in is disabled, which would send tokens upstream', (variable, value) => {
    expect(readSettings({ [variable]: value }).problems).toEqual([
      `${variable} requires AUTH_ISSUER. Set AUTH_ISSUER, or change ${variable}.`,
    ]);
  });

  it('accept all settings of sign-in together, and their defaults without it', () => {
    expect(readSettings({ AUTH_ISSUER: 'https://login.example.com', ...Object.fromEntries(SIGN_IN) }).problems).toEqual([]);
    const names = variables.filter((variable) => variable.startsWith('AUTH_'));
    expect(names.toSorted()).toEqual(['AUTH_ISSUER', ...SIGN_IN.map(([variable]) => variable)].toSorted());
    expect(readSettings(Object.fromEntries(names.map((name) => [name, settings[name]?.default]))).problems).toEqual([]);
  });

  it.each(['prod', 'Production', 'staging', 'live'])('reject NODE_ENV=%s, which would enable GraphiQL and introspection', (NODE_ENV) => {
    expect(() => readConfig({ NODE_ENV })).toThrow(
      `NODE_ENV must be production, development or test, or unset, but is ${NODE_ENV}. Use production for every deployment that others can reach, such as staging.`,
    );
  });

  it.each([undefined, '', 'development', 'test', 'production'])('accept NODE_ENV=%s', (NODE_ENV) => {
    expect(readConfig({ NODE_ENV }).GRAPHIQL).toBe(NODE_ENV !== 'production');
  });

  it.each([
    ['https://app.example/', ' Did you mean https://app.example?'],
    ['https://app.example/path', ' Did you mean https://app.example?'],
    ['https://App.example', ' Did you mean https://app.example?'],
    ['https://app.example:443', ' Did you mean https://app.example?'],
    ['app.example', ''],
    ['localhost:3000', ''],
    ['null', ''],
    ['https://me:secret@app.example', ' Did you mean https://app.example?'],
  ])('reject the origin %s', (origin, suggestion) => {
    const attempt = () => readConfig({ CORS_ORIGINS: `https://a.example, ${origin}` });
    expect(attempt).toThrow('CORS_ORIGINS must be a list of origins, such as https://app.example, but contains ');
    expect(attempt).toThrow(`without a path or trailing slash.${suggestion}`);
    expect(attempt).not.toThrow('secret');
  });

  it('reject * as an origin', () => {
    expect(() => readConfig({ CORS_ORIGINS: '*' })).toThrow('CORS_ORIGINS must be a list of origins, but contains *. List the origins');
  });

  it('accept origins of apps and of other ports', () => {
    const origins = ['http://localhost:3000', 'capacitor://localhost', 'https://xn--bcher-kva.example', 'http://[::1]:8080'];
    expect(readConfig({ CORS_ORIGINS: origins.join(', ') }).CORS_ORIGINS).toEqual(origins);
  });

  it.each([
    ['https://tools.example.com', 'tools.example.com'],
    ['https://tools.example.com/mcp', 'tools.example.com'],
    ['tools.example.com:8443', 'tools.example.com'],
    ['tools.example.com/mcp', 'tools.example.com'],
    ['::1', '[::1]'],
  ])('reject the host %s', (host, suggestion) => {
    expect(() => readConfig({ MCP_HOSTS: host })).toThrow(
      `MCP_HOSTS must be a list of host names, such as tools.example.com, but contains ${host}. Specify host names without scheme, port and path. Did you mean ${suggestion}?`,
    );
  });

  it('reject * as a host', () => {
    expect(() => readConfig({ MCP_HOSTS: '*' })).toThrow('MCP_HOSTS must be a list of host names');
  });

  it('accept host names and IP addresses', () => {
    const hosts = ['Tools.example.com', 'localhost', '127.0.0.1', '[::1]', 'my_host'];
    expect(readConfig({ MCP_HOSTS: hosts.join(',') }).MCP_HOSTS).toEqual(hosts);
  });

  it('recognize misspelled variables, but no others', () => {
    const misspelled = {
      LOGLEVEL: 'LOG_LEVEL',
      INTROSPECTON: 'INTROSPECTION',
      POTR: 'PORT',
      UPSTREAM_URI: 'UPSTREAM_URL',
      NODE_ENVS: 'NODE_ENV',
      port: 'PORT',
    };
    const others = ['PATH', 'HOME', 'APP', 'MAP', 'HOSTNAME', 'SANDBOX_PORT', 'GRAPH_PORT', 'PORT', 'LOG_LEVELING'];
    const env = Object.fromEntries([...Object.keys(misspelled), ...others].map((variable) => [variable, '']));
    expect(readSettings(env).misspellings).toEqual(Object.entries(misspelled).map(([variable, setting]) => ({ variable, setting })));
  });
});
