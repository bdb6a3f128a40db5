import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** Which program this is. */
export interface ProgramVersion {
  /** Such as `0.2.0`. */
  readonly version: string;
  /**
   * The commit that was built, with `-dirty` behind it if files had been changed. Null if the build did not know it, as that of
   * a downloaded archive.
   */
  readonly commit: string | null;
}

/** Returns what the build has written (`bin/prepare/build.js`), also to the sources, which the tests run. */
export function programVersion(): ProgramVersion {
  // The nearest package.json is the same for the sources and the build.
  const packageJson = findPackageJSON('.', import.meta.url) ?? '';
  return JSON.parse(readFileSync(join(dirname(packageJson), 'dist', 'version.json'), 'utf8'));
}

/** Returns the version without the commit. */
export function packageVersion(): string {
  return programVersion().version;
}

/** Names a version in a sentence. The commit tells apart programs between two releases. */
export function nameVersion({ version, commit }: ProgramVersion): string {
  return `${version} (commit ${commit ?? 'unknown'})`;
}
