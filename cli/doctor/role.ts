import { withServer } from '../../src/db/connection/inspect-server.ts';
import { inspectRole, type RoleFacts } from '../../src/db/roles/inspect-role.ts';
import { poolerAdvice } from '../access/poolers.ts';
import { counted } from '../output/number.ts';
import { describeUnreachable } from './connection.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** Checks that the owner of the schema is reachable and may change it. Finds nothing if it may. */
export async function checkOwner(ownerUrl: string): Promise<Finding[]> {
  const owned = 'database owner';
  try {
    const owner = await withServer(ownerUrl, inspectRole);
    if (owner === undefined) {
      return [failed(owned, 'DATABASE_OWNER_URL leads to a pooler', poolerAdvice.DATABASE_OWNER_URL)];
    }
    if (owner.ownsTables || owner.createsIn.includes('schema public')) return [];
    const detail = `${owner.role} does not own the tables, so it cannot apply migrations`;
    return [failed(owned, detail, 'Set DATABASE_OWNER_URL to the role that owns them.')];
  } catch (error) {
    return [describeUnreachable(owned, 'DATABASE_OWNER_URL', ownerUrl, error)];
  }
}

/** Judges what the role of the service may do. */
export function judgeRole(facts: RoleFacts): Finding {
  const check = 'database role';
  const { role, cannotRead } = facts;
  if (cannotRead.length > 0) {
    return failed(
      check,
      `${role} has no rights on ${counted(cannotRead.length, 'table')}, such as ${cannotRead[0]}`,
      'Run `backoffice migrate up` with DATABASE_OWNER_URL, which grants them.',
    );
  }
  const excess = excessOf(facts);
  if (excess.length === 0) return ok(check, `${role} may change neither the schema nor the audit trail`);
  return warning(
    check,
    `${role} may do more than the service needs: it ${excess.join('; ')}`,
    'Let the service run as a role with fewer rights, as docs/operations.md says, "Two roles".',
  );
}

/** A superuser may do all the rest too, and an owner may change the audit trail. */
function excessOf(facts: RoleFacts): string[] {
  if (facts.isSuperuser) return ['is a superuser'];
  const { superusers, serverRoles, createsIn, changesAudit, ownsTables } = facts;
  if (superusers.length > 0) return [`may become the superuser ${superusers.join(', ')} (\`set role\`)`];
  return [
    ...(facts.mayCreateRoles ? ['creates roles'] : []),
    ...(facts.mayCreateDatabases ? ['creates databases'] : []),
    ...(facts.bypassesRowSecurity ? ['bypasses row-level security'] : []),
    ...(facts.replicates ? ['copies the whole server by replication'] : []),
    ...(serverRoles.length > 0 ? [`is a member of ${serverRoles.join(', ')}`] : []),
    ...(ownsTables ? ['owns the tables, and so the audit trail'] : []),
    ...(createsIn.length > 0 ? [`creates objects (${createsIn.join(', ')})`] : []),
    ...(changesAudit.length > 0 && !ownsTables
      ? [`changes the audit trail: ${changesAudit.join(', ')}`]
      : []),
  ];
}
