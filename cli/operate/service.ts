import { nameVersion, packageVersion, programVersion } from '../../src/version.ts';
import { emit } from '../output/emit.ts';
import { print } from '../terminal/terminal.ts';
import { verb } from '../verb/verb.ts';

const notes =
  'Reads PORT, HOST, DATABASE_URL, SESSION_SECRET and other variables: see Environment in docs/cli.md.';

/** Starts everything with one command. */
export const up = verb({
  output: 'nothing',
  notes,
  examples: ['PORT=8080 backoffice up'],
  async run({ command }) {
    const { up } = await import('./up.ts');
    await up(command);
  },
});

/** Starts the API only, for a process manager. */
export const serve = verb({
  output: 'nothing',
  notes,
  examples: ['DATABASE_URL=postgres://… SESSION_SECRET=… backoffice serve'],
  async run({ command }) {
    const { serve } = await import('./serving.ts');
    await serve(command);
  },
});

/** Shows the version of this program. */
export const version = verb({
  fields: () => Object.keys(programVersion()),
  examples: ['backoffice version --json commit'],
  async run({ format }) {
    const version = programVersion();
    await emit(version, format, undefined, () => print(`Backoffice ${nameVersion(version)}`));
  },
});

/** Prints the document that a server returns at `/api/openapi.json`. */
export const openapi = verb({
  output: 'nothing',
  examples: ['backoffice openapi > openapi.json'],
  async run() {
    const { createOpenApiDocument } = await import('../../src/http/openapi/document.ts');
    print(JSON.stringify(createOpenApiDocument(packageVersion()), null, 2));
  },
});
