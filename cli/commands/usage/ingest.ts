import { Command } from 'commander';
import { runs } from '../../access/operations.ts';
import { withAccess } from '../../access/with-access.ts';
import { emitChange, type Format, withFormats } from '../../output/emit.ts';
import { counted } from '../../output/number.ts';
import { print } from '../../terminal.ts';

/** `backoffice usage ingest`. */
export function ingestUsageCommand(): Command {
  const command = new Command('ingest')
    .description('record requests to language models, one JSON object per line')
    .argument('[file]', 'a file of JSON lines, or - for standard input', '-')
    .addHelpText(
      'after',
      `
A record with a known record_id is skipped. The command stops at the first invalid line, after recording the lines
before it.

Example:
  echo '{"record_id":"r1","model":"small-1","input_tokens":1800,"output_tokens":240}' | backoffice usage ingest
  backoffice usage ingest requests.jsonl`,
    );
  return runs(withFormats(command), 'tokenUsage.record').action(async (file: string, format: Format) => {
    const { ingest: send } = await import('../../input/ingest.ts');
    const { maxRecords, tokenUsageRecordSchema } = await import(
      '../../../src/contract/operations/token-usage.ts'
    );
    await withAccess(command, async (access) => {
      const counts = await send(
        {
          ...{ file, schema: tokenUsageRecordSchema, maxItemsPerRequest: maxRecords },
          name: 'records',
          send: async (given) => {
            const { success: _, ...counted } = await access.call('tokenUsage.record', {
              records: [...given],
            });
            return counted;
          },
        },
        { recorded: 0, duplicates: 0 },
      );
      await emitChange({ success: true, ...counts }, format, () => {
        const { recorded, duplicates } = counts;
        print(`Recorded ${counted(recorded, 'request')}. Skipped ${counted(duplicates, 'duplicate')}.`);
      });
    });
  });
}
