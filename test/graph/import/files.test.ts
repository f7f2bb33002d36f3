import { linkSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { useSandbox } from '../../sandbox/sandbox.ts';
import { createFile, type ImportFile, readResults, runImport } from './support.ts';

const opened = useSandbox();

const CUSTOMERS = 'title\nFiled\n';

const run = (file: ImportFile, args: readonly string[] = []) =>
  runImport(opened.sandbox.url, file, ['--mutation', 'customerCreate', ...args]);

describe('import', () => {
  it('doesn’t replace the imported file by its results, whatever its path', async () => {
    const file = createFile(CUSTOMERS);
    const [linked, symbolic] = [`${file.path}.hard`, `${file.path}.soft`];
    linkSync(file.path, linked);
    symlinkSync(file.path, symbolic);
    for (const out of [file.path, linked, symbolic])
      expect(await run(file, ['--out', out])).toMatchObject({
        code: 1,
        err: expect.stringContaining('--out must not be the imported file'),
      });
    expect(readFileSync(file.path, 'utf8')).toBe(CUSTOMERS);
  });

  it('doesn’t replace a file that no import wrote, but the results of its own earlier run', async () => {
    const file = createFile(CUSTOMERS);
    const out = `${file.path}.notes`;
    writeFileSync(out, 'My notes');
    expect(await run(file, ['--out', out])).toMatchObject({ code: 1, err: expect.stringContaining('there’s no') });
    expect(readFileSync(out, 'utf8')).toBe('My notes');
    for (let count = 0; count < 2; count += 1) expect((await run(file)).code).toBe(0);
  });

  it('sends nothing if the state of earlier results was deleted or emptied', async () => {
    const file = createFile(CUSTOMERS);
    expect((await run(file)).code).toBe(0);
    const results = readResults(file);
    const countCustomers = () => opened.sandbox.world.store.all("SELECT id FROM customers WHERE title = 'Filed'").length;
    const created = countCustomers();
    expect(created).toBeGreaterThan(0);
    const path = `${file.path}.results.jsonl.state`;
    for (const lose of [() => truncateSync(path), () => rmSync(path)]) {
      lose();
      const { code, err } = await run(file);
      expect([code, err]).toEqual([1, expect.stringContaining('restore that state, because all rows would be sent again without it')]);
      expect(countCustomers()).toBe(created);
      expect(readResults(file)).toEqual(results);
    }
  });

  it('reports a full disk, and continues once there is space', async () => {
    const file = createFile(`title\n${Array.from({ length: 300 }, (_, index) => `${'Filed '.repeat(20)}${index}\n`).join('')}`);
    const { exec } = DatabaseSync.prototype;
    const limited = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
      exec.call(this, sql);
      if (sql.startsWith('BEGIN') && this.location()?.endsWith('.state')) exec.call(this, 'PRAGMA max_page_count = 16');
    });
    onTestFinished(() => limited.mockRestore());
    expect(await run(file)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Can’t write .*\.state: database or disk is full\. Run/m),
    });
    limited.mockRestore();
    expect((await run(file)).code).toBe(0);
  });

  it('doesn’t write to a database of another program', async () => {
    const file = createFile(CUSTOMERS);
    const path = `${file.path}.results.jsonl.state`;
    const foreign = new DatabaseSync(path);
    foreign.exec('CREATE TABLE notes (text TEXT)');
    expect(await run(file)).toMatchObject({ code: 1, err: expect.stringContaining('is a database of another program') });
    expect(foreign.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'notes' }]);
    foreign.close();
  });

  it('reports a state that isn’t one of its files', async () => {
    const file = createFile(CUSTOMERS);
    writeFileSync(`${file.path}.results.jsonl.state`, '{"rows": []}'.repeat(1_000));
    const { code, err } = await run(file);
    expect([code, err]).toEqual([1, expect.stringMatching(/Can’t use .*state \(--out\): /)]);
  });

  it('lists rows whose stored results are damaged', async () => {
    const file = createFile(CUSTOMERS);
    expect((await run(file)).code).toBe(0);
    const state = new DatabaseSync(`${file.path}.results.jsonl.state`);
    for (const result of ['not JSON', '5', '[]']) {
      state.prepare("UPDATE rows SET status = 'OUTCOME_UNKNOWN', result = ?").run(result);
      expect((await run(file)).code).toBe(3);
      expect(readResults(file)).toEqual([{ line: 2, status: 'OUTCOME_UNKNOWN' }]);
    }
    state.close();
  });

  it('rejects an empty separator', async () => {
    expect(await run(createFile(CUSTOMERS), ['--separator', ''])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--separator must not be empty.'),
    });
  });

  it.each(['https://user:hunter2@graph.example/graphql', 'http://hunter2@127.0.0.1:1/', 'https://hunter2:hunter2@[bad'])(
    'never prints a password in --url: %s',
    async (url) => {
      const { code, err } = await run(createFile(CUSTOMERS), ['--url', url]);
      expect([code, err]).toEqual([1, expect.not.stringContaining('hunter2')]);
    },
  );
});
