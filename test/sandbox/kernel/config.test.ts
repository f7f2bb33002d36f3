import { describe, expect, it } from 'vitest';
import { readSandboxConfig } from '../../../sandbox/kernel/config.ts';

describe('readSandboxConfig', () => {
  it('defaults to this machine only, in memory, without an admin port', () => {
    expect(readSandboxConfig({})).toEqual({
      host: '127.0.0.1',
      port: 4010,
      data: ':memory:',
      seed: 1,
      extraOrders: 0,
      rateLimit: { limit: 6000, windowSeconds: 60 },
      sendsDefaults: true,
      deprecations: new Map(),
      adminPort: null,
    });
  });

  it('reads all settings from the environment', () => {
    const config = readSandboxConfig({
      SANDBOX_HOST: '::1',
      SANDBOX_PORT: '0',
      SANDBOX_DATA: 'data.sqlite',
      SANDBOX_SEED: '42',
      SANDBOX_EXTRA_ORDERS: '1000',
      SANDBOX_RATE_LIMIT: '10',
      SANDBOX_JSON: 'omit-defaults',
      SANDBOX_DEPRECATED: 'Quote/GetQuote@1767225600/1798761600, Order/GetOrder@0/1',
      SANDBOX_ADMIN_PORT: '0',
    });
    expect(config).toEqual({
      host: '::1',
      port: 0,
      data: 'data.sqlite',
      seed: 42,
      extraOrders: 1000,
      rateLimit: { limit: 10, windowSeconds: 60 },
      sendsDefaults: false,
      deprecations: new Map([
        ['Quote/GetQuote', { deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' }],
        ['Order/GetOrder', { deprecation: '@0', sunset: 'Thu, 01 Jan 1970 00:00:01 GMT' }],
      ]),
      adminPort: 0,
    });
  });

  it.each(['', ' '])('treats %j as missing', (value) => {
    const names = ['HOST', 'PORT', 'DATA', 'SEED', 'EXTRA_ORDERS', 'RATE_LIMIT', 'JSON', 'DEPRECATED', 'ADMIN_PORT'];
    const config = readSandboxConfig(Object.fromEntries(names.map((name) => [`SANDBOX_${name}`, value])));
    expect(config).toEqual(readSandboxConfig({}));
  });

  it.each([
    ['SANDBOX_PORT', '65536'],
    ['SANDBOX_PORT', '-1'],
    ['SANDBOX_PORT', '80.5'],
    ['SANDBOX_PORT', 'http'],
    ['SANDBOX_SEED', 'x'],
    ['SANDBOX_RATE_LIMIT', '0'],
    ['SANDBOX_JSON', 'xml'],
    ['SANDBOX_DEPRECATED', 'Quote/GetQuote'],
    ['SANDBOX_DEPRECATED', 'Quote/GetQuote@1/99999999999999999'],
    ['SANDBOX_DEPRECATED', 'Quote/GetQuotes@1/2'],
    ['SANDBOX_PORT', '0x50'],
    ['SANDBOX_SEED', '1e3'],
    ['SANDBOX_ADMIN_PORT', '70000'],
  ])('rejects %s=%s, and names both', (name, value) => {
    const read = () => readSandboxConfig({ [name]: value });
    expect(read).toThrow(name);
    expect(read).toThrow(value);
  });

  it('reports all problems at once', () => {
    const read = () => readSandboxConfig({ SANDBOX_PORT: 'a', SANDBOX_SEED: 'b', SANDBOX_JSON: 'c' });
    expect(read).toThrow(/SANDBOX_JSON.*SANDBOX_PORT.*SANDBOX_SEED/s);
  });
});
