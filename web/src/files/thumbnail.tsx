import { useState } from 'preact/hooks';
import type { FileDocument } from './queries.ts';
import { filesTexts } from './texts.ts';

/** Larger pictures without a smaller copy are not loaded for a thumbnail. */
const SMALL_BYTES = 200_000;

/** A small picture of a file, or its extension. */
export function Thumbnail({ file }: { file: FileDocument }) {
  const picture = pictureOf(file);
  const [isBroken, setBroken] = useState(false);
  if (picture === undefined || isBroken) {
    return (
      <span class="thumbnail" aria-hidden="true">
        {/\.([^.]+)$/.exec(file.name)?.[1]?.toUpperCase() ?? filesTexts().row.noExtension}
      </span>
    );
  }
  return (
    <img
      class="thumbnail"
      src={picture}
      alt=""
      width="44"
      height="44"
      loading="lazy"
      referrerpolicy="no-referrer"
      onError={() => {
        setBroken(true);
      }}
    />
  );
}

/** The smallest copy of a picture. */
export function pictureOf({ contentType, size, url, variants }: FileDocument): string | undefined {
  if (!contentType.startsWith('image/')) return undefined;
  const [smallest] = variants.toSorted((one, other) => one.width - other.width);
  return smallest?.url ?? (size <= SMALL_BYTES ? (url ?? undefined) : undefined);
}
