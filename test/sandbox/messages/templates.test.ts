import { describe, expect, it } from 'vitest';
import { listSentMessages } from '../../../sandbox/kernel/outbox.ts';
import { spec } from '../../support/spec.ts';
import { FORBIDDEN, summarizeError } from '../errors.ts';
import { makeKey } from '../makeKey.ts';
import { START, useSandbox } from '../sandbox.ts';

const opened = useSandbox();
const { call, callAs } = opened;

/** Both kinds of templates: the service, its field for a template, and the fields for creating one. */
const KINDS = [
  ['EmailTemplate', 'emailTemplate', { name: 'Delay', subject: 'We are late', body: 'By half an hour.' }],
  ['DocumentTemplate', 'documentTemplate', { name: 'Checklist' }],
] as const;

describe('template', () => {
  it.each(KINDS)(
    'starts as a draft, without being published or sent: %s',
    spec('4.10.1', '4.10.2', '4.10.3', '4.10.8'),
    async (kind, member, fields) => {
      opened.requiresDemoData();
      const created = (await call(`${kind}/Create${kind}`, fields)).body[member];
      const { isPublished = false, ...rest } = created;
      expect(isPublished).toBe(false);
      expect(rest).toEqual({ ...fields, id: expect.any(String), createdAt: String(START), updatedAt: String(START) });
      expect((await call(`${kind}/Get${kind}`, { id: created.id })).body[member]).toEqual(created);
      expect((await call(`${kind}/List${kind}s`, {})).body[`${member}s`]).toContainEqual(created);
      expect(listSentMessages(opened.sandbox.world.store)).toEqual([]);
    },
  );

  it.each(KINDS)('can be published or a draft in the demo data: %s', async (kind, member) => {
    const templates = (await call(`${kind}/List${kind}s`, {})).body[`${member}s`];
    const states = templates.map(({ isPublished = false }: { isPublished?: boolean }) => isPublished);
    expect(new Set(states)).toEqual(new Set([true, false]));
  });

  it.each(KINDS)('requires access to settings, to read and to write: %s', spec('5.23', '5.24'), async (kind, member, fields) => {
    const { world } = opened.sandbox;
    const reader = makeKey(world, { permissions: ['settingsAccess:READ_ONLY'] });
    const writer = makeKey(world, { permissions: ['settingsAccess:READ_WRITE'] });
    const worker = makeKey(world, { permissions: ['boardAccess:FULL_ACCESS'] });
    const { id } = (await callAs(writer, `${kind}/Create${kind}`, fields)).body[member];
    expect((await callAs(reader, `${kind}/Get${kind}`, { id })).body[member].id).toBe(id);
    expect((await callAs(reader, `${kind}/List${kind}s`, {})).status).toBe(200);
    expect(summarizeError(await callAs(reader, `${kind}/Create${kind}`, fields))).toEqual(FORBIDDEN);
    for (const operation of [`Get${kind}`, `List${kind}s`, `Create${kind}`])
      expect(summarizeError(await callAs(worker, `${kind}/${operation}`, { id, ...fields }))).toEqual(FORBIDDEN);
  });
});
