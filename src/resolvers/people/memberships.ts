/** The record as a list of parts where the ids name it, else none. */
export const among = <RecordShape extends { readonly id: string }>(ids: readonly string[], record: RecordShape): RecordShape[] =>
  ids.includes(record.id) ? [record] : [];

/** Whether both name the same records, in whatever order. */
export const areSame = (read: readonly string[], sent: readonly string[]): boolean =>
  [...new Set(read)].sort().join() === [...new Set(sent)].sort().join();
