import { acceptedExtensions } from '@hearth/shared/file-kinds';
import type { RefObject } from 'preact';
import { useId, useState } from 'preact/hooks';
import { filesTexts } from './texts.ts';

/** The files that the file dialog offers. The backend validates the bytes. */
export const ACCEPTED_FILES = acceptedExtensions({ uploadMedia: false })
  .map((extension) => `.${extension}`)
  .join(',');

/** Extensions that the backend accepts under no settings are refused before the file is sent. */
const KNOWN: readonly string[] = acceptedExtensions({ uploadMedia: true });

/** The reason for which the backend would refuse a file by its name; undefined if there is none. */
export function problemOf(name: string): string | undefined {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (KNOWN.includes(extension)) return undefined;
  return filesTexts().dropzone.unknownType;
}

interface DropzoneProps {
  input: RefObject<HTMLInputElement | null>;
  onFiles: (files: FileList | null | undefined) => void;
}

/** Takes files that are dropped or chosen. */
export function Dropzone({ input, onFiles }: DropzoneProps) {
  const [isOver, setOver] = useState(false);
  const id = useId();
  const texts = filesTexts().dropzone;
  return (
    <div
      class={`dropzone${isOver ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => {
        setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles(event.dataTransfer?.files);
      }}
    >
      <label for={id}>{texts.label}</label>
      <input
        ref={input}
        id={id}
        type="file"
        multiple
        accept={ACCEPTED_FILES}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          onFiles(currentTarget.files);
          currentTarget.value = '';
        }}
      />
      <p class="hint" id={`${id}-hint`}>
        {texts.hint}
      </p>
    </div>
  );
}
