import { Command } from 'commander';
import { nameVersion, programVersion } from '../../src/version.ts';
import { emit, type Format, withFormats } from '../output/emit.ts';
import { print } from '../terminal.ts';

/** `backoffice version`. */
export function versionCommand(): Command {
  return withFormats(new Command('version'), () => Object.keys(programVersion())).action(
    async (format: Format) => {
      const version = programVersion();
      await emit(version, format, undefined, () => print(`Backoffice ${nameVersion(version)}`));
    },
  );
}
