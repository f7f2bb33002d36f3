import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LogOutput } from '../../../src/server/telemetry/logOutput.ts';

type Callback = (error: NodeJS.ErrnoException | null, written: number) => void;

const disk = { text: '', isFull: false, writes: [] as { bytes: Buffer; callback: Callback }[] };
const { write, writeSync } = fs;

// A real disk can't be filled during a write.
beforeEach(() => {
  Object.assign(disk, { text: '', isFull: false, writes: [] });
  const fake = {
    write: (_fd: number, bytes: Buffer, callback: Callback) => void disk.writes.push({ bytes, callback }),
    writeSync: (_fd: number, bytes: Buffer) => {
      if (disk.isFull) throw new Error('ENOSPC');
      disk.text += bytes.subarray(0, 3).toString();
      return Math.min(3, bytes.length);
    },
  };
  Object.assign(fs, fake);
  syncBuiltinESMExports();
});
afterEach(() => {
  Object.assign(fs, { write, writeSync });
  syncBuiltinESMExports();
});

/** Ends the write in flight after this many bytes. */
function endWrite(count = Number.POSITIVE_INFINITY): void {
  const { bytes, callback } = disk.writes.shift() ?? expect.fail('Nothing is being written.');
  const size = Math.min(count, bytes.length);
  disk.text += bytes.subarray(0, size).toString();
  callback(null, size);
}

function failWrite(code: string): void {
  const { callback } = disk.writes.shift() ?? expect.fail('Nothing is being written.');
  callback(Object.assign(new Error(code), { code }), 0);
}

function open() {
  const dropped: number[] = [];
  const recovered: number[] = [];
  const output = new LogOutput({ onDrop: (lines) => dropped.push(lines), onRecovery: (lines) => recovered.push(lines) });
  return { output, dropped, recovered };
}

it('writes lines in order, even if each write is partial', async () => {
  const { output } = open();
  for (const line of ['one\n', 'zwölf\n', 'three\n']) output.write(line);
  while (disk.writes.length > 0) endWrite(6);
  expect(disk.text.replace('\ufffd\ufffd', 'ö')).toBe('one\nzwölf\nthree\n');
  expect(await output.close()).toBe(true);
});

it('drops and counts the lines of a failed write, and reports their number after the next successful write', () => {
  const { output, dropped, recovered } = open();
  output.write('one\n');
  output.write('two\n');
  output.write('three\n');
  failWrite('ENOSPC');
  failWrite('ENOSPC');
  expect([dropped, recovered]).toEqual([[1, 2], []]);
  output.write('four\n');
  endWrite();
  output.write('five\n');
  endWrite();
  expect([disk.text, dropped, recovered]).toEqual(['four\nfive\n', [1, 2], [3]]);
});

it('starts a new line after one that was cut off', () => {
  const { output, dropped } = open();
  output.write('one\n');
  endWrite(2);
  failWrite('ENOSPC');
  output.write('two\n');
  failWrite('ENOSPC');
  output.write('three\n');
  endWrite();
  output.write('four\n');
  endWrite();
  expect([disk.text, dropped]).toEqual(['on\nthree\nfour\n', [1, 1]]);
});

it('doesn’t count a line if only its line feed is missing', () => {
  const { output, dropped } = open();
  output.write('one\n');
  endWrite(3);
  failWrite('ENOSPC');
  output.write('two\n');
  endWrite();
  expect([disk.text, dropped]).toEqual(['one\ntwo\n', []]);
});

it('drops new lines while too many wait, and retains the waiting ones', () => {
  const { output, dropped, recovered } = open();
  const line = `${'x'.repeat(1024 * 1024 - 1)}\n`;
  for (let count = 0; count < 8; count += 1) output.write(line);
  expect(dropped).toEqual([1, 1, 1]);
  endWrite();
  expect(recovered).toEqual([3]);
  endWrite();
  expect([disk.text.length, disk.writes]).toEqual([5 * line.length, []]);
});

it('retries a full pipe', () => {
  vi.useFakeTimers();
  const { output, dropped } = open();
  output.write('one\n');
  failWrite('EAGAIN');
  vi.runAllTimers();
  endWrite();
  vi.useRealTimers();
  expect([disk.text, dropped]).toEqual(['one\n', []]);
});

it('waits for the last line when it is closed, but not indefinitely', async () => {
  const { output } = open();
  output.write('one\n');
  const closed = output.close();
  endWrite();
  expect(await closed).toBe(true);
  output.write('two\n');
  vi.useFakeTimers();
  const blocked = output.close();
  vi.runAllTimers();
  vi.useRealTimers();
  expect(await blocked).toBe(false);
});

it('writes the waiting lines synchronously when the process exits, and stops at the first failure', () => {
  const { output } = open();
  output.write('one\n');
  output.write('two\n');
  output.flush();
  expect(disk.text).toBe('two\n');
  output.write('three\n');
  disk.isFull = true;
  output.flush();
  expect(disk.text).toBe('two\n');
});
