import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { UsageError } from '../../errors.ts';

/**
 * Reads the settings of a file, as pairs of key and value.
 *
 * @param file - a path, or - for standard input
 */
export async function readSettingsFile(file: string): Promise<[string, string][]> {
  return file === '-'
    ? parseSettings(await text(process.stdin), 'Standard input')
    : parseSettings(await readText(file), file);
}

async function readText(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be read (${error.code}).`);
  });
}

/**
 * The pairs of a JSON object of texts.
 *
 * @param source - where it comes from, as a sentence begins
 */
function parseSettings(json: string, source: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${(error as Error).message}.`);
  }
  const pairs =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  if (pairs.length === 0 && JSON.stringify(value) !== '{}') {
    throw new UsageError(`${source} must hold one JSON object: see settings export.`);
  }
  const wrong = pairs.find(([, each]) => typeof each !== 'string');
  if (wrong !== undefined)
    throw new UsageError(`${source} must hold texts, and the value of ${JSON.stringify(wrong[0])} is none.`);
  return pairs as [string, string][];
}
