import type { SandboxConfig } from '../sandbox/kernel/config.ts';
import type { SandboxOptions } from '../sandbox/kernel/server.ts';
import { DEMO_KEY_LIST, type ServedSandbox, serveSandbox } from '../sandbox/serve.ts';
import type { DemoCall, DemoSandbox, LostResponse } from '../src/server/pages/demoSandbox.ts';

type OnCall = NonNullable<SandboxOptions['onCall']>;

/** A sandbox that the start page can use. */
export interface ServedDemo {
  readonly sandbox: ServedSandbox;
  readonly demo: DemoSandbox;
}

/** Starts the sandbox. Its calls are only recorded while a demonstration runs. */
export async function serveDemoSandbox(config: SandboxConfig): Promise<ServedDemo> {
  let record: OnCall | undefined;
  const sandbox = await serveSandbox(config, (call, details) => record?.(call, details));

  async function loseResponse<Result>({ operation, key }: LostResponse, act: () => Promise<Result>) {
    const calls: DemoCall[] = [];
    const fault = { operation, key, cut: 'after', times: 1 } as const;
    record = (call, details) => {
      const { idempotencyKey } = call.request;
      if (details.key !== key) return;
      calls.push({
        operation: call.operation,
        idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : null,
        isLost: details.fault === fault,
      });
    };
    sandbox.faults.add(fault);
    try {
      return [await act(), calls] as const;
    } finally {
      sandbox.faults.remove(fault);
      record = undefined;
    }
  }

  async function call(operation: string, key: string, request: object): Promise<unknown> {
    const response = await fetch(`${sandbox.url}/public-api/publicapi.v1.${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    return response.json();
  }

  return { sandbox, demo: { keys: DEMO_KEY_LIST.map(({ key, purpose }) => ({ key, purpose })), loseResponse, call } };
}
