import { useRef } from 'preact/hooks';
import { forgetSignedIn } from '../backend/session.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';
import { Picture } from '../ui/picture.tsx';
import { removePicture, setPicture } from './picture.ts';

/** The picture of the profile, with buttons that replace and remove it. */
export function PictureField({ url, name }: { url: string | null; name: string }) {
  const input = useRef<HTMLInputElement>(null);
  const { busy, outcome, run } = useAction();
  const choose = async (file: File) => {
    await setPicture(file, url);
    forgetSignedIn();
    return 'Your picture is changed.';
  };
  const remove = async () => {
    await removePicture(url);
    forgetSignedIn();
    return 'Your picture is removed.';
  };
  return (
    <div>
      <div class="picture-field">
        <span class="avatar large">
          <Picture url={url} name={name} size={72} />
        </span>
        <input
          ref={input}
          hidden
          type="file"
          accept="image/*"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file !== undefined) void run(() => choose(file));
            currentTarget.value = '';
          }}
        />
        <div class="actions">
          <Button busy={busy} onClick={() => input.current?.click()}>
            {url === null ? 'Add a picture' : 'Change picture'}
          </Button>
          {url !== null && (
            <Button kind="danger-link" busy={busy} onClick={() => void run(remove)}>
              Remove picture
            </Button>
          )}
        </div>
      </div>
      <Message outcome={outcome} />
    </div>
  );
}
