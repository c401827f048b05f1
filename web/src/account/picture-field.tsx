import { useRef } from 'preact/hooks';
import { forgetSignedIn } from '../backend/session.ts';
import { useAction } from '../ui/action.ts';
import { Button } from '../ui/button.tsx';
import { Message } from '../ui/message.tsx';
import { Picture } from '../ui/picture.tsx';
import { removePicture, setPicture } from './picture.ts';
import { accountTexts } from './texts.ts';

/** The picture of the profile, with buttons that replace and remove it. */
export function PictureField({ url, name }: { url: string | null; name: string }) {
  const input = useRef<HTMLInputElement>(null);
  const { busy, outcome, run } = useAction();
  const texts = accountTexts().picture;
  const choose = async (file: File) => {
    await setPicture(file, url);
    forgetSignedIn();
    return texts.changed;
  };
  const remove = async () => {
    await removePicture(url);
    forgetSignedIn();
    return texts.removed;
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
            {url === null ? texts.add : texts.change}
          </Button>
          {url !== null && (
            <Button kind="danger-link" busy={busy} onClick={() => void run(remove)}>
              {texts.remove}
            </Button>
          )}
        </div>
      </div>
      <Message outcome={outcome} />
    </div>
  );
}
