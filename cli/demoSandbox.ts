import type { SandboxConfig } from '../sandbox/kernel/config.ts';
import { belongsTo } from '../sandbox/kernel/faults.ts';
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
  const recorders = new Set<OnCall>();
  const sandbox = await serveSandbox(config, (call, details) => {
    for (const record of recorders) record(call, details);
  });

  async function loseResponse<Result>({ operation, requestId }: LostResponse, act: () => Promise<Result>) {
    const calls: DemoCall[] = [];
    const fault = { operation, requestId, cut: 'after', times: 1 } as const;
    const record: OnCall = (call, details) => {
      if (!belongsTo(details, requestId)) return;
      const { idempotencyKey } = call.request;
      calls.push({
        operation: call.operation,
        idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : null,
        isLost: details.fault === fault,
      });
    };
    recorders.add(record);
    sandbox.faults.add(fault);
    try {
      return [await act(), calls] as const;
    } finally {
      sandbox.faults.remove(fault);
      recorders.delete(record);
    }
  }

  async function call(operation: string, key: string, requestId: string, request: object): Promise<unknown> {
    const response = await fetch(`${sandbox.url}/public-api/publicapi.v1.${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-request-id': `${requestId}.1` },
      body: JSON.stringify(request),
    });
    return response.json();
  }

  return { sandbox, demo: { keys: DEMO_KEY_LIST.map(({ key, purpose }) => ({ key, purpose })), loseResponse, call } };
}
