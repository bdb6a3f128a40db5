import { issues as noun } from '../../../src/contract/fields/issues.ts';
import { fieldsOf } from '../form/field.tsx';
import { Form } from '../form/form.tsx';
import { useGo } from '../kit/go.ts';
import { formOfRow } from '../kit/row-form.ts';
import { type Issue, issues, issueWords } from './issue-resource.ts';

const fields = fieldsOf(noun, {
  title: { kind: 'line' },
  category: { suggest: issueWords.category, isHalf: true },
  severity: { isHalf: true },
  status: { isHalf: true },
  description: {},
  steps_to_reproduce: {},
});

/** Edits an issue in its drawer. */
export function EditIssue({ issue }: { readonly issue: Issue }) {
  const go = useGo();
  const close = () => go({ edit: undefined }, true);
  return (
    <Form {...formOfRow(issues, issue, fields)} at={['issue', 'edit']} onDone={close} onCancel={close} />
  );
}
