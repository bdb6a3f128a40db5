import { useQuery } from '@tanstack/react-query';
import { SendFailed } from './send-failed.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { webhooksQuery } from './webhook-queries.ts';

interface WebhookDialogProps {
  /** The dialog of the page's address: `new`, or `edit` or `failed` with the id of a webhook. */
  readonly name: string;
  readonly onClose: () => void;
}

/** The dialog that the page's address names. */
export function WebhookDialog({ name, onClose }: WebhookDialogProps) {
  const { data } = useQuery(webhooksQuery());
  const [, kind, id] = /^(edit|failed)-(\d+)$/.exec(name) ?? [];
  const webhook = data?.find((each) => each.id === Number(id));
  if (name === 'new') return <WebhookForm webhook={undefined} onClose={onClose} />;
  if (webhook === undefined) return null;
  return kind === 'edit' ? (
    <WebhookForm webhook={webhook} onClose={onClose} />
  ) : (
    <SendFailed webhook={webhook} onClose={onClose} />
  );
}
