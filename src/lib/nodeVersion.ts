/**
 * The oldest version of Node.js that runs the packages and the template. Source: `engines` of undici 8, the highest among the dependencies. Other minimums are those of
 * a checkout: its npm runs with the version in `engines` of package.json, and everything else with the version that the lockfile installs.
 */
export const OLDEST_NODE = '22.19.0';

const parseVersion = (version: string): number[] => version.split('.').map(Number);

/** The error message for a version of Node.js, such as `20.20.2`. Null if it's supported. */
export function checkNodeVersion(version: string): string | null {
  const [major = 0, minor = 0] = parseVersion(version);
  const [leastMajor = 0, leastMinor = 0] = parseVersion(OLDEST_NODE);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return null;
  return `workspace-graph requires Node.js ${OLDEST_NODE} or later, but this is Node.js ${version}. Install a newer version of Node.js and try again.`;
}
