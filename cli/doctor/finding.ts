import type { Config } from '../../src/config.ts';
import { sentenceOf } from '../failures.ts';

/** What a check says. */
export interface Judgement {
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  readonly fix?: string;
}

/** The result of one check. */
export interface Finding extends Judgement {
  readonly check: string;
}

/** Says that nothing is wrong. */
export const ok = (detail: string): Judgement => ({ state: 'ok', detail });

/** Says that something works but needs attention. */
export const warning = (detail: string, fix: string): Judgement => ({ state: 'warning', detail, fix });

/** Says that something does not work. */
export const failed = (detail: string, fix: string): Judgement => ({ state: 'failed', detail, fix });

/**
 * Returns the finding of the checks that were not run, because something else must be fixed first.
 *
 * @param count - how many they are, if that is known
 */
export const notChecked = (because: string, count?: number): Finding => ({
  check: 'the rest',
  state: 'warning',
  detail: `${count === undefined ? '' : `${count} `}not checked: ${because}`,
});

type Judged = Judgement | undefined | readonly (Judgement | Finding)[];

/** Checks by their names. Each returns nothing where it does not apply, several judgements, or findings with names of their own. */
export type Checks<Input extends readonly unknown[]> = Readonly<
  Record<string, (...input: Input) => Judged | Promise<Judged>>
>;

/** Gives judgements the name of their check. */
export const findingsOf = (check: string, judged: Judged): Finding[] =>
  [judged ?? []].flat().map((each) => ({ check, ...each }));

/**
 * Runs checks one after another. One that throws has failed.
 *
 * @param fix - what to do if one throws
 */
export async function runChecks<Input extends readonly unknown[]>(
  checks: Checks<Input>,
  fix: string,
  ...input: Input
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, run] of Object.entries(checks)) {
    try {
      findings.push(...findingsOf(check, await run(...input)));
    } catch (error) {
      findings.push({ check, ...failed(sentenceOf(error), fix) });
    }
  }
  return findings;
}

// What `up` says and `doctor` warns of.

/** What the API contract allows, and how to close it. Unless the roles are strict. */
export const contractRoles =
  'every signed-in person can set the password of every account, also of a superadmin; to prevent that, start with BACKOFFICE_STRICT_ROLES=1';

/** Says what is wrong if a proxy must be in front and none is trusted. Returns undefined if nothing is. */
export function untrustedProxy({
  trustProxy,
  isPublicUrlSet,
  publicUrl,
}: Pick<Config, 'trustProxy' | 'isPublicUrlSet' | 'publicUrl'>): string | undefined {
  // The service itself has no TLS.
  const hasProxy = isPublicUrlSet && publicUrl.startsWith('https:');
  return hasProxy && trustProxy === 0
    ? 'BACKOFFICE_PUBLIC_URL is HTTPS, so a proxy is in front, but TRUST_PROXY is 0: every client has the address of the proxy'
    : undefined;
}
