import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { ALL_SCOPES, makeKey } from '../../sandbox/makeKey.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';

const testGraph = useTestGraph();
afterEach(() => testGraph.sandbox.faults.clear());

const selectRows = <Row>(sql: string, id: string) => testGraph.sandbox.world.store.all<Row>(sql, { id });

/** A portfolio of the demo with a site address. */
function findPortfolio(): { readonly id: string; readonly reference: string } {
  const [found] = selectRows<{ id: string; reference: string }>(
    `SELECT id, reference_number AS reference FROM customers
     WHERE workspace_id = :id AND contact_id <> '' AND custom_fields LIKE '%site_address%'`,
    demoId('workspace'),
  );
  if (!found) throw new Error('The demo data has no portfolio with an address.');
  return found;
}

/** Runs the program like `node examples/client/round.ts`. */
async function run(reference: string, key = 'demo-owner') {
  const env = { ...process.env, GRAPH_URL: `${testGraph.url}/graphql`, API_KEY: key };
  const program = spawn(process.execPath, ['examples/client/round.ts', reference], { env });
  const [output, errors, [code]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, 'exit')]);
  return { lines: output.trimEnd().split('\n'), errors: errors.trimEnd(), code };
}

const findNewest = (table: string, customerId: string) =>
  selectRows<{ status: number; id: string }>(
    `SELECT * FROM ${table} WHERE customer_id = :id ORDER BY created_at DESC, rowid DESC LIMIT 1`,
    customerId,
  )[0];

describe('round of the example client', () => {
  it('resolves a problem through a work order and a visit, each step once', async () => {
    const { id, reference } = findPortfolio();
    const [{ lines, errors, code }, calls] = await testGraph.recordCalls(() => run(reference));
    expect([errors, code]).toEqual(['', 0]);
    expect(lines).toEqual([
      expect.stringMatching(`^Reported a problem of ${reference}, .+: No hot water\\.$`),
      expect.stringMatching(/^Created a work order with 2 tasks at .+: .+\.$/),
      expect.stringMatching(/^Booked (Daan de Vries|Elif Engel) for 20\d\d-\d\d-\d\dT\d\d:\d\d:00Z\.$/),
      'The visit: Quote wanted, and COMPLETED.',
      'The work order: COMPLETED.',
      'The problem: RESOLVED.',
    ]);
    const writes = calls.filter((name) => !/\/(Get|List|Lookup|Prepare)/.test(name));
    expect(writes).toEqual([
      'Problem/CreateProblem',
      'WorkOrder/CreateWorkOrder',
      'Appointment/CreateAppointment',
      'Appointment/RecordAppointmentResult',
      'WorkOrder/UpdateWorkOrder',
      'WorkOrder/CompleteWorkOrder',
      'Problem/UpdateProblemStatus',
    ]);
    const appointment = selectRows<{ work_order_id: string }>(
      'SELECT * FROM appointments WHERE customer_id = :id ORDER BY rowid DESC LIMIT 1',
      id,
    )[0];
    expect(appointment?.work_order_id).toBe(findNewest('work_orders', id)?.id);
  });

  it('stops at the first rejected step and explains why', async () => {
    const { id, reference } = findPortfolio();
    const before = findNewest('appointments', id)?.id;
    const { lines, code } = await run(
      reference,
      makeKey(testGraph.sandbox.world, { scopes: ALL_SCOPES.filter((scope) => scope !== 'appointment:create') }),
    );
    expect([lines.at(-1), code]).toEqual(['The key lacks appointment:create. Use a key that has it.', 1]);
    expect(findNewest('appointments', id)?.id).toBe(before);
  });

  it('continues if a lost response is reconciled', async () => {
    testGraph.sandbox.faults.add({ operation: 'WorkOrder/CompleteWorkOrder', cut: 'after', times: 1 });
    const { lines, code } = await run(findPortfolio().reference);
    expect([lines.at(-1), code]).toEqual(['The problem: RESOLVED.', 0]);
  });

  it('prints an error for a customer that isn’t a portfolio', async () => {
    const { errors, code } = await run('C-000001');
    expect([errors, code]).toEqual([expect.stringContaining('Portfolio C-000001'), 1]);
  });
});
