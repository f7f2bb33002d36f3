/** A section of a changelog: the version or `Unreleased`, and its changes. */
interface Section {
  readonly title: string;
  readonly text: string;
}

/** The sections of a changelog, newest first. */
export const parseSections = (changelog: string): readonly Section[] =>
  changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      // A date can follow the version.
      return { title: title.trim().split(' ')[0] ?? '', text: lines.join('\n').trim() };
    });

/** Release notes of the version that a tag names, or why it can't be released. */
export function findReleaseNotes(
  tag: string,
  version: string,
  changelog: string,
): { readonly text: string } | { readonly problem: string } {
  if (tag !== `v${version}`)
    return { problem: `The tag is ${tag}, but package.json has version ${version}, so the tag must be v${version}. Correct one of them.` };
  const [top] = parseSections(changelog);
  if (top?.title !== version)
    return {
      problem: `CHANGELOG.md starts with ${top?.title ?? 'no version'}, expected ${version}. Rename the Unreleased section and tag again.`,
    };
  return top.text === ''
    ? { problem: `CHANGELOG.md has no notes for ${version}. Describe the changes and tag again.` }
    : { text: top.text };
}
