const NAMES: Readonly<Record<string, string>> = { CONCEPT: 'draft', CANCELLED: 'canceled' };

/** A status for people: the enum value in lower case, or a clearer name. */
export const formatStatus = (status: string): string => NAMES[status] ?? status.replaceAll('_', ' ').toLowerCase();
