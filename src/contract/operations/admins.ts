import { z } from 'zod';
import { busy, conflict, type DocumentedError, forbidden } from '../errors.ts';
import { adminSorts } from '../fields/sorts.ts';
import { anySession, defineOperation, insufficientPermissions, managers } from '../operation.ts';
import {
  adminIdentitySchema,
  currentPassword,
  exampleAdmin,
  exampleIdentity,
  expectedAdmin,
  listedAdminSchema,
  optionalEmail,
  optionalPassword,
  optionalRole,
  optionalUsername,
  passwordErrors,
  requiredEmail,
  requiredPassword,
} from '../schemas/admins.ts';
import { clamped, count, requiredText, shownAs, someChanges, success } from '../schemas/fields.ts';
import { filterWords, oneOf, searchParameter } from '../schemas/filters.ts';
import { sortParameter } from '../schemas/lists.ts';
import { roles } from '../vocabulary.ts';
import { sessionErrors } from './session.ts';

const emailAndPasswordRequired = 'Email and password are required.';
export const adminId = requiredText('Admin ID is required.').describe('The id of the admin.');

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

const protectedErrors = [adminErrors.strictTarget, adminErrors.strictOthers, adminErrors.strictLast];

const maxLimit = 100;
/** Keeps `page` times `limit` a safe integer. A page after the last is empty. */
const maxPage = Math.floor(Number.MAX_SAFE_INTEGER / maxLimit);

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
      role: filterWords('role', roles, 'Only admins with this role.'),
      is_active: oneOf(
        'is_active',
        ['0', '1'],
        undefined,
        '1 for active admins only, 0 for those that are not.',
      ),
      sort: sortParameter(adminSorts, 'created_at'),
      include: filterWords(
        'include',
        ['sign_in'],
        'Fields to add to each admin. `sign_in` is for admins and superadmins.',
      ),
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
        admins: [exampleAdmin],
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
    output: success.extend({ admin: adminIdentitySchema }),
    errors: [
      ...passwordErrors,
      adminErrors.strictCreate,
      adminErrors.strictTokenCreate,
      adminErrors.emailTaken,
      busy,
    ],
    failure: 'Failed to create admin.',
    example: {
      input: { email: 'grace@example.com', password: 'correct horse battery staple', role: 'user' },
      output: { success: true, admin: { ...exampleIdentity, role: 'user' } },
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
        id: adminId,
        email: optionalEmail('email must not be blank.'),
        username: optionalUsername(),
        role: optionalRole,
        password: optionalPassword,
        current_password: currentPassword,
        expected: expectedAdmin,
      },
      'No fields to update.',
      ['id', 'current_password', 'expected'],
    ),
    errors: [
      ...passwordErrors,
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
    example: { input: { id: exampleAdmin.id, username: 'Grace' } },
    otherExamples: {
      'Only if the name is still the same': {
        input: { id: exampleAdmin.id, username: 'Grace', expected: { username: 'grace' } },
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
    input: z.object({ id: adminId }),
    errors: [adminErrors.ownAccount, ...protectedErrors],
    failure: 'Failed to delete admin.',
    example: { input: { id: exampleAdmin.id } },
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
      id: adminId,
      is_active: z.literal([0, 1], { error: 'is_active must be 0 or 1.' }).meta(
        shownAs({
          type: 'integer',
          enum: [0, 1],
          description: '0 deactivates the admin and ends its sessions. 1 activates it.',
        }),
      ),
      expected: expectedAdmin,
    }),
    errors: [adminErrors.ownActivity, ...protectedErrors],
    failure: 'Failed to update admin.',
    example: { input: { id: exampleAdmin.id, is_active: 0 } },
  }),
] as const;
