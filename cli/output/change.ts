/** Fields of a row, as an audit record or an event tells them. */
type Fields = Readonly<Record<string, unknown>> | null;

/**
 * What a change did, in one line: `status: Open → Closed` of what was changed, `title: …, status: …` of what is new
 * or gone.
 */
export function describeChange(before: Fields, after: Fields): string {
  if (before === null || after === null) return describeFields(Object.entries(after ?? before ?? {}));
  return describeFields(
    Object.entries(after)
      .filter(([name, value]) => textOf(before[name]) !== textOf(value))
      .map(([name, value]) => [name, name in before ? `${textOf(before[name])} → ${textOf(value)}` : value]),
  );
}

function describeFields(fields: readonly (readonly [string, unknown])[]): string {
  return fields.map(([name, value]) => `${name}: ${textOf(value)}`).join(', ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Where a change came from: the door, and the network address where there is one. */
export function fromWhere({ door, address }: { readonly door: string; readonly address: string }): string {
  return address === '' ? door : `${door} ${address}`;
}

/** Who did it. An admin may take whatever e-mail it likes: one that reads like another kind of name is said to be an admin's. */
export function whoDidIt({
  actor_kind,
  actor_name,
}: {
  readonly actor_kind: string;
  readonly actor_name: string;
}): string {
  const isPlain = actor_name.includes('@') && !actor_name.startsWith('token:');
  return actor_kind !== 'admin' || isPlain ? actor_name : `${actor_name} (admin)`;
}
