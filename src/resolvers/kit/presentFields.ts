/** Removes fields that are null or undefined. The upstream leaves fields that a request omits unchanged. */
export const presentFields = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>;
  };
