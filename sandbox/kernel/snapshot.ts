import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

/** Opens a new database in memory, with the content that another one had when the snapshot was taken. */
export type Snapshot = () => DatabaseSync;

/** Copies the content by SQL. The copy has a name of its own in the process, which another connection can write to. */
function vacuumIntoMemory(database: DatabaseSync): DatabaseSync {
  const url = `file:/${randomUUID()}?vfs=memdb`;
  const copy = new DatabaseSync(url);
  database.exec(`VACUUM INTO '${url}'`);
  return copy;
}

/**
 * Takes a snapshot of a database without temporary views. Copying its bytes is three times as fast as copying its content, but Node.js 22 and the first versions
 * of 24 have no `serialize`.
 */
export function takeSnapshot(database: DatabaseSync): Snapshot {
  if (!('serialize' in DatabaseSync.prototype)) {
    const retained = vacuumIntoMemory(database);
    return () => vacuumIntoMemory(retained);
  }
  const bytes = database.serialize();
  return () => {
    const copy = new DatabaseSync(':memory:');
    copy.deserialize(bytes);
    return copy;
  };
}
