import { storedEmail } from '../../src/contract/schemas/stored-email.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { selectEmails } from '../../src/db/tables/accounts/emails.ts';
import { selectClashingLabels } from '../../src/db/tables/labels.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Checks that each e-mail has the form in which the service stores it. Older versions and plain SQL may have written others. */
export async function checkEmails(db: Database): Promise<Finding> {
  const check = 'e-mails';
  const accounts = await selectEmails(db);
  const clashes = [...Map.groupBy(accounts, ({ email }) => storedEmail(email)).values()]
    .filter((same) => same.length > 1)
    .map((same) => same.map(({ id, email }) => `${email} (${id})`).join(' = '));
  if (clashes.length > 0) {
    const advice = 'Delete one account of each with `backoffice admins delete <id>`, or change its e-mail.';
    return warning(check, `accounts with the same address: ${clashes.join(', ')}`, advice);
  }
  const others = accounts
    .filter(({ email }) => email !== storedEmail(email))
    .map(({ id, email }) => `${email} (${id}), now ${storedEmail(email)}`);
  if (others.length === 0) return ok(check, 'each has one account');
  const advice = 'Run `backoffice admins update <id> --email <e-mail>` for each.';
  return warning(check, `not in the form of new e-mails: ${others.join('; ')}`, advice);
}

/** Checks that no label is there twice, as with é as one character and as two. */
export async function checkLabels(db: Database): Promise<Finding> {
  const check = 'labels';
  const clashes = await selectClashingLabels(db);
  const [first] = clashes;
  if (first === undefined) return ok(check, 'each is there once');
  const advice = `Make each one label: \`backoffice labels rename ${escaped(first.name)} ${escaped(first.other)}\`.`;
  const names = clashes.map(({ other }) => other).join(', ');
  return warning(check, `there twice, in letters that look the same: ${names}`, advice);
}

/** Returns a text in the syntax of shells, with the letters that are not ASCII as numbers. */
function escaped(text: string): string {
  const letters = [...text].map((letter) =>
    /[a-z0-9 _.-]/i.test(letter)
      ? letter
      : `\\U${(letter.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  );
  return `$'${letters.join('')}'`;
}
