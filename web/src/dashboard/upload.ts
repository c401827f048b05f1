import { uploadFile } from '../api.ts';
import { h } from '../dom.ts';
import { UserFacingError } from '../errors.ts';
import { field, form } from '../form.ts';
import { card } from '../layout.ts';
import { copyField } from './copy-field.ts';
import { ACCEPTED_FILES } from './file-kinds.ts';

export function uploadCard(): HTMLElement {
  const uploaded = h('div', { class: 'stack' });
  const progress = h('progress', { 'aria-label': 'Uploading', hidden: true });
  const upload = form({
    fields: [
      field(
        'File',
        'file',
        { type: 'file', required: true, accept: ACCEPTED_FILES },
        'Images, PDF, Word or plain text. Whoever has the link can open the file.',
      ),
      progress,
    ],
    submit: 'Upload',
    onSubmit: async (data) => {
      const file = data.get('file');
      if (!(file instanceof File) || file.name === '') throw new UserFacingError('Choose a file first.');
      progress.hidden = false;
      try {
        const { name, url } = await uploadFile(file);
        const link = h('a', { href: url, target: '_blank', rel: 'noopener', class: 'wrap' }, name);
        uploaded.prepend(copyField(name, url, link));
        upload.reset();
        return `${name} is uploaded.`;
      } finally {
        progress.hidden = true;
      }
    },
  });
  return card('Upload a file', upload, uploaded);
}
