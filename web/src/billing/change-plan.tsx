import { HearthError, type ChangePreview, type Plan, type Subscription } from '@hearth/client';
import { useRef, useState } from 'preact/hooks';
import { hearth } from '../backend/hearth.ts';
import { refresh, useRequest, type Live } from '../backend/source.ts';
import { messageOf } from '../errors.ts';
import { formatDate } from '../format.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/form.tsx';
import { Failure, Loading, Message, Notice } from '../ui/message.tsx';
import { refreshManaged } from './managed.ts';
import { formatPrice } from './offers.ts';
import { billingTexts } from './texts.ts';

type When = 'now' | 'period_end';

interface ChangePlanProps {
  plan: Plan;
  interval: 'month' | 'year';
  /** The team that pays; the user if there is none. */
  team: string | undefined;
  /** On the button, and the title of the dialog. */
  title: string;
}

/**
 * A button that changes the plan of a running subscription, or only its interval. The dialog shows what the change
 * costs before it is made.
 */
export function ChangePlan(props: ChangePlanProps) {
  const { title } = props;
  return (
    <Dialog label={title} title={title} kind="primary">
      {(close) => <Change {...props} close={close} />}
    </Dialog>
  );
}

function Change(props: ChangePlanProps & { close: () => void }) {
  const [paymentUrl, setPaymentUrl] = useState<string>();
  const frame = useRef<HTMLDivElement>(null);
  const showPayment = (url: string) => {
    // The focused button disappears here, which would close the dialog.
    frame.current?.focus();
    setPaymentUrl(url);
  };
  return (
    <div class="stack" tabIndex={-1} ref={frame}>
      {paymentUrl === undefined ? (
        <Offer {...props} onUnpaid={showPayment} />
      ) : (
        <Unpaid url={paymentUrl} close={props.close} />
      )}
    </div>
  );
}

interface OfferProps extends ChangePlanProps {
  close: () => void;
  /** Called with the page of the invoice if its payment failed. */
  onUnpaid: (url: string) => void;
}

function Offer({ plan, interval, team, close, onUnpaid }: OfferProps) {
  const [when, setWhen] = useState<When>('now');
  const change = { plan: plan.slug, interval, when };
  const preview = usePreview(change, team);
  const amount = useRef<HTMLDivElement>(null);
  const { busy, outcome, run } = useAction();
  const texts = billingTexts().change;
  const code = preview.state === 'failed' ? codeOf(preview.error) : outcome?.code;
  const isOnlyPossibleNow = when === 'period_end' && code === 'change_not_plannable';
  const submit = async () => {
    if (preview.state !== 'ready') return;
    const { payment } = await makeChange(change, team, preview.value);
    if (payment === null) close();
    else onUnpaid(payment.url);
  };
  return (
    <>
      <Select
        label={texts.when}
        value={when}
        options={[
          ['now', texts.now],
          ['period_end', texts.periodEnd],
        ]}
        onSelect={setWhen}
      />
      <div tabIndex={-1} ref={amount}>
        <Preview preview={preview} />
      </div>
      <Message outcome={outcome} />
      <div class="actions">
        {isOnlyPossibleNow && (
          <Button
            onClick={() => {
              // The focused element disappears here, which would close the dialog.
              amount.current?.focus();
              setWhen('now');
            }}
          >
            {texts.nowInstead}
          </Button>
        )}
        <Button kind="primary" busy={busy || preview.state !== 'ready'} onClick={() => void run(submit)}>
          {when === 'now' ? texts.submitNow : texts.submitLater}
        </Button>
        <Button autofocus onClick={close}>
          {texts.keep}
        </Button>
      </div>
    </>
  );
}

/** Changes the plan, and reads again what the page shows about it. */
async function makeChange(
  change: WantedChange,
  team: string | undefined,
  { prorationDate }: ChangePreview,
): Promise<Subscription> {
  try {
    const changed = await hearth.subscription.change(change, { ...teamOf(team), prorationDate });
    refreshManaged(team);
    return changed;
  } catch (error) {
    const isOutdated = error instanceof HearthError && error.code === 'preview_expired';
    if (isOutdated) refresh(previewKey(change, team));
    throw error;
  }
}

const codeOf = (error: unknown) => (error instanceof HearthError ? error.code : undefined);

interface WantedChange {
  plan: string;
  interval: 'month' | 'year';
  when: When;
}

const previewKey = ({ plan, interval, when }: WantedChange, team: string | undefined) =>
  `preview ${team ?? ''} ${plan} ${interval} ${when}`;

function usePreview(change: WantedChange, team: string | undefined): Live<ChangePreview> {
  return useRequest(previewKey(change, team), (signal) =>
    hearth.subscription.preview(change, { ...teamOf(team), signal }),
  );
}

function Preview({ preview }: { preview: Live<ChangePreview> }) {
  const texts = billingTexts().change;
  if (preview.state === 'loading') return <Loading what={texts.amount} />;
  if (preview.state === 'failed') {
    const { error } = preview;
    return error instanceof HearthError ? (
      <Notice kind="bad">{messageOf(error)}</Notice>
    ) : (
      <Failure error={error} />
    );
  }
  const { amountDue, currency, dueAt, lines } = preview.value;
  return (
    <table class="lines">
      <caption class="muted small">{texts.invoiceOf(formatDate(new Date(dueAt)))}</caption>
      <tbody>
        {lines.map(({ description, amount }, index) => (
          <tr key={index}>
            <td>{description ?? texts.item}</td>
            <td class="number">{formatPrice(amount, currency)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{texts.toPay}</th>
          <td class="number">{formatPrice(amountDue, currency)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Unpaid({ url, close }: { url: string; close: () => void }) {
  const texts = billingTexts().change;
  return (
    <>
      <Notice kind="bad">{texts.unpaid}</Notice>
      <div class="actions">
        <a class="button primary" href={url}>
          {texts.pay}
        </a>
        <Button onClick={close}>{texts.close}</Button>
      </div>
    </>
  );
}

const teamOf = (team: string | undefined) => (team === undefined ? {} : { team });
