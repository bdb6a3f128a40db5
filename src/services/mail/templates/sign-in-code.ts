import type { MailTemplate } from '../message.ts';

/** Returns the mail with the one-time code of a sign-in. */
export function signInCodeMail({ code, minutes }: { code: string; minutes: number }): MailTemplate {
  return (site) => ({
    kind: 'sign-in-code',
    subject: `Your sign-in code for ${site}`,
    body: [
      `Enter this code to sign in to ${site}:`,
      { code },
      `The code works once, for ${minutes} minutes. Do not give it to anyone: we never ask for it.`,
      'If you are not signing in, someone knows your password. Change it now.',
    ],
    isConfidential: true,
    usefulMinutes: minutes,
  });
}
