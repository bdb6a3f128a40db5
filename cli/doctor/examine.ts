import { readConfig } from '../../src/config.ts';
import { sentenceOf } from '../failures.ts';
import { checkConfiguration, checkSessionSecret } from './configuration.ts';
import { checkDatabases } from './database.ts';
import { type Finding, failed, notChecked } from './finding.ts';
import { checkDataDirectory, checkNode } from './machine.ts';
import { checkMail } from './mail.ts';
import { checkServer } from './server.ts';

/**
 * Checks whatever the service and its commands need. It never throws: what cannot be checked is a finding too.
 *
 * @param server - what `--server` was given; the data is then that server's business
 */
export async function examine(server?: string): Promise<Finding[]> {
  const configuration = checkConfiguration();
  const findings = [checkNode(), ...configuration];
  if (configuration.some(({ state }) => state === 'failed')) {
    // What a wrong variable falls back on, such as another database, says nothing about what is meant.
    return [...findings, notChecked('the rest', 'mend the configuration first')];
  }
  const config = readConfig();
  const address = server ?? config.server;
  if (address !== undefined) {
    return [...findings, ...(await safely('server', () => checkServer(address, config.serverToken)))];
  }
  return [
    ...findings,
    ...(await safely('session secret', async () => [await checkSessionSecret(config)])),
    ...(await safely('data directory', () => checkDataDirectory(config))),
    ...(await safely('database', () => checkDatabases(config))),
    ...(await safely('mail', async () => [await checkMail(config)])),
  ];
}

async function safely(check: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    return [failed(check, sentenceOf(error), 'Mend what it says, and run backoffice doctor again.')];
  }
}
