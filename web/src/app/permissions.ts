import { operations } from 'virtual:operations';
import type { OperationId } from '../../../src/contract/registry.ts';
import type { Role } from '../../../src/contract/vocabulary.ts';
import { useSession } from './session.ts';

/** Reports whether a role may call an operation at all. The server decides, also by the input. */
export function may(role: Role, id: OperationId): boolean {
  return operations[id].roles.includes(role);
}

/** Reports what the signed-in admin may do. */
export function useMay(): (id: OperationId) => boolean {
  const { admin } = useSession();
  return (id) => may(admin.role, id);
}
