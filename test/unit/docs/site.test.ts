import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createDescription } from '../../../docs/site/descriptions.ts';
import { addLineBreaks } from '../../../docs/site/lineBreaks.ts';
import { createToolsPage, listTools } from '../../../scripts/reference/toolsPage.ts';
import { getGraph } from '../../support/getGraph.ts';

const { schema } = getGraph();

describe('tool list', () => {
  it('has a row for each document in src/tools/documents/, with what it does and the scopes that it requires', async () => {
    const tools = await listTools(schema);
    const files = readdirSync('src/tools/documents').filter((name) => name.endsWith('.graphql'));
    expect(tools.map(({ name }) => name)).toEqual(files.map((file) => `svc_${file.replace('.graphql', '')}`).toSorted());
    const text = await createToolsPage(schema);
    for (const { name, title, description, scopes } of tools) {
      expect([title, description].every((each) => each.trim().length > 3)).toBe(true);
      const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\` | ${title} | `)) ?? '';
      for (const scope of scopes) expect(row).toContain(`\`${scope}\``);
    }
    expect(tools.find(({ name }) => name === 'svc_quote_confirm')).toMatchObject({
      isWrite: true,
      scopes: expect.arrayContaining(['quote:confirm']),
    });
    expect(tools.find(({ name }) => name === 'svc_find_customer')).toMatchObject({ isWrite: false, scopes: ['customer:read'] });
  });

  it('lists writes separately from reads', async () => {
    const [, reads = '', writes = ''] = (await createToolsPage(schema)).split(/^## (?:Read|Write)$/m);
    expect(reads).toContain('`svc_find_customer`');
    expect(reads).not.toContain('`svc_quote_confirm` |');
    expect(writes).toContain('`svc_quote_confirm` |');
  });
});

describe('page description', () => {
  it.each([
    [
      'contains the first paragraph as plain text',
      '\nSee [the *guide*](guide.md) for `npm start`.\n\nMore.\n',
      'See the guide for npm start.',
    ],
    [
      'skips headings, lists, tables, code and images',
      '## A\n\n- b\n\n| c |\n| --- |\n\n```sh\nd\n\ne\n```\n\n![f](f.png)\n\nText.\n',
      'Text.',
    ],
    [
      'skips the status and the label of a decision',
      'Accepted, 2026-11-22. Replaces x.\n\n**Context.** The upstream fails.\n',
      'The upstream fails.',
    ],
    ['has no text without a paragraph', '## A\n\n- b\n', ''],
    ['ends with a period instead of a colon', 'With SQL:\n\n```sql\nSELECT 1\n```\n', 'With SQL.'],
    ['contains whole sentences', `${'A short one. '.repeat(20)}`, 'A short one. '.repeat(12).trim()],
    ['contains whole words if the first sentence is long', `${'word '.repeat(50)}`, `${'word '.repeat(30)}word…`],
  ])('%s', (_title, markdown, expected) => {
    expect(createDescription(markdown)).toBe(expected);
    expect(createDescription(markdown).length).toBeLessThanOrEqual(160);
  });
});

describe('page', () => {
  it('can break names in tables at separators and capitals only', () => {
    expect(
      addLineBreaks('<table><td><code dir="auto">UPSTREAM_URL</code> a_b <code>Quote/getQuote</code> <code>127.0.0.1</code></td></table>'),
    ).toBe(
      '<table><td><code dir="auto">UPSTREAM_<wbr>URL</code> a_b <code>Quote/<wbr>get<wbr>Quote</code> <code>127.0.0.1</code></td></table>',
    );
  });

  it('can break only long names in prose', () => {
    const html = '<p><code>UPSTREAM_URL</code> <code>ListWorkOrderTemplateFields x_y</code></p>';
    expect(addLineBreaks(html)).toBe('<p><code>UPSTREAM_URL</code> <code>List<wbr>Work<wbr>Order<wbr>Template<wbr>Fields x_y</code></p>');
  });

  it('can break headings that are names', () => {
    const html = '<h3 id="name"><span>teamCreate</span></h3><h3 id="title">For teamCreate</h3>';
    expect(addLineBreaks(html)).toBe(html.replace('>teamCreate<', '>team<wbr>Create<'));
  });

  it('preserves the dashes of an option with its first word', () => {
    expect(addLineBreaks('<p><code dir="auto">verify --max-calls 3 -h</code></p>')).toBe(
      '<p><code dir="auto">verify <span class="whole">--max</span>-calls 3 <span class="whole">-h</span></code></p>',
    );
  });
});
