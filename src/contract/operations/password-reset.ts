import { z } from 'zod';
import { busy, type DocumentedError, invalidField, noEncryptionKey } from '../errors.ts';
import { anyone, defineOperation } from '../operation.ts';
import { examplePasswordByLink, passwordByLink, passwordErrors } from '../schemas/admins.ts';
import { mailAddress } from '../schemas/mail-address.ts';

const path = '/api/admin/password-reset';

export const passwordResetErrors = {
  noMail: {
    code: 'not_configured',
    text: 'The service sends no mails, because SMTP_URL is not set. Ask its operator for a link to reset the password.',
  },
  unknown: invalidField(
    'token',
    'This link is not valid: it was used or replaced, or is too old. Ask for a new one.',
  ),
} as const satisfies Record<string, DocumentedError>;

export const passwordResetOperations = [
  /** Beyond the contract, like the next. */
  defineOperation('POST', path, anyone, {
    id: 'passwordReset.create',
    summary: 'Ask for a link to set a new password',
    description:
      'Sends a link by mail that works once, for 30 minutes. The answer is the same for every e-mail, whether or not it ' +
      'has an account. Few links are sent for each account and network.',
    changes: ['password_reset.requested'],
    accepted: true,
    input: z.object({ email: mailAddress('email is required.') }),
    errors: [passwordResetErrors.noMail, noEncryptionKey],
    failure: 'Failed to ask for a link.',
    example: { input: { email: 'grace@example.com' } },
  }),

  defineOperation('POST', `${path}/confirm`, anyone, {
    id: 'passwordReset.confirm',
    summary: 'Set a new password with a link',
    description:
      'Takes the token of the link. All sessions of the account end, and so do its other links. It does not sign in: ' +
      'the next sign-in asks for a second factor where one is due.',
    changes: ['admin.updated'],
    load: 'outside',
    input: z.object(passwordByLink),
    errors: [...passwordErrors, passwordResetErrors.unknown, busy],
    failure: 'Failed to set the password.',
    example: { input: examplePasswordByLink },
  }),
] as const;
