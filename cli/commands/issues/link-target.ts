import { Command } from 'commander';
import { BackofficeError } from '../../../src/contract/errors.ts';
import type { InputOf } from '../../../src/contract/registry.ts';
import { NotFoundError, UsageError } from '../../errors.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { issueNumber } from '../../input/ids.ts';
import type { Format } from '../../output/emit.ts';

export interface LinkOptions extends Format {
  readonly conversation?: string | undefined;
  readonly scrapingError?: number | undefined;
}

/** Creates a command that takes an issue and the other end of a link. */
export function linkVerb(verb: string, description: string): Command {
  return new Command(verb)
    .description(description)
    .argument('<issue>', 'the number of the issue', issueNumber)
    .option('--conversation <conversation>', 'the ID of the conversation')
    .option('--scraping-error <number>', 'the number of the scraping error', wholeNumber(1))
    .addHelpText(
      'after',
      `\nExample:\n  backoffice issues ${verb} 42 --conversation conv_1769851800000_k3x9a2b`,
    );
}

/** Returns the other end of a link: its field for the API, and its name for people. */
export function readLinkTarget({ conversation, scrapingError }: LinkOptions): {
  fields: Pick<InputOf<'links.list'>, 'conversation_id' | 'scraping_error_id'>;
  name: string;
} {
  if (conversation !== undefined && scrapingError === undefined) {
    return { fields: { conversation_id: conversation }, name: `conversation ${conversation}` };
  }
  if (scrapingError !== undefined && conversation === undefined) {
    return { fields: { scraping_error_id: scrapingError }, name: `scraping error ${scrapingError}` };
  }
  throw new UsageError('Use either --conversation or --scraping-error.');
}

/** Throws the error of a link, with its own exit code if the other end does not exist. */
export async function throwUnknownTarget(
  error: unknown,
  { conversation, scrapingError }: Pick<LinkOptions, 'conversation' | 'scrapingError'>,
): Promise<never> {
  // Imported on demand, because it would slow down `--help`.
  const { linkErrors } = await import('../../../src/contract/operations/links.ts');
  const names = new Map<string, string>([
    [linkErrors.unknownConversation.text, `conversation ${conversation}`],
    [linkErrors.unknownScrapingError.text, `scraping error ${scrapingError}`],
  ]);
  const name = error instanceof BackofficeError ? names.get(error.message) : undefined;
  if (name === undefined) throw error;
  throw new NotFoundError(`There is no ${name}.`, { cause: error });
}
