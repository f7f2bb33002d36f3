const NAMES: Readonly<Record<string, string>> = { CONCEPT: 'draft', CANCELLED: 'canceled' };

/** A status for people: its enum value in lower case, or a name that is easier to understand. */
export const statusName = (status: string): string => NAMES[status] ?? status.replaceAll('_', ' ').toLowerCase();
