import { SETTINGS } from '../../src/server/settings/settings.ts';
import { GROUPS, type Setting } from '../../src/server/settings/settingTypes.ts';

const settings: Readonly<Record<string, Setting<unknown>>> = SETTINGS;

const formatCode = (value: string) => (value === '' ? 'none' : `\`${value}\``);

function formatDefault({ default: usual, defaultDescription, defaultWhere }: Setting<unknown>): string {
  const description = defaultDescription ?? formatCode(usual);
  if (!defaultWhere) return description;
  const { variable, is, default: other } = defaultWhere;
  return `${description}; ${formatCode(other)} ${is === undefined ? `if \`${variable}\` is set` : `if \`${variable}\` is \`${is}\``}`;
}

function formatDescription({ description, needs = [] }: Setting<unknown>): string {
  const requirements = Map.groupBy(needs, ({ where }) => where);
  const sentences = [...requirements].map(([where, required]) => {
    const names = required.map(
      ({ variable, is, if: condition }) =>
        `\`${variable}${is === undefined ? '' : `=${is}`}\`${condition === undefined ? '' : ` if \`${condition}\` is set`}`,
    );
    return `${where === undefined ? 'It' : `\`${where}\``} requires ${names.join(' and ')}.`;
  });
  return [description, ...sentences].join(' ');
}

const TABLE = '| Variable | Value | Default | Description |\n| --- | --- | --- | --- |';

const SANDBOX = `## The sandbox

Used by \`npm start\` and \`npm run start:sandbox\`.

${TABLE}
| \`SANDBOX_HOST\` | text | \`127.0.0.1\` | Network interface that the sandbox listens on. |
| \`SANDBOX_PORT\` | whole number, 0 to 65,535 | \`4010\` | Port that the sandbox listens on. 0 selects a free port. |
| \`SANDBOX_DATA\` | file path, or \`:memory:\` | \`:memory:\` | File that stores the data across restarts. |
| \`SANDBOX_SEED\` | whole number, 0 to 1,000,000 | \`1\` | Seed of the demo data. |
| \`SANDBOX_EXTRA_ORDERS\` | whole number, 0 to 10,000,000 | \`0\` | Orders to [add to the demo data](sandbox.md#seed-and-size), with their quotes and customers. |
| \`SANDBOX_RATE_LIMIT\` | whole number, 1 to 1,000,000 | \`6000\` | Maximum calls per API key and minute. |
| \`SANDBOX_JSON\` | \`send-defaults\`, \`omit-defaults\` | \`send-defaults\` | Whether responses include default values. |
| \`SANDBOX_DEPRECATED\` | \`Service/Operation@since/until\` in Unix seconds, separated by commas | none | Operations that are announced as deprecated. |
| \`SANDBOX_ADMIN_PORT\` | whole number, 0 to 65,535 | none | Port of the fault-injection API. Disabled if unset. |
`;

/** Creates the page of all settings, by group. */
export function createConfigurationPage(): string {
  const sections = GROUPS.map((group) => {
    const lines = Object.entries(settings)
      .filter(([, setting]) => setting.group === group)
      .map(
        ([variable, setting]) => `| \`${variable}\` | ${setting.kind.form} | ${formatDefault(setting)} | ${formatDescription(setting)} |`,
      );
    return `## ${group}\n\n${TABLE}\n${lines.join('\n')}\n`;
  });
  return `# Configuration

Settings are environment variables. They are read once, at startup. An empty variable counts as unset. If settings are invalid, the graph doesn't start, and reports all of them together, along with invalid files, names that the schema doesn't have, a
ledger that can't be opened, and ports that are in use. A variable whose name is one edit away from a setting, such as \`LOGLEVEL\`, is logged as a warning.

${[...sections, SANDBOX].join('\n')}`;
}
