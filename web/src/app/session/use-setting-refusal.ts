import { refusalToChange } from '../../../../src/contract/known-settings/setting-rights.ts';
import { useSession } from './session.ts';

/** Returns a function that says why the signed-in admin may not change a setting; undefined if they may. */
export function useSettingRefusal(): (key: string) => string | undefined {
  const { admin, rules } = useSession();
  return (key) => refusalToChange(admin.role, key, rules.strict_roles);
}
