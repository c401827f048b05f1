import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useProfile } from '../account/profile.ts';
import { signOut, useSignedIn, type SignedIn } from '../backend/session.ts';
import { valueOf } from '../backend/source.ts';
import { useChoice } from '../team/choice.ts';
import { useAction } from './action.ts';
import { Button } from './button.tsx';
import { Options } from './form.tsx';
import { Message } from './message.tsx';

/** The choice of a team and the menu of the user. Nothing until the user is known. */
export function AccountMenu() {
  const person = valueOf(useSignedIn());
  if (person === undefined) return null;
  return (
    <div class="account">
      <TeamSwitcher person={person} />
      <UserMenu person={person} />
    </div>
  );
}

/** Chooses the subject of all pages: the user or a team. */
function TeamSwitcher({ person }: { person: SignedIn }) {
  const choice = useChoice(person);
  if (choice === undefined || choice.subjects.length < 2) return null;
  const { subjects, chosen, choose } = choice;
  return (
    <select
      class="switcher"
      aria-label="Team"
      value={chosen.id}
      onChange={({ currentTarget }) => {
        choose(currentTarget.value);
      }}
    >
      <Options options={subjects.map(({ id, name }) => [id, name])} />
    </select>
  );
}

function UserMenu({ person: { session } }: { person: SignedIn }) {
  const { user } = session;
  const profile = valueOf(useProfile(user.uid));
  const menu = useRef<HTMLDivElement>(null);
  const { busy, outcome, run } = useAction();
  const name = profile?.displayName ?? user.displayName ?? user.email ?? 'Your account';
  return (
    <>
      <button type="button" class="avatar" popovertarget="user-menu">
        <Picture url={profile?.photoURL ?? user.photoURL} name={name} />
        <span class="visually-hidden">Menu of {name}</span>
      </button>
      <div id="user-menu" class="menu" popover="auto" ref={menu}>
        <p>
          <strong class="wrap">{name}</strong>
          {name !== user.email && <span class="muted small wrap">{user.email}</span>}
        </p>
        <a
          href="/account"
          onClick={() => {
            menu.current?.hidePopover();
          }}
        >
          Account settings
        </a>
        <Button kind="link" busy={busy} onClick={() => void run(() => signOut({ everywhere: false }))}>
          Sign out
        </Button>
        <Message outcome={outcome} />
      </div>
    </>
  );
}

/** Addresses of pictures that cannot be shown, such as one that the security policy does not allow. */
const broken = signal<ReadonlySet<string>>(new Set());

function Picture({ url, name }: { url: string | null; name: string }) {
  if (url === null || broken.value.has(url)) return <span aria-hidden="true">{initialOf(name)}</span>;
  return (
    <img
      src={url}
      alt=""
      width="36"
      height="36"
      referrerpolicy="no-referrer"
      onError={() => {
        broken.value = new Set([...broken.peek(), url]);
      }}
    />
  );
}

/** The first letter or picture of a name. */
function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name);
  return first?.segment.toUpperCase() ?? '';
}
