import { readSandboxConfig } from './config.ts';
import { describeSandbox, serveSandbox } from './serve.ts';

const config = readSandboxConfig(process.env);
const sandbox = await serveSandbox(config);
console.log(describeSandbox(sandbox, config));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void sandbox.close());
