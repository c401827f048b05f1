import { deflateSync, crc32 } from 'node:zlib';

/** A real picture of one color. */
export function png(width = 8, height = 8): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + width * 3), 0x7f);
  for (let row = 0; row < height; row++) rows[row * (1 + width * 3)] = 0;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A picture padded with a comment to exactly this many bytes. */
export function pngOfSize(bytes: number): Buffer {
  const base = png();
  const end = base.length - 12;
  const padding = pngChunk('tEXt', Buffer.alloc(bytes - base.length - 12, 0x20));
  return Buffer.concat([base.subarray(0, end), padding, base.subarray(end)]);
}

/** A form as a browser sends it. */
export function formWith(bytes: Buffer | string, name: string, type = '', field = 'file'): FormData {
  const form = new FormData();
  form.append(field, new File([new Uint8Array(Buffer.from(bytes))], name, { type }));
  return form;
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
