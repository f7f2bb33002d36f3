/** Whether tools change anything: not at all, after a plan was confirmed, or at once. */
export const WRITE_MODES = ['none', 'confirm', 'direct'] as const;
export type WriteMode = (typeof WRITE_MODES)[number];
