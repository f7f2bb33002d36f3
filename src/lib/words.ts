/** Converts a camel-case name to lower-case words: `workOrders` becomes `work orders`. */
export const toWords = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
