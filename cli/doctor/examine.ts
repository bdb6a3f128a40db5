import { readConfig } from '../../src/config.ts';
import type { Named } from '../access/named-target.ts';
import { findTarget } from '../access/target.ts';
import { sentenceOf } from '../failures.ts';
import { checkConfiguration, checkEncryptionKey, checkProxy, checkSessionSecret } from './configuration.ts';
import { checkDatabases } from './database.ts';
import { type Finding, failed, notChecked } from './finding.ts';
import { checkDataDirectory, checkNode } from './machine.ts';
import { checkMail, checkPublicUrl } from './mail.ts';
import { checkServer } from './server.ts';

/**
 * Checks everything that the service and its commands need. It never throws: a check that fails to run is a finding too.
 *
 * @param named - what the command line says of a server; this machine's database is then not checked
 */
export async function examine(named: Named = {}): Promise<Finding[]> {
  const configuration = checkConfiguration();
  const findings = [checkNode(), ...configuration];
  if (configuration.some(({ state }) => state === 'failed')) {
    // An invalid variable would fall back to something else, such as another database.
    return [...findings, notChecked('the rest', 'fix the configuration first')];
  }
  const config = readConfig();
  const found = await findTarget(named, config).catch((error: Error) => error);
  if (found instanceof Error) {
    return [...findings, failed('context', found.message, 'Run `backoffice context list` to see all.')];
  }
  if (found !== undefined) {
    return [...findings, ...(await safely('server', () => checkServer(found.server, found.token)))];
  }
  return [
    ...findings,
    ...checkProxy(config),
    ...(await safely('session secret', async () => [await checkSessionSecret(config)])),
    ...(await safely('encryption key', async () => [await checkEncryptionKey(config)])),
    ...(await safely('data directory', () => checkDataDirectory(config))),
    ...(await safely('database', () => checkDatabases(config))),
    ...(await safely('mail', async () => [await checkMail(config), ...checkPublicUrl(config)])),
  ];
}

async function safely(check: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    return [failed(check, sentenceOf(error), 'Fix this, then run `backoffice doctor` again.')];
  }
}
