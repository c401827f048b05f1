import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { messageOf } from '../errors.ts';
import type { Outcome } from './action.ts';
import { Button } from './button.tsx';
import { uiTexts } from './texts.ts';

/** Links that are shown below the message of a refusal, by its code. */
export type Hints = Readonly<Record<string, ComponentChildren>>;

interface MessageProps {
  outcome: Outcome | undefined;
  hints?: Hints | undefined;
}

/**
 * The region where messages appear. It is on the page before them, because screen readers announce only changes of a
 * region.
 */
export function Message({ outcome, hints }: MessageProps) {
  return (
    <div class="form-message" aria-live="polite">
      {outcome !== undefined && <Notice kind={outcome.kind}>{outcome.text}</Notice>}
      {outcome?.code !== undefined && hints?.[outcome.code]}
    </div>
  );
}

/** A message in a box. */
export function Notice({
  kind = 'plain',
  children,
}: {
  kind?: 'good' | 'bad' | 'plain';
  children: ComponentChildren;
}) {
  return <p class={`notice ${kind}`}>{children}</p>;
}

/** Shown instead of live data whose listener has failed. The button listens again. */
export function Unreadable({ what, retry }: { what: string; retry: () => void }) {
  return (
    <div role="alert">
      <Notice kind="bad">{uiTexts().unreadable(what)}</Notice>
      <Button onClick={retry}>{uiTexts().tryAgain}</Button>
    </div>
  );
}

/** Shown while data is loading. */
export function Loading({ what = '' }: { what?: string }) {
  return (
    <div class="loading" role="status">
      <p class="small">{uiTexts().loading(what)}</p>
      <div class="skeleton" />
      <div class="skeleton" />
      <div class="skeleton" />
    </div>
  );
}

/** Says that a page cannot be shown, and offers to try again. */
export function Failure({ error }: { error: unknown }) {
  useEffect(() => {
    console.error(error);
  }, [error]);
  return (
    <div class="narrow hero" role="alert">
      <h1>{uiTexts().cannotBeShown}</h1>
      <p class="lead">{messageOf(error)}</p>
      <Button
        kind="primary"
        onClick={() => {
          location.reload();
        }}
      >
        {uiTexts().tryAgain}
      </Button>
    </div>
  );
}
