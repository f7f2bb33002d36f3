import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { toGlobalId } from '../../../src/schema/kit/globalIds.ts';
import { demoId } from '../../sandbox/sandbox.ts';
import { useTestGraph } from '../../support/testGraph.ts';
import { findSchemeViolations } from './accessibility.ts';
import { useBrowser } from './browser.ts';
import { signInWithKey, tabTo, usePage, waitForFocus } from './page.ts';

const testGraph = useTestGraph();
const browser = useBrowser();
const example = usePage(testGraph);

const CUSTOMER = demoId('customer 0');
const [SCHEDULED, COMPLETED, CANCELLED] = [1, 2, 3];

/** Working days after the demo data, one for each test. Amsterdam is one hour ahead of UTC on these days. */
const DAYS = {
  booked: '2026-03-05',
  raced: '2026-03-06',
  lost: '2026-03-09',
  unknown: '2026-03-13',
  cancelled: '2026-03-10',
  recorded: '2026-03-11',
  typed: '2026-03-12',
} as const;

/** Opens a view of the page as the owner. */
async function visit(address: string) {
  const visited = await browser.open(`${example.url}#${address}`);
  const { page } = visited;
  await signInWithKey(page);
  return { ...visited, visits: page.getByRole('region', { name: 'Visits' }) };
}

const press = (where: Page | Locator, name: string) => where.getByRole('button', { name, exact: true }).click();
const waitForText = (where: Page | Locator, text: string) => where.getByText(text).waitFor();

const getReferenceNumber = (id: string) =>
  testGraph.sandbox.world.store.get<{ reference_number: string }>('SELECT reference_number FROM customers WHERE id = :id', { id })
    ?.reference_number ?? '';

/** Opens the booking form of a free time and fills it in without submitting it. */
async function fillInBooking(page: Page, column: Locator, time: string): Promise<void> {
  await press(column, `Book ${time}`);
  await page.getByRole('dialog').getByLabel('Customer number').fill(getReferenceNumber(CUSTOMER));
}

const toUnixSeconds = (timestamp: string) => Date.parse(timestamp) / 1000;

/** Appointments of the visiting agenda that start at a timestamp. */
const findAppointments = (timestamp: string) =>
  testGraph.sandbox.world.store.all<{ id: string; status: number; customer_id: string; result_code_id: string | null }>(
    'SELECT id, status, customer_id, result_code_id FROM appointments WHERE agenda_id = :agenda AND starts_at = :at ORDER BY rowid',
    { agenda: demoId('agenda visits'), at: toUnixSeconds(timestamp) },
  );

async function bookElsewhere(startsAt: string): Promise<void> {
  const input = {
    agendaId: demoId('agenda visits'),
    appointmentTypeId: demoId('appointment type survey'),
    customerId: demoId('customer 7'),
    startsAt,
  };
  const { data } = await testGraph.execute(
    'mutation ($input: AppointmentCreateInput!) { appointmentCreate(input: $input) { __typename } }',
    {
      input,
    },
  );
  expect(data.appointmentCreate.__typename).toBe('AppointmentCreatePayload');
}

/** Holds the requests of one document until they are released. */
async function hold(page: Page, document: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    (url) => url.pathname === '/graphql',
    async (route) => {
      if (route.request().postData()?.includes(document)) await promise;
      return route.continue();
    },
  );
  return { release: resolve };
}

