import type { AdminUser } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { formatTime } from '../format.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Field, Form, textOf } from '../ui/form.tsx';
import { adminTexts } from './texts.ts';

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
  const { givePlan, endPlan } = adminTexts();
  const give = async (data: FormData) => {
    const until = `${textOf(data, 'until')}T00:00:00Z`;
    await change(() => hearth.admin.givePlan(customerId, { plan: textOf(data, 'plan'), until }));
    return givePlan.done;
  };
  return (
    <>
      {comp !== null && (
        <div class="row">
          <span class="row-text">{givePlan.given(comp.plan, comp.until.slice(0, 10))}</span>
          <Confirm
            kind="link"
            label={endPlan.label}
            title={endPlan.title}
            confirm={endPlan.confirm}
            onConfirm={() => change(() => hearth.admin.takePlan(customerId))}
          >
            {endPlan.effect}
          </Confirm>
        </div>
      )}
      <Form kind="plain" submit={givePlan.submit} onSubmit={give}>
        <Field label={givePlan.plan} name="plan" required hint={givePlan.hint} />
        <Field label={givePlan.until} name="until" type="date" required />
      </Form>
    </>
  );
}

/** The latest entries of the audit log. */
export function Entries({ entries }: { entries: AdminUser['auditEntries'] }) {
  if (entries.length === 0) return null;
  const texts = adminTexts();
  return (
    <ul class="rows">
      {entries.map(({ id, action, actorId, at }) => (
        <li class="row" key={id}>
          <span class="row-text wrap">{texts.entry(action, actorId)}</span>
          <span class="muted small">{formatTime(new Date(at))}</span>
        </li>
      ))}
    </ul>
  );
}
