const latin1 = (...parts: string[]): Buffer => Buffer.from(parts.join(''), 'latin1');

/** An ISO base media file: one box with its brand and one with data. */
const isoMedia = (brand: string): Buffer =>
  latin1('\0\0\0\x18ftyp', brand, '\0\0\x02\0', brand, 'mp41', '\0\0\0\x10mdat', '\0'.repeat(8));

/** One page of an Ogg stream whose first packet is `head`. */
const ogg = (head: string): Buffer =>
  latin1('OggS\0\x02', '\0'.repeat(20), '\x01', String.fromCharCode(head.length), head);

/** The beginnings of real media files, long enough to recognize their kinds. */
export const media = {
  mp4: isoMedia('isom'),
  webm: latin1(
    '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08',
    '\x42\x82\x84webm\x42\x87\x81\x04\x42\x85\x81\x02',
    '\x18\x53\x80\x67\x01',
    '\xff'.repeat(7),
  ),
  mov: isoMedia('qt  '),
  mp3: Buffer.concat([latin1('ID3\x03\0\0\0\0\0\0'), latin1('\xff\xfb\x90\x64'), Buffer.alloc(413)]),
  wav: latin1(
    'RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data',
    '\0\0\0\0',
  ),
  ogg: ogg('OpusHead\x01\x01\0\0\x80\xbb\0\0\0\0\0'),
  m4a: isoMedia('M4A '),
};
