// Tailcall, configured by tailcall.graphql and tailcall.js. It reads its port only from a file, so this writes the file before it starts Tailcall.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const binary = join(import.meta.dirname, 'node_modules/@tailcallhq/core-linux-x64-gnu/bin/tailcall');
const listening = join(mkdtempSync(join(tmpdir(), 'tailcall-')), 'listening.graphql');
const { HOST, PORT } = process.env;
writeFileSync(listening, `schema @server(hostname: "${HOST}", port: ${PORT}) { query: Query }\n`);

process.execve(binary, [binary, 'start', join(import.meta.dirname, 'tailcall.graphql'), listening], {
  ...process.env,
  TAILCALL_LOG_LEVEL: 'error',
});
