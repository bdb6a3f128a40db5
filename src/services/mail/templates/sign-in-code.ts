import type { MailContent } from '../message.ts';

/** Returns the mail with the one-time code of a sign-in. */
export function signInCodeMail({ code, minutes }: { code: string; minutes: number }): MailContent {
  return {
    kind: 'sign-in-code',
    subject: 'Your sign-in code for Backoffice',
    body: [
      'Enter this code to sign in to Backoffice:',
      { code },
      `The code works once, for ${minutes} minutes. Do not give it to anyone: we never ask for it.`,
      'If you are not signing in, someone knows your password. Change it now.',
    ],
    isConfidential: true,
    usefulMinutes: minutes,
  };
}
