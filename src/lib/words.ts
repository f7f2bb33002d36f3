/** Converts a camel-case name to lower-case words: `workOrders` becomes `work orders`. */
export const toWords = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** Writes out a number of seconds: `1 second`, `2 seconds`. */
export const seconds = (count: number): string => `${count} ${count === 1 ? 'second' : 'seconds'}`;
