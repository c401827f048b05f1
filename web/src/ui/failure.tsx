import { useEffect } from 'preact/hooks';
import { messageOf } from '../errors.ts';
import { Button } from './button.tsx';

/** Says that a page cannot be shown, and offers the one thing that helps. */
export function Failure({ error }: { error: unknown }) {
  useEffect(() => {
    console.error(error);
  }, [error]);
  return (
    <div class="narrow hero" role="alert">
      <h1>This page cannot be shown</h1>
      <p class="lead">{messageOf(error)}</p>
      <Button
        kind="primary"
        onClick={() => {
          location.reload();
        }}
      >
        Try again
      </Button>
    </div>
  );
}