describe('day page', () => {
  it('shows a column per agenda and books a free time optimistically', async () => {
    const [{ page, visits, problems }, calls] = await testGraph.recordCalls(async () => {
      const visited = await visit(`day/${DAYS.booked}`);
      for (const name of ['Emergencies', 'Remote support', 'Showroom', 'Visits']) {
        const column = visited.page.getByRole('region', { name });
        await column
          .getByText(/No appointments|scheduled|canceled/)
          .first()
          .waitFor();
      }
      return visited;
    });
    const countCalls = (operation: string) => calls.filter((name) => name === operation).length;
    // One request per column, and free times only for the bookable agendas.
    expect([countCalls('Appointment/ListAppointments'), countCalls('Appointment/ListAvailableAppointmentSlots')]).toEqual([4, 2]);
    await fillInBooking(page, visits, '10:30');
    const { release } = await hold(page, 'BookAppointment');
    await press(page, 'Book');
    const booked = visits.getByRole('article', { name: '10:30–11:30 Site survey' });
    await waitForText(booked, 'booking…');
    expect(findAppointments(`${DAYS.booked}T09:30:00Z`)).toEqual([]);
    release();
    await waitForText(visits, 'Booked.');
    expect(await booked.count()).toBe(1);
    expect(findAppointments(`${DAYS.booked}T09:30:00Z`)).toMatchObject([{ status: SCHEDULED, customer_id: CUSTOMER }]);
    expect(problems).toEqual([]);
  });

  it('distinguishes the repeated hour at the end of daylight saving time', async () => {
    const { page } = await visit('day/2026-11-01');
    const times = page.getByRole('region', { name: 'Remote support' }).getByRole('button', { name: /^Book 01:30/ });
    await times.nth(1).waitFor();
    expect(await times.allInnerTexts()).toEqual(['01:30 UTC−4', '01:30 UTC−5']);
  });

  it('reports a time that has been taken, reverts the booking, and offers the remaining times', async () => {
    const at = `${DAYS.raced}T10:00:00Z`;
    const { page, visits, problems } = await visit(`day/${DAYS.raced}`);
    await fillInBooking(page, visits, '11:00');
    const { release } = await hold(page, 'BookAppointment');
    await press(page, 'Book');
    await visits.getByRole('article', { name: '11:00–12:00 Site survey' }).waitFor();
    // One booking for each technician.
    for (let count = 0; count < 2; count += 1) await bookElsewhere(at);
    release();
    await waitForText(visits, 'This time is no longer available');
    expect(findAppointments(at).map(({ customer_id }) => customer_id)).not.toContain(CUSTOMER);
    await visits.getByRole('button', { name: 'Book 11:00' }).waitFor({ state: 'detached' });
    expect(await visits.getByRole('article', { name: '11:00–12:00 Site survey' }).count()).toBe(2);
    expect(await visits.locator(':focus').innerText()).toContain('no longer available');
    expect(problems).toEqual([]);
  });

  it('retries a booking with the same idempotency key after a lost response', async () => {
    const at = `${DAYS.lost}T09:30:00Z`;
    const { page, visits } = await visit(`day/${DAYS.lost}`);
    await fillInBooking(page, visits, '10:30');
    const keys: string[] = [];
    await page.route(
      (url) => url.pathname === '/graphql',
      async (route) => {
        const body = route.request().postData() ?? '';
        if (!body.includes('BookAppointment')) return route.continue();
        keys.push(JSON.parse(body).variables.input.idempotencyKey);
        if (keys.length > 1) return route.continue();
        await route.fetch();
        return route.abort();
      },
    );
    const [, calls] = await testGraph.recordCalls(async () => {
      await press(page, 'Book');
      await waitForText(visits, 'Already booked by the first attempt.');
    });
    expect(calls.filter((name) => name === 'Appointment/CreateAppointment')).toHaveLength(1);
    expect(keys).toEqual([expect.any(String), keys[0]]);
    expect(findAppointments(at)).toHaveLength(1);
  });

  it('lists the candidates of a booking whose outcome is unknown, and searches again without booking again', async () => {
    const at = `${DAYS.unknown}T09:30:00Z`;
    const { page, visits } = await visit(`day/${DAYS.unknown}`);
    await fillInBooking(page, visits, '10:30');
    testGraph.sandbox.faults.add({ operation: 'Appointment/CreateAppointment', cut: 'after' });
    const [, calls] = await testGraph.recordCalls(async () => {
      await press(page, 'Book');
      await waitForText(visits, 'Outcome unknown');
      // The sandbox's clock is behind the graph's.
      testGraph.sandbox.world.store.run('UPDATE appointments SET created_at = :now WHERE starts_at = :at', {
        now: Math.floor(Date.now() / 1000),
        at: toUnixSeconds(at),
      });
      await press(visits, 'Check again');
      await waitForText(visits, 'It may have created one of these records.');
      await waitForText(visits, '13 Mar 2026');
    });
    testGraph.sandbox.faults.clear();
    expect(calls.filter((name) => name === 'Appointment/CreateAppointment')).toHaveLength(1);
  });

  it('cancels an appointment after confirmation', async () => {
    const at = `${DAYS.cancelled}T12:00:00Z`;
    const [planned] = findAppointments(at);
    const { page, visits, problems } = await visit(`day/${DAYS.cancelled}`);
    const card = visits.getByRole('article', { name: '13:00–17:00 Installation' });
    await press(card, 'Cancel appointment…');
    await press(card, 'Keep appointment');
    expect(findAppointments(at)).toEqual([planned]);
    const { release } = await hold(page, 'CancelAppointment');
    await press(card, 'Cancel appointment…');
    await press(card, 'Cancel appointment');
    await waitForText(card, 'canceled');
    expect(findAppointments(at)).toEqual([planned]);
    release();
    await waitForText(card, 'Canceled.');
    expect(await card.getByRole('button', { name: 'Record result' }).count()).toBe(0);
    expect([findAppointments(at), problems]).toEqual([[{ ...planned, status: CANCELLED }], []]);
  });

  it('records a result, and shows the result of an appointment that another page has completed', async () => {
    const at = `${DAYS.recorded}T12:00:00Z`;
    const { page, visits, problems } = await visit(`day/${DAYS.recorded}`);
    const late = await visit(`day/${DAYS.recorded}`);
    const name = '13:00–17:00 Installation';
    const card = visits.getByRole('article', { name });
    await late.visits.getByRole('article', { name }).waitFor();
    await press(card, 'Record result');
    await page.getByRole('radio', { name: 'Parts missing' }).check();
    await page.getByLabel('Notes').fill('The bracket is to be ordered.');
    await press(page, 'Record');
    await waitForText(card, 'Recorded: Parts missing.');
    await waitForText(card, 'The bracket is to be ordered.');
    const code = demoId('result code installation Parts missing');
    expect(findAppointments(at)).toMatchObject([{ status: COMPLETED, result_code_id: code }]);
    const lateCard = late.visits.getByRole('article', { name });
    await press(lateCard, 'Cancel appointment…');
    await press(lateCard, 'Cancel appointment');
    await waitForText(lateCard, 'The appointment doesn’t allow this right now');
    await waitForText(lateCard, 'Parts missing');
    expect([findAppointments(at)[0]?.status, problems, late.problems]).toEqual([COMPLETED, [], []]);
  });

  it('books an appointment with the keyboard only', async () => {
    const { page, visits, problems } = await visit(`day/${DAYS.typed}`);
    const { keyboard } = page;
    const time = visits.getByRole('button', { name: 'Book 10:00' });
    await tabTo(page, time);
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await findSchemeViolations(page)).toEqual([]);
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await waitForFocus(time);
    await keyboard.press('Enter');
    await keyboard.type(getReferenceNumber(CUSTOMER));
    await keyboard.press('Enter');
    await waitForText(visits, 'Booked.');
    expect(await visits.locator(':focus').innerText()).toContain('Booked.');
    expect(findAppointments(`${DAYS.typed}T09:00:00Z`)).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});

const WORK_ORDER = `work/${encodeURIComponent(toGlobalId('WorkOrder', demoId('work order 0')))}`;
const getStatus = (name: string) =>
  testGraph.sandbox.world.store.get<{ status: number }>('SELECT status FROM work_orders WHERE id = :id', { id: demoId(name) })?.status;

describe('work order', () => {
  it('reopens immediately if tasks block its completion, and completes once they are done', async () => {
    const { page, problems } = await visit('work');
    await page.getByRole('region', { name: 'Open work orders' }).getByRole('link', { name: 'Charging point Groningen' }).first().click();
    const card = page.getByRole('article', { name: 'Service the heat pump' });
    await card.waitFor();
    const { release } = await hold(page, 'CompleteWorkOrder');
    await press(card, 'Complete work order');
    await waitForText(card, 'completed');
    release();
    await waitForText(card, 'Some tasks are incomplete. Complete them first.');
    expect(getStatus('work order 0')).toBe(1);
    await press(card, 'Dismiss');
    const tasks = card.getByRole('checkbox', { checked: false });
    for (let left = await tasks.count(); left > 0; left -= 1) {
      await tasks.first().check();
      await card.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    }
    await press(card, 'Complete work order');
    await waitForText(card, 'Completed.');
    expect([getStatus('work order 0'), problems]).toEqual([2, []]);
  });

  it('shows the problems of its customer and their blockers', async () => {
    const { page } = await visit(WORK_ORDER);
    const problem = page.getByRole('article', { name: 'Inverter reports an earth fault' });
    await press(problem, 'Resolve');
    await waitForText(problem, 'Some forms are incomplete. Complete them first.');
    await press(problem, 'Dismiss');
    await problem.getByText('3 forms, 2 open').click();
    const check = problem.getByRole('form', { name: 'Safety check' });
    await check.getByLabel('Safe to work').fill('yes');
    await press(check, 'Complete');
    await waitForText(problem, '3 forms, 1 open');
  });
});
