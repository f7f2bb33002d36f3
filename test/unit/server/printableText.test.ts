import { describe, expect, it } from 'vitest';
import { formatAccounts } from '../../../cli/verify/accounts.ts';
import { formatText } from '../../../cli/verify/command.ts';
import { escapeLines, escapeText, quoteText } from '../../../src/lib/printableText.ts';
import { createStartError } from '../../../src/lib/startup.ts';
import { createLogger } from '../../../src/server/telemetry/logger.ts';
import { anyCharacter, fc } from '../../support/seeded.ts';

const HOSTILE = 'a\nVerified\r\u2028\u2029\u0085\u202eb\u2066\u001b[1A\u009b2J\u0000\u{e0041}\ud800"\\c';
const ESCAPED = 'a\\nVerified\\r\\u2028\\u2029\\u0085\\u202eb\\u2066\\u001b[1A\\u009b2J\\u0000\\udb40\\udc41\\ud800';

const isHidden = (character: string) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(character) && !/[\u200c\u200d]/.test(character);
const texts = fc.string({ unit: anyCharacter, maxLength: 50 });

describe('escaped text', () => {
  it('fits in one line without hidden characters, and is otherwise unchanged', () => {
    expect(escapeText(HOSTILE)).toBe(`${ESCAPED}"\\c`);
    expect(quoteText(HOSTILE)).toBe(`"${ESCAPED}\\"\\\\c"`);
    expect(escapeText('Zoë’s “Café” – 東京 👩‍🔧')).toBe('Zoë’s “Café” – 東京 👩‍🔧');
    fc.assert(
      fc.property(texts, (text) => {
        expect([...escapeText(text)].some(isHidden)).toBe(false);
        expect(JSON.parse(quoteText(text))).toBe(text);
        expect([...quoteText(text)].some(isHidden)).toBe(false);
      }),
    );
  });

  it('retains the line feeds of a text with several lines', () => {
    expect(escapeLines(HOSTILE)).toBe(`${ESCAPED.replace('\\n', '\n')}"\\c`);
  });

  it('ends between characters if it’s shortened', () => {
    expect([quoteText('😀😀😀', 2), quoteText('😀😀', 2), quoteText('ab\n', 2)]).toEqual(['"😀😀…"', '"😀😀"', '"ab…"']);
  });
});

describe('output with a text from elsewhere', () => {
  const expectLines = (text: string, count: number) => {
    expect(text.trimEnd().split('\n')).toHaveLength(count);
    expect([...text.replaceAll('\n', '')].filter(isHidden)).toEqual([]);
    expect(text).toContain(ESCAPED);
  };

  it('has one line for each problem at startup', () => {
    expectLines(createStartError('graph', [`PORT must be an integer, but is ${HOSTILE}.`, 'Another.']).message, 3);
  });

  it('has one line for each account', () => {
    const row = { account: HOSTILE, result: 'MALFORMED', detail: HOSTILE, missingScopes: [] } as const;
    expectLines(formatAccounts({ problem: HOSTILE, accounts: [row, row] }), 4);
  });

  it('has one line for each finding of verify', () => {
    const report = {
      calls: 1,
      cutBy: null,
      keptBack: 0,
      reads: { total: 1, confirmed: 1 },
      findings: [
        { coordinate: `OrderRecord.${HOSTILE}`, verdict: 'UNKNOWN', count: 1 },
        { coordinate: 'OrderRecord.id', verdict: 'DRIFT', kind: 'TYPE', detail: HOSTILE, count: 1 },
      ],
      facts: [{ subject: HOSTILE, result: HOSTILE }],
      settled: [],
      overlay: null,
    } as const;
    const clean = JSON.parse(JSON.stringify(report).replaceAll(JSON.stringify(HOSTILE).slice(1, -1), 'x'));
    expectLines(formatText(report as never), formatText(clean).trimEnd().split('\n').length);
  });

  it('has one line for each entry of the log', () => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    logger.warn({ err: new Error(HOSTILE), path: HOSTILE }, 'request failed');
    expect(lines).toHaveLength(1);
    expect([...(lines[0] ?? '').trimEnd()].filter(isHidden)).toEqual([]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ path: HOSTILE, err: { message: HOSTILE } });
  });
});
