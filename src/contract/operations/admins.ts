import { z } from 'zod';
import { busy, conflict, type DocumentedError, forbidden, invalid } from '../errors.ts';
import { adminSorts } from '../fields/sorts.ts';
import { anySession, defineOperation, insufficientPermissions, managers } from '../operation.ts';
import {
  adminIdentitySchema,
  currentPassword,
  expectedAdmin,
  listedAdminSchema,
  optionalEmail,
  optionalPassword,
  optionalRole,
  optionalUsername,
  passwordTooLong,
  passwordTooShort,
  requiredEmail,
  requiredPassword,
  strictPasswordErrors,
} from '../schemas/admins.ts';
import { clamped, count, requiredText, shownAs, someChanges } from '../schemas/fields.ts';
import { filterWords, oneOf, searchParameter } from '../schemas/filters.ts';
import { sortParameter } from '../schemas/lists.ts';
import { roles } from '../vocabulary.ts';
import { sessionErrors } from './session.ts';

const emailAndPasswordRequired = 'Email and password are required.';
const adminIdRequired = 'Admin ID is required.';
const noFieldsToUpdate = 'No fields to update.';

export const adminErrors = {
  emailTaken: conflict('An admin with this email already exists.', 'email'),
  ownActivity: forbidden('You cannot deactivate your own account.', 'id'),
  ownAccount: forbidden('You cannot delete your own account.', 'id'),
  roleIsSuperadmins: forbidden('Only superadmin can change roles.', 'role'),
  strictTarget: forbidden('You cannot change an admin whose role is above yours.', 'id'),
  strictOthers: forbidden(
    'Only superadmin can delete another admin, or change its e-mail, password, role or activity.',
    'id',
  ),
  strictToken: forbidden(
    'An API token cannot change the e-mail, password or role of an admin. Sign in, or run the command on the server.',
  ),
  strictTokenCreate: forbidden(
    'An API token cannot create a superadmin. Sign in, or run the command on the server.',
    'role',
  ),
  currentPasswordRequired: forbidden(
    'Your own e-mail and password need your current password. Send it as current_password.',
    'current_password',
  ),
  currentPasswordWrong: forbidden('The current password is wrong.', 'current_password'),
  strictCreate: forbidden('Only superadmin can create a superadmin.', 'role'),
  strictLast: forbidden('The last active superadmin cannot be removed, deactivated or demoted.'),
} as const satisfies Record<string, DocumentedError>;

const maxLimit = 100;
/** Keeps `page` times `limit` a safe integer. A page after the last is empty. */
const maxPage = Math.floor(Number.MAX_SAFE_INTEGER / maxLimit);

const roleFilter = filterWords('role', roles, 'Only admins with this role.');
const activityFilter = oneOf(
  'is_active',
  ['0', '1'],
  undefined,
  '1 for active admins only, 0 for those that are not.',
);
const includeSignIn = filterWords(
  'include',
  ['sign_in'],
  'Fields to add to each admin. `sign_in` is for admins and superadmins.',
);

