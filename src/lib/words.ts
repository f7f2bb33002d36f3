/** Names whose words alone aren't a noun that people use. */
const NOUNS: Readonly<Partial<Record<string, string>>> = { ProForma: 'pro-forma document' };

/** Converts a camel-case name to lower-case words: `workOrders` becomes `work orders`. */
export const toWords = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** Writes out a number of seconds: `1 second`, `2 seconds`. */
export const seconds = (count: number): string => `${count} ${count === 1 ? 'second' : 'seconds'}`;
