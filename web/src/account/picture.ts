import { HearthError } from '@hearth/client';
import { hearth } from '../backend/hearth.ts';
import { UserFacingError } from '../errors.ts';
import { accountTexts } from './texts.ts';

/** Width and height of a profile picture in pixels. */
const SIDE = 256;

/** The name of the files that `setPicture` stores. */
const NAME = 'profile-picture';

/**
 * Stores a small copy of a picture as a public file of the user, and shows it in their profile. The file of the picture
 * before is deleted.
 *
 * @param before the URL that the profile has
 * @throws UserFacingError if the file is not a picture
 */
export async function setPicture(file: Blob, before: string | null): Promise<void> {
  const { url } = await hearth.uploads.send(await squareOf(file));
  await hearth.account.change({ photoURL: url });
  await deletePicture(before);
}

/** Removes the picture from the profile, and its file. */
export async function removePicture(before: string | null): Promise<void> {
  await hearth.account.change({ photoURL: null });
  await deletePicture(before);
}

/** Deletes the file of a picture, if `setPicture` stored it. Files with other names may have other uses. */
async function deletePicture(url: string | null): Promise<void> {
  const id = pictureIdOf(url);
  if (id === undefined) return;
  try {
    await hearth.uploads.delete(id);
  } catch (error) {
    if (!(error instanceof HearthError && error.code === 'upload_not_found')) throw error;
  }
}

/** The id of the upload to which a URL belongs; undefined unless `setPicture` stored it. */
export function pictureIdOf(url: string | null): string | undefined {
  if (url === null) return undefined;
  return new RegExp(`%2F([A-Za-z0-9]{20,64})%2F${NAME}-\\d+\\.(?:webp|png)\\?`).exec(url)?.[1];
}

/** The middle of a picture as a small square. It has no metadata, such as the place where the picture was taken. */
async function squareOf(file: Blob): Promise<File> {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new UserFacingError(accountTexts().picture.noPicture);
  });
  const { width, height } = bitmap;
  const cut = Math.min(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = Math.min(SIDE, cut);
  canvas
    .getContext('2d')
    ?.drawImage(bitmap, (width - cut) / 2, (height - cut) / 2, cut, cut, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  // A browser that cannot write WebP writes PNG.
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/webp', 0.9);
  });
  if (blob === null) throw new UserFacingError(accountTexts().picture.unreadable);
  const extension = blob.type === 'image/webp' ? 'webp' : 'png';
  return new File([blob], `${NAME}.${extension}`, { type: blob.type });
}
