import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** Returns the version of this package. The nearest package.json is the same for the sources and the build. */
export function packageVersion(): string {
  const packageJson = findPackageJSON('.', import.meta.url);
  if (packageJson === undefined) throw new Error('package.json not found. Reinstall Backoffice.');
  return (JSON.parse(readFileSync(packageJson, 'utf8')) as { version: string }).version;
}
