/** Documented: the limits of both kinds of queries. */
export const LIMITS = {
  maxRows: 100,
  maxFilterNodes: 100,
  maxFilterLevels: 8,
  maxRelationshipHops: 2,
  maxMeasures: 8,
  maxDimensions: 3,
  maxProjectedFields: 20,
  maxQueryBytes: 32_768,
  maxSqlBytes: 32_768,
  maxResultBytes: 262_144,
  maxTimeRangeYears: 5,
  maxRelativeOffset: 24,
  deadlineSeconds: 15,
} as const;
