import { HearthError } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { leave } from '../backend/session.ts';
import { UserFacingError } from '../errors.ts';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';

/** The end of an account, and what stands in its way. */
export function DeleteAccount() {
  return (
    <Card title="Delete account">
      <p class="muted">You leave your teams, your subscription ends, and your files are removed.</p>
      <div class="actions">
        <Confirm
          label="Delete my account"
          title="Delete your account?"
          confirm="Delete everything"
          onConfirm={deleteAccount}
        >
          This cannot be undone.
        </Confirm>
      </div>
    </Card>
  );
}

async function deleteAccount(): Promise<void> {
  try {
    await hearth.account.delete();
  } catch (error) {
    if (error instanceof HearthError && error.code === 'recent_sign_in_required') {
      throw new UserFacingError(
        'For your safety: sign out, sign in again and delete the account within 5 minutes.',
      );
    }
    throw error;
  }
  await leave();
}
