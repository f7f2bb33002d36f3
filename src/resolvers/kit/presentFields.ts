/** The fields that are neither null nor absent. A field that is left out of a request leaves the member as it is. */
export const presentFields = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>;
  };
