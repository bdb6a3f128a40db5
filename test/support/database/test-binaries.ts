import { type Binaries, findBinaries, readBinaries } from '../../../src/db/embedded/programs.ts';

/**
 * Returns the Postgres that the test databases run on: the one that `npm run test:postgres` names in
 * BACKOFFICE_TEST_POSTGRES, otherwise the embedded one. Tests of the embedded server itself always use the latter.
 */
export async function findTestBinaries(): Promise<Binaries> {
  const { BACKOFFICE_TEST_POSTGRES: packageFolder } = process.env;
  return packageFolder ? await readBinaries(packageFolder) : await findBinaries();
}
