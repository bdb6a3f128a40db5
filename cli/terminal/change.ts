/** The fields of a row in an audit record or event. */
type Fields = Readonly<Record<string, unknown>> | null;

/**
 * Describes a change in one line: `status: Open → Closed` for an update, `title: …, status: …` for something created or
 * deleted.
 */
export const describeChange = (before: Fields, after: Fields): string =>
  describeFields(before, after).join(', ');

/** Describes each field of a change. */
export function describeFields(before: Fields, after: Fields): readonly string[] {
  const line = (name: string, value: unknown) => `${name}: ${textOf(value)}`;
  if (before === null || after === null)
    return Object.entries(after ?? before ?? {}).map(([name, value]) => line(name, value));
  return Object.entries(after)
    .filter(([name, value]) => textOf(before[name]) !== textOf(value))
    .map(([name, value]) =>
      line(name, name in before ? `${textOf(before[name])} → ${textOf(value)}` : value),
    );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Describes where a change came from: the door, and the network address if there is one. */
export function originLabel({ door, address }: { readonly door: string; readonly address: string }): string {
  return address === '' ? door : `${door} ${address}`;
}

/** Names the actor. An admin may have any e-mail, so one that looks like another kind of actor is marked as an admin's. */
export function actorLabel({
  actor_kind,
  actor_name,
}: {
  readonly actor_kind: string;
  readonly actor_name: string;
}): string {
  const isPlain = actor_name.includes('@') && !actor_name.startsWith('token:');
  return actor_kind !== 'admin' || isPlain ? actor_name : `${actor_name} (admin)`;
}
