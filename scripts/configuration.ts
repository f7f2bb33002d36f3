import { GROUPS, SETTINGS, type Setting } from '../src/server/settings.ts';

const settings: Readonly<Record<string, Setting<unknown>>> = SETTINGS;

const coded = (value: string) => (value === '' ? 'none' : `\`${value}\``);

function defaultOf({ default: usual, defaultTold, defaultWhere }: Setting<unknown>): string {
  const told = defaultTold ?? coded(usual);
  if (!defaultWhere) return told;
  const { variable, is, default: other } = defaultWhere;
  return `${told}; ${coded(other)} ${is === undefined ? `with \`${variable}\`` : `where \`${variable}\` is \`${is}\``}`;
}

function descriptionOf({ description, needs }: Setting<unknown>): string {
  if (!needs) return description;
  const wanted = needs.is === undefined ? needs.variable : `${needs.variable}=${needs.is}`;
  return `${description} \`${needs.where}\` needs \`${wanted}\`.`;
}

const TABLE = '| variable | value | default | |\n| --- | --- | --- | --- |';

const SANDBOX = `## The sandbox
Read by \`npm start\` and \`npm run start:sandbox\`.

${TABLE}
| \`SANDBOX_HOST\` | text | \`127.0.0.1\` | Address of this machine that the sandbox listens on. |
| \`SANDBOX_PORT\` | whole number, 0 to 65,535 | \`4010\` | Port that the sandbox listens on; 0 takes any free one. |
| \`SANDBOX_DATA\` | path of a file, or \`:memory:\` | \`:memory:\` | File that keeps the data over restarts. |
| \`SANDBOX_SEED\` | whole number, 0 to 1,000,000 | \`1\` | Seed of the demo data. |
| \`SANDBOX_RATE_LIMIT\` | whole number, 1 to 1,000,000 | \`6000\` | Calls a minute that an API key may make. |
| \`SANDBOX_JSON\` | \`send-defaults\`, \`omit-defaults\` | \`send-defaults\` | Whether answers spell out default values. |
| \`SANDBOX_DEPRECATED\` | \`Service/Operation@since/until\` in Unix seconds, separated by commas | none | Operations whose end is announced. |
| \`SANDBOX_ADMIN_PORT\` | whole number, 0 to 65,535 | none | Port where faults can be armed; off unless given. |
`;

/** Page of all settings, by group. */
export function configurationPage(): string {
  const sections = GROUPS.map((group) => {
    const lines = Object.entries(settings)
      .filter(([, setting]) => setting.group === group)
      .map(([variable, setting]) => `| \`${variable}\` | ${setting.kind.form} | ${defaultOf(setting)} | ${descriptionOf(setting)} |`);
    return `## ${group}\n${TABLE}\n${lines.join('\n')}\n`;
  });
  return `# Configuration

Settings are environment variables. All are read once, at start, and every problem is told at once. A blank one counts as not given.

${[...sections, SANDBOX].join('\n')}`;
}
