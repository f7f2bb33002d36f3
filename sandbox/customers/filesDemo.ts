import { PublicCustomerFileKind } from '../../src/upstream/contract/generated/publicapi/v1/files_pb.ts';
import { demoData } from '../kernel/demoData.ts';
import type { Plan } from '../kernel/plan.ts';
import { writeTimeline } from '../kernel/timeline.ts';
import { listDemoCustomerIds } from './customersDemo.ts';
import { fileTable } from './files.ts';

/** Number of files of `customer 0`, which are `file 0`, `file 1`, …. */
export const FIRST_CUSTOMER_FILES = 6;

/** A one-pixel image. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

/** Every third file is a photo. */
const createFile = (index: number) =>
  index % 3 === 2
    ? { kind: PublicCustomerFileKind.PHOTO, file_name: `site-${index}.png`, content_type: 'image/png', bytes: PIXEL }
    : {
        kind: PublicCustomerFileKind.DOCUMENT,
        file_name: `visit-report-${index}.txt`,
        content_type: 'text/plain',
        bytes: Buffer.from(`Visit report ${index}\nEverything was found in good order.\n`),
      };

/** Creates a few small files of `customer 0`, and one for every tenth other customer or portfolio. */
function seedFiles(plan: Plan): void {
  const { world, workspaceId } = plan;
  const ids = listDemoCustomerIds(plan);
  const owners = [
    ...ids.slice(0, 1).flatMap((id) => Array<string>(FIRST_CUSTOMER_FILES).fill(id)),
    ...ids.filter((_, at) => at % 10 === 5),
  ];
  for (const [index, customerId] of owners.entries()) {
    const file = { id: plan.id(`file ${index}`), ...createFile(index) };
    const createdAt = plan.pickPastTimestamp(300);
    fileTable.insert(world.store, {
      ...file,
      workspace_id: workspaceId,
      customer_id: customerId,
      size_bytes: file.bytes.length,
      created_at: createdAt,
    });
    writeTimeline(world, workspaceId, customerId, {
      eventType: 'file_added',
      entityType: 'file',
      entityId: file.id,
      summary: `The file ${file.file_name} was added.`,
      occurredAt: createdAt,
    });
  }
}

export const filesDemo = demoData({
  examples: {
    CustomerFile: ['file 0'],
  },
  seed: seedFiles,
});
