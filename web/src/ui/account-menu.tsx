import { useEffect, useRef, useState } from 'preact/hooks';
import { useProfile } from '../account/profile.ts';
import { signOut, useSignedIn, type SignedIn } from '../backend/session.ts';
import { valueOf } from '../backend/source.ts';
import { useChoice } from '../team/choice.ts';
import { useAction } from './action.ts';
import { Button } from './button.tsx';
import { Options } from './form.tsx';
import { Message } from './message.tsx';
import { Picture } from './picture.tsx';
import { uiTexts } from './texts.ts';

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
      aria-label={uiTexts().team}
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
  const { button, menu, close } = useMenu();
  const { busy, outcome, run } = useAction();
  const name = profile?.displayName ?? user.displayName ?? user.email ?? uiTexts().ownMenu;
  return (
    <>
      <button type="button" class="avatar" {...button}>
        <Picture url={profile === undefined ? user.photoURL : profile.photoURL} name={name} />
        <span class="visually-hidden">{uiTexts().menuOf(name)}</span>
      </button>
      <div class="menu" {...menu}>
        <p>
          <strong class="wrap">{name}</strong>
          {name !== user.email && <span class="muted small wrap">{user.email}</span>}
        </p>
        <a href="/account" onClick={close}>
          {uiTexts().accountSettings}
        </a>
        <Button kind="link" busy={busy} onClick={() => void run(() => signOut({ everywhere: false }))}>
          {uiTexts().signOut}
        </Button>
        <Message outcome={outcome} />
      </div>
    </>
  );
}

/** The attributes of the button and of its menu. In browsers without popovers, such as Safari 16, it uses a state. */
function useMenu() {
  const [isOpen, setOpen] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const id = 'user-menu';
  useEffect(() => (isOpen ? onDismissal(element.current, setOpen) : undefined), [isOpen]);
  if ('popover' in HTMLElement.prototype) {
    return {
      button: { popovertarget: id },
      menu: { id, popover: 'auto', ref: element } as const,
      close: () => {
        // eslint-disable-next-line no-restricted-properties -- The browser has popovers.
        element.current?.hidePopover();
      },
    };
  }
  return {
    button: {
      'aria-expanded': isOpen,
      'aria-controls': id,
      onClick: () => {
        setOpen(!isOpen);
      },
    },
    menu: { id, hidden: !isOpen, ref: element },
    close: () => {
      setOpen(false);
    },
  };
}

/** Closes the menu as a popover does: by Escape, and by a click outside of it. */
function onDismissal(menu: HTMLElement | null, setOpen: (isOpen: false) => void): () => void {
  const closingKey = 'Escape';
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === closingKey) setOpen(false);
  };
  const onClick = ({ target }: MouseEvent) => {
    // The button changes the state itself.
    const isButton = target instanceof Element && target.closest('[aria-controls="user-menu"]') !== null;
    if (!isButton && target instanceof Node && menu?.contains(target) !== true) setOpen(false);
  };
  document.addEventListener('keydown', onKey);
  document.addEventListener('click', onClick);
  return () => {
    document.removeEventListener('keydown', onKey);
    document.removeEventListener('click', onClick);
  };
}
