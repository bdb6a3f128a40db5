import { nameVersion, packageVersion, programVersion } from '../../src/version.ts';
import { emit } from '../output/emit.ts';
import { print } from '../terminal/terminal.ts';
import { verb } from '../verb/verb.ts';

/** Shows the version of this program. */
export const version = verb({
  params: {},
  operations: [],
  fields: () => Object.keys(programVersion()),
  examples: ['backoffice version --json commit'],
  async run({ format }) {
    const version = programVersion();
    await emit(version, format, undefined, () => print(`Backoffice ${nameVersion(version)}`));
  },
});

/** Prints the document that a server returns at `/api/openapi.json`. */
export const openapi = verb({
  params: {},
  operations: [],
  output: 'nothing',
  examples: ['backoffice openapi > openapi.json'],
  async run() {
    const { createOpenApiDocument } = await import('../../src/http/openapi/document.ts');
    print(JSON.stringify(createOpenApiDocument(packageVersion()), null, 2));
  },
});
