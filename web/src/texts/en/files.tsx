/** The page of files. */
export const FILES = {
  /** Names the list while it is loading or cannot be read. */
  list: 'files',

  page: {
    title: 'Files',
    own: 'Your files',
    ofTeam: (team: string) => `Files of ${team}`,
    noneOwn: 'You have no files yet. Drop one above.',
    noneOfTeam: 'The team has no files yet. Drop one above.',
    showMore: 'Show more',
    notFound: 'No file has this name.',
    notFoundAmong: (count: number) => `None of the newest ${count} files has this name.`,
  },
  order: {
    label: 'Order',
    newest: 'Newest first',
    name: 'By name',
    size: 'Largest first',
  },
  storage: {
    name: 'Storage',
    used: (used: string, limit: string) => `${used} of ${limit} used`,
  },

  upload: {
    title: 'Upload',
    private: 'Private',
    privateHint: 'Caches keep no copy, so a new link ends the old one everywhere.',
  },
  dropzone: {
    label: 'Drop files here, or choose them',
    hint: 'Images, PDF, Word or plain text. Everybody who has the link can open the file.',
    unknownType: 'Files of this type are not accepted. Send images, PDF, Word or plain text.',
  },
  sending: {
    forTeam: (team: string) => `for ${team}`,
    uploading: (file: string) => `Uploading ${file}`,
    waiting: 'Waiting for its turn',
    paused: 'Paused',
    checking: 'Being checked',
    pause: 'Pause',
    resume: 'Resume',
    cancel: 'Cancel',
    dismiss: 'Dismiss',
  },
  /** Read by screen readers. */
  announcement: {
    running: (count: number) => (count === 1 ? 'One file is being sent.' : `${count} files are being sent.`),
    failed: (file: string, problem: string) => `${file} failed: ${problem}`,
  },
  /** Reasons for which a file that goes straight to Storage is not stored. */
  problems: {
    signIn: 'Sign in again to upload.',
    byRules: 'The file is too large, its type is not accepted, or your e-mail address is not verified.',
    lost: 'The file did not arrive. Check your connection and try again.',
    refused: 'The file is refused.',
    unchecked:
      'The check of the file takes too long. If the file does not appear in the list, wait a little and send it again.',
  },
  /** Texts by the reason in the document of the upload. */
  refusals: {
    email_unverified: 'Verify your e-mail address before you upload files.',
    forbidden: 'You may not upload here.',
    payload_too_large: 'The file is larger than your plan allows.',
    quota_exceeded: 'Your storage is full. Delete files, or change your plan.',
    too_many_requests: 'You have uploaded many files. Wait a little, then try again.',
    unsupported_media_type: 'The file is not what its extension says, or its type is not accepted.',
  },

  row: {
    by: (sender: string) => `by ${sender}`,
    private: 'private',
    /** Follows “Copy link” for screen readers. */
    linkOf: (file: string) => `of ${file}`,
    /** In place of the extension, for a file without one. */
    noExtension: 'FILE',
  },
  newLink: {
    label: 'New link',
    title: (file: string) => `Replace the link of ${file}?`,
    effect: 'The old link stops working immediately, for everybody who has it.',
    confirm: 'Replace the link',
    done: (file: string) => `${file} has a new link.`,
  },
  delete: {
    label: 'Delete',
    title: (file: string) => `Delete ${file}?`,
    effect: 'Its link stops working immediately, for everybody who has it.',
    confirm: 'Delete the file',
    done: (file: string) => `${file} is deleted.`,
  },
};
