import { demoData } from '../kernel/demoData.ts';
import { FIRST_NAMES, LAST_NAMES } from '../kernel/demoNames.ts';
import type { Plan } from '../kernel/plan.ts';
import { writeTimeline } from '../kernel/timeline.ts';
import { writeComment } from './comments.ts';
import { listDemoCustomerIds } from './customersDemo.ts';
import { FIRST_CUSTOMER_FILES } from './filesDemo.ts';

/** Number of comments on `customer 0`: more than one page. */
const FIRST_CUSTOMER_COMMENTS = 32;

const HOUR_SECONDS = 3_600;

const TEXTS = [
  'Called about the visit; prefers mornings.',
  'The meter cupboard is locked, ask for the key.',
  'Sent the brochure by mail.',
  'Wants to wait for the other offer.',
  'Access only from the courtyard.',
] as const;

function comment(plan: Plan, customerId: string, { isEdited, attachments }: { isEdited: boolean; attachments: readonly string[] }): void {
  const { random, world, workspaceId } = plan;
  const authorName = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
  const body = random.pick(TEXTS);
  const writtenAt = plan.pickPastTimestamp(300);
  const entityId = writeComment(world, {
    workspaceId,
    customerId,
    authorName,
    attachments,
    texts: [{ body, writtenAt }, ...(isEdited ? [{ body: `${body} Settled by phone.`, writtenAt: writtenAt + HOUR_SECONDS }] : [])],
  });
  writeTimeline(world, workspaceId, customerId, {
    eventType: 'comment_created',
    entityType: 'comment',
    entityId,
    summary: `${authorName} commented.`,
    occurredAt: writtenAt,
  });
}

/** Creates many comments on `customer 0`, some of them edited or with files, and one comment on every fifth other customer or portfolio. */
function seedComments(plan: Plan): void {
  for (const [index, customerId] of listDemoCustomerIds(plan).entries()) {
    const count = index === 0 ? FIRST_CUSTOMER_COMMENTS : Number(index % 5 === 0);
    for (let at = 0; at < count; at += 1) {
      const hasFile = index === 0 && at < FIRST_CUSTOMER_FILES;
      comment(plan, customerId, { isEdited: at % 4 === 1, attachments: hasFile ? [plan.id(`file ${at}`)] : [] });
    }
  }
}

export const commentsDemo = demoData({ seed: seedComments });
