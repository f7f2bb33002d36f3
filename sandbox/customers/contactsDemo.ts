import { demoData } from '../kernel/demoData.ts';
import { FIRST_NAMES, LAST_NAMES } from '../kernel/demoNames.ts';
import type { Plan } from '../kernel/plan.ts';
import { contactTable } from './contacts.ts';

/** Days since the oldest contact was created. Contacts are older than their portfolios. */
const OLDEST_DAYS = 1_400;
const YOUNGEST_DAYS = 1_000;
const DAY_SECONDS = 86_400;

/** Creates the contacts `contact 0`, `contact 1`, …. */
function seedContacts(plan: Plan): void {
  const { store, workspaceId, random, sizes } = plan;
  for (let index = 0; index < sizes.contacts; index += 1) {
    const firstName = random.pick(FIRST_NAMES);
    const lastName = random.pick(LAST_NAMES);
    const createdAt = plan.now - random.nextInteger(YOUNGEST_DAYS * DAY_SECONDS, OLDEST_DAYS * DAY_SECONDS);
    contactTable.insert(store, {
      id: plan.id(`contact ${index}`),
      workspace_id: workspaceId,
      first_name: firstName,
      last_name: lastName,
      email: `contact${index}@example.com`,
      phone: `+3120${String(5_000_000 + index)}`,
      created_at: createdAt,
      updated_at: createdAt,
    });
  }
}

export const contactsDemo = demoData({
  examples: {
    Contact: ['contact 0', 'contact 1'],
  },
  seed: seedContacts,
});
