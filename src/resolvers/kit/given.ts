/** Only what is given: an input field that is null or absent is left out of the request, which leaves the member as it is. */
export const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>;
  };
