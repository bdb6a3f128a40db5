import { type Role, roles } from '../vocabulary.ts';
import { parseObject, type Readout, type Settings } from './settings.ts';

/** One of the modes for every role, or JSON with the modes of some: `{"superadmin": "required"}`. */
export const secondFactorKey = 'sign_in_second_factor';

/**
 * - `off`: no sign-in asks for a second factor.
 * - `optional`: an account that has a second factor is asked for it.
 * - `required`: an account without one gets a code by e-mail, or may only set one up.
 */
export const secondFactorModes = ['off', 'optional', 'required'] as const;

export type SecondFactorMode = (typeof secondFactorModes)[number];

type SecondFactorPolicy = Readonly<Record<Role, SecondFactorMode>>;

/** The mode without a valid value. Who has set up a factor is asked for it, and nobody is locked out by a typing error. */
const defaultMode: SecondFactorMode = 'optional';

const isMode = (value: unknown): value is SecondFactorMode =>
  (secondFactorModes as readonly unknown[]).includes(value);

const same = (mode: SecondFactorMode): SecondFactorPolicy => ({ superadmin: mode, admin: mode, user: mode });

export function readSecondFactorPolicy({
  [secondFactorKey]: text = '',
}: Settings): Readout<SecondFactorPolicy> {
  const word = text.trim() || defaultMode;
  if (isMode(word)) return { value: same(word), problems: [] };
  const fields = parseObject(word);
  if (fields === undefined) {
    const forms = `${secondFactorModes.join(', ')}, or JSON with the mode of each role`;
    const problem = `The setting ${secondFactorKey} must be ${forms}. It counts as ${defaultMode}.`;
    return { value: same(defaultMode), problems: [problem] };
  }
  const problems: string[] = [];
  const modes: Record<Role, SecondFactorMode> = { ...same(defaultMode) };
  for (const [role, mode] of Object.entries(fields)) {
    if (!isRole(role)) {
      problems.push(`${JSON.stringify(role)} in the setting ${secondFactorKey} is not a role.`);
    } else if (isMode(mode)) modes[role] = mode;
    else {
      problems.push(
        `The mode of ${role} in the setting ${secondFactorKey} must be ${secondFactorModes.join(', ')}. It counts as ${defaultMode}.`,
      );
    }
  }
  return { value: modes, problems };
}

function isRole(name: string): name is Role {
  return (roles as readonly string[]).includes(name);
}
