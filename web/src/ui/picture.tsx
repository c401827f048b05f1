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

/** The first letter or picture of a name. */
function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name);
  return first?.segment.toUpperCase() ?? '';
}
