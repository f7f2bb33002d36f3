export { type LiveType, type RecordsChanged, WatchError, type WatchOptions, watchRecords } from './watchRecords.ts';
