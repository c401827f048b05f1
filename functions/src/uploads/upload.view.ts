import * as z from 'zod';

export const uploadView = z
  .strictObject({
    name: z.string(),
    contentType: z.string(),
    url: z.url(),
    size: z.int().describe('Bytes.'),
  })
  .meta({ id: 'StoredFile' });

export type UploadView = z.output<typeof uploadView>;