export const adminOperations = [
  /** Contract 4.8. */
  defineOperation('GET', '/api/admin/admins', anySession, {
    id: 'admins.list',
    summary: 'List admins, page by page',
    description:
      'Oldest first. A page after the last one is empty. With `q`, `role` or `is_active`, `total` and `totalPages` are ' +
      'those of the matches.',
    storable: true,
    forbid: (role, { include }) =>
      role === 'user' && String(include ?? '').includes('sign_in') ? insufficientPermissions : undefined,
    input: z.object({
      page: clamped(1, 1, maxPage),
      limit: clamped(10, 1, maxLimit),
      q: searchParameter('the id, the e-mail, the username and the role'),
      role: roleFilter.schema,
      is_active: activityFilter.schema,
      sort: sortParameter(adminSorts, 'created_at'),
      include: includeSignIn.schema,
    }),
    output: z.strictObject({
      admins: z.array(listedAdminSchema),
      pagination: z.strictObject({ page: z.int(), limit: z.int(), total: count, totalPages: count }),
    }),
    errors: [insufficientPermissions],
    failure: 'Failed to load admins.',
    example: {
      input: { page: 1, limit: 10 },
      output: {
        admins: [
          {
            id: 'admin_1769851800000_k3x9a2',
            email: 'grace@example.com',
            username: 'grace',
            role: 'superadmin',
            is_active: 1,
            created_at: '2026-01-31T09:30:00.000Z',
          },
        ],
        pagination: { page: 1, limit: 10, total: 1, totalPages: 1 },
      },
    },
  }),

  /** Contract 4.9. */
  defineOperation('POST', '/api/admin/admins', managers, {
    id: 'admins.create',
    summary: 'Create an admin',
    description:
      'The e-mail is stored in lower case and must be unused. A role other than `superadmin` and `user` ' +
      'means `admin`. With strict roles, only a superadmin may create a superadmin, and no API token may.',
    changes: ['admin.created'],
    load: 'outside',
    input: z.object({
      email: requiredEmail(emailAndPasswordRequired),
      password: requiredPassword(emailAndPasswordRequired),
      username: optionalUsername('The default is the part of the e-mail before the `@`.'),
      role: optionalRole,
    }),
    output: z.strictObject({ success: z.literal(true), admin: adminIdentitySchema }),
    errors: [
      invalid(passwordTooShort),
      invalid(passwordTooLong),
      ...strictPasswordErrors,
      adminErrors.strictCreate,
      adminErrors.strictTokenCreate,
      adminErrors.emailTaken,
      busy,
    ],
    failure: 'Failed to create admin.',
    example: {
      input: { email: 'grace@example.com', password: 'correct horse battery staple', role: 'user' },
      output: {
        success: true,
        admin: {
          id: 'admin_1769851800000_k3x9a2',
          email: 'grace@example.com',
          username: 'grace',
          role: 'user',
        },
      },
    },
  }),

  /** Contract 4.10. */
  defineOperation('PUT', '/api/admin/admins', anySession, {
    id: 'admins.update',
    summary: "Change an admin's e-mail, username, role or password",
    description:
      'Only the fields that are present change. Only a superadmin may send `role`. A new e-mail, role or ' +
      "password ends the sessions of the admin, except the caller's own. An unknown id succeeds and " +
      'changes nothing. With strict roles, only a superadmin changes the e-mail, password or role of another ' +
      'admin, an API token changes none of them, and your own e-mail and password need `current_password`. ' +
      'Admins of a higher role and the last active superadmin are protected.',
    changes: ['admin.updated'],
    // A supplied role, even null, is checked before the id.
    forbid: (sessionRole, input) =>
      input.role !== undefined && sessionRole !== 'superadmin' ? adminErrors.roleIsSuperadmins : undefined,
    input: someChanges(
      {
        id: requiredText(adminIdRequired).describe('The id of the admin.'),
        email: optionalEmail('email must not be blank.'),
        username: optionalUsername(),
        role: optionalRole,
        password: optionalPassword,
        current_password: currentPassword,
        expected: expectedAdmin,
      },
      noFieldsToUpdate,
      ['id', 'current_password', 'expected'],
    ),
    errors: [
      invalid(passwordTooShort),
      invalid(passwordTooLong),
      ...strictPasswordErrors,
      adminErrors.roleIsSuperadmins,
      adminErrors.strictTarget,
      adminErrors.strictOthers,
      adminErrors.strictToken,
      adminErrors.currentPasswordRequired,
      adminErrors.currentPasswordWrong,
      sessionErrors.tooManyAttempts,
      adminErrors.strictLast,
      adminErrors.emailTaken,
      busy,
    ],
    failure: 'Failed to update admin.',
    example: { input: { id: 'admin_1769851800000_k3x9a2', username: 'Grace' } },
    otherExamples: {
      'Only if the name is still the same': {
        input: { id: 'admin_1769851800000_k3x9a2', username: 'Grace', expected: { username: 'grace' } },
      },
    },
  }),

  /** Contract 4.11. */
  defineOperation('DELETE', '/api/admin/admins', managers, {
    id: 'admins.delete',
    summary: 'Delete an admin',
    description:
      'Ends the sessions of the admin. You cannot delete your own account. An unknown id succeeds. With ' +
      'strict roles, only a superadmin deletes an admin, and the last active superadmin is protected.',
    changes: ['admin.deleted'],
    input: z.object({ id: requiredText(adminIdRequired).describe('The id of the admin.') }),
    errors: [
      adminErrors.ownAccount,
      adminErrors.strictTarget,
      adminErrors.strictOthers,
      adminErrors.strictLast,
    ],
    failure: 'Failed to delete admin.',
    example: { input: { id: 'admin_1769851800000_k3x9a2' } },
  }),

  /** Beyond the contract, which cannot change is_active. */
  defineOperation('PUT', '/api/admin/admins/activity', managers, {
    id: 'admins.changeActivity',
    summary: 'Activate or deactivate an admin',
    description:
      'Deactivating an admin ends its sessions and prevents it from signing in. You cannot deactivate your ' +
      'own account. An unknown id succeeds. With strict roles, only a superadmin does this, and the last ' +
      'active superadmin is protected.',
    changes: ['admin.updated'],
    input: z.object({
      id: requiredText(adminIdRequired).describe('The id of the admin.'),
      is_active: z.literal([0, 1], { error: 'is_active must be 0 or 1.' }).meta(
        shownAs({
          type: 'integer',
          enum: [0, 1],
          description: '0 deactivates the admin and ends its sessions. 1 activates it.',
        }),
      ),
      expected: expectedAdmin,
    }),
    errors: [
      adminErrors.ownActivity,
      adminErrors.strictTarget,
      adminErrors.strictOthers,
      adminErrors.strictLast,
    ],
    failure: 'Failed to update admin.',
    example: { input: { id: 'admin_1769851800000_k3x9a2', is_active: 0 } },
  }),
] as const;
