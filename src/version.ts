import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** The version of this package. Its package.json is the nearest one above the sources and the build alike. */
export function packageVersion(): string {
  const packageJson = findPackageJSON('.', import.meta.url);
  if (packageJson === undefined) throw new Error('The package.json of this program could not be found.');
  return (JSON.parse(readFileSync(packageJson, 'utf8')) as { version: string }).version;
}
