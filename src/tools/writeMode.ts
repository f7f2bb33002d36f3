/** Whether tools can write: not at all, after a plan has been confirmed, or immediately. */
export const WRITE_MODES = ['none', 'confirm', 'direct'] as const;
export type WriteMode = (typeof WRITE_MODES)[number];
