import { readFile } from 'node:fs/promises';
import { isRecord } from '../../../src/shared/is-record.ts';
import { UsageError } from '../../errors.ts';
import { decodeUtf8, readStandardInput } from '../../input/standard-input.ts';

/**
 * Reads the settings of a file, as pairs of key and value.
 *
 * @param file - a path, or - for standard input
 */
export async function readSettingsFile(file: string): Promise<[string, string][]> {
  return file === '-'
    ? parseSettings(await readStandardInput(), 'Standard input')
    : parseSettings(await readText(file), file);
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read ${file} (${error.code}).`);
  });
  return decodeUtf8(bytes, file);
}

/**
 * Parses a JSON object whose values are strings.
 *
 * @param source - the name of the input, to start an error with
 */
function parseSettings(json: string, source: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new UsageError(`${source} is not valid JSON: ${(error as Error).message}.`);
  }
  if (!isRecord(value)) {
    throw new UsageError(
      `${source} is not a JSON object. Run \`backoffice settings export\` to see an example.`,
    );
  }
  const pairs = Object.entries(value);
  const invalid = pairs.find(([, each]) => typeof each !== 'string');
  if (invalid !== undefined)
    throw new UsageError(
      `${source} must have only string values. The value of ${JSON.stringify(invalid[0])} is not a string.`,
    );
  return pairs as [string, string][];
}
