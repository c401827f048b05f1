import { signal } from '@preact/signals';

/** URLs of pictures that cannot be shown, such as one that was deleted or that the security policy does not allow. */
const broken = signal<ReadonlySet<string>>(new Set());

interface PictureProps {
  url: string | null;
  name: string;
  /** Width and height in pixels. */
  size?: number;
}

/** The picture of a person, or the first letter of their name. */
export function Picture({ url, name, size = 36 }: PictureProps) {
  if (url === null || broken.value.has(url)) return <span aria-hidden="true">{initialOf(name)}</span>;
  return (
    <img
      src={url}
      alt=""
      width={size}
      height={size}
      referrerpolicy="no-referrer"
      onError={() => {
        broken.value = new Set([...broken.peek(), url]);
      }}
    />
  );
}

/** A flag, or a character with its accents, its skin tone and all that is joined to it. */
const FIRST =
  /^(?:\p{Regional_Indicator}{2}|.(?:[\p{M}\p{Emoji_Modifier}\u{E0020}-\u{E007F}]|\u200D\p{Emoji})*)/su;

/** The first letter or emoji of a name. `Intl.Segmenter` is missing in browsers that the app supports. */
export function initialOf(name: string): string {
  return FIRST.exec(name.normalize('NFC'))?.[0].toUpperCase() ?? '';
}
