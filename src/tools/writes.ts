/** Whether tools change anything: not at all, after a plan was confirmed, or at once. */
export const WRITES = ['none', 'confirm', 'direct'] as const;
export type Writes = (typeof WRITES)[number];
