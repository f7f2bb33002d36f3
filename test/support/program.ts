import { spawn } from 'node:child_process';

/**
 * Starts a program on free ports and returns the process with its URL. Doesn't write the program's output to a file, because it can contain demo keys and files
 * are searched for keys.
 */
export async function startProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  address: RegExp,
  node = process.execPath,
) {
  const child = spawn(node, args, { env: { ...process.env, PORT: '0', SANDBOX_PORT: '0', ...environment } });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk.toString();
    const [, url] = address.exec(output) ?? [];
    if (!url) continue;
    child.stdout.on('data', (later: Buffer) => {
      output += later.toString();
    });
    return { child, url, output: () => output };
  }
  throw new Error(`${args.join(' ')} ended without an address: ${output}`);
}
