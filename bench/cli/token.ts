import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Creates an API token with the command line, and returns its secret. */
export async function createToken(databaseUrl: string): Promise<string> {
  const args = ['bin/backoffice.js', 'tokens', 'create', '--name', 'bench', '--role', 'superadmin'];
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  return stdout.trim();
}
