import { acceptedExtensions } from '@hearth/shared/file-kinds';

/** The files that the file dialog offers. The backend validates what is sent, by its bytes. */
export const ACCEPTED_FILES = acceptedExtensions({ uploadMedia: false })
  .map((extension) => `.${extension}`)
  .join(',');
