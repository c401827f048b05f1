import type { AdminUser } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { formatTime } from '../format.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Field, Form, textOf } from '../ui/form.tsx';

/** Facts with their names. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="facts">
      {facts.flatMap(([name, value]) => [
        <dt key={`${name} name`}>{name}</dt>,
        <dd key={name} class="wrap">
          {value}
        </dd>,
      ])}
    </dl>
  );
}

interface PlanProps {
  customerId: string;
  comp: AdminUser['comp'];
  change: (work: () => Promise<void>) => Promise<void>;
}

/** The comped plan of a user or a team, and a form that gives one. */
export function Plan({ customerId, comp, change }: PlanProps) {
  const give = async (data: FormData) => {
    const until = `${textOf(data, 'until')}T00:00:00Z`;
    await change(() => hearth.admin.givePlan(customerId, { plan: textOf(data, 'plan'), until }));
    return 'The plan is given.';
  };
  return (
    <>
      {comp !== null && (
        <div class="row">
          <span class="row-text">
            The plan {comp.plan} is given until {comp.until.slice(0, 10)}.
          </span>
          <Confirm
            kind="link"
            label="End the given plan"
            title="End the given plan?"
            confirm="End the plan"
            onConfirm={() => change(() => hearth.admin.takePlan(customerId))}
          >
            What is paid stays.
          </Confirm>
        </div>
      )}
      <Form kind="plain" submit="Give the plan" onSubmit={give}>
        <Field label="Plan" name="plan" required hint="The slug, such as pro." />
        <Field label="Until" name="until" type="date" required />
      </Form>
    </>
  );
}

/** The latest entries of the audit log. */
export function Entries({ entries }: { entries: AdminUser['auditEntries'] }) {
  if (entries.length === 0) return null;
  return (
    <ul class="rows">
      {entries.map(({ id, action, actorId, at }) => (
        <li class="row" key={id}>
          <span class="row-text wrap">
            {action} by {actorId}
          </span>
          <span class="muted small">{formatTime(new Date(at))}</span>
        </li>
      ))}
    </ul>
  );
}
