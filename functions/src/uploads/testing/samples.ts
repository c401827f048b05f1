import { crc32, deflateRawSync } from 'node:zlib';
import { media } from './media.ts';

const base64 = (text: string): Buffer => Buffer.from(text, 'base64');

/** One pixel. */
const png = base64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
);

/** One pixel. */
const jpeg = base64(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
);

/** One pixel. */
const gif = base64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7');

/** One pixel. */
const webp = base64('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=');

const pdf = Buffer.from(
  `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 3 3]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`,
);

const txt = Buffer.from('Grüße aus Köln — 日本語 🎉\r\nsecond\tline\n');

const MAIN_PART = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** The part of an Office file that names its kind. */
export function contentTypes(mainPart: string, padding = 0): ZipEntry {
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${mainPart}"/></Types>`;
  return { name: '[Content_Types].xml', bytes: Buffer.from(' '.repeat(padding) + xml) };
}

const wordDocument: ZipEntry = {
  name: 'word/document.xml',
  bytes: Buffer.from('<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>'),
};

/** A small genuine file of every accepted kind. */
export const samples = {
  png,
  jpeg,
  gif,
  webp,
  pdf,
  txt,
  docx: zip([contentTypes(MAIN_PART), wordDocument]),
  doc: ole('WordDocument'),
  ...media,
};

/** Files of other kinds, some of which look like an accepted one. */
export const impostors = {
  xls: ole('Workbook'),
  xlsx: zip([
    contentTypes('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'),
    { name: 'xl/workbook.xml', bytes: Buffer.from('<workbook/>') },
  ]),
  docm: zip([
    contentTypes('application/vnd.ms-word.document.macroEnabled.main+xml'),
    wordDocument,
    { name: 'word/vbaProject.bin', bytes: Buffer.from('macro') },
  ]),
  bareZip: zip([{ name: 'a.txt', bytes: Buffer.from('a') }]),
  emptyZip: zip([]),
  html: Buffer.from('<!doctype html><script>alert(1)</script>'),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  xmlSvg: Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  /** A GIF that is also a script: its width spells the start of a comment. */
  gifScript: Buffer.concat([Buffer.from('GIF89a/*'), gif.subarray(8), Buffer.from('*/=alert(1);')]),
  /** The header object of an ASF file, followed by an object of length zero (CVE-2026-31808). */
  asfLoop: Buffer.concat([
    base64('MCaydY5mzxGm2QCqAGLObA=='),
    Buffer.from(
      '0a0000000000000002000000010200000000000000000000000000000000000000000000000000000000',
      'hex',
    ),
    Buffer.alloc(4096),
  ]),
};

export interface ZipEntry {
  name: string;
  bytes: Buffer;
  compressed?: boolean;
}

/** https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, without timestamps and extras. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, compressed = true } of entries) {
    const data = compressed ? deflateRawSync(bytes) : bytes;
    // Version, flags, method, time, date, checksum, sizes, lengths of name and extra.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(compressed ? 8 : 0, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const where = Buffer.alloc(14);
    where.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), data]);
    locals.push(local);
    central.push(Buffer.from('PK\x01\x02\x14\x00'), common, where, Buffer.from(name));
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/**
 * An OLE compound file with one stream beside the root, as Word, Excel and installers write them.
 * https://learn.microsoft.com/openspecs/windows_protocols/ms-cfb
 */
export function ole(stream: string): Buffer {
  const header = Buffer.alloc(512);
  header.set(base64('0M8R4KGxGuE='));
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(1, 44);
  header.writeUInt32LE(1, 48);
  header.writeUInt32LE(4096, 56);
  header.fill(0xff, 60, 64);
  header.fill(0xff, 68, 72);
  header.fill(0xff, 80);
  header.writeUInt32LE(0, 76);
  const allocation = Buffer.alloc(512, 0xff);
  allocation.writeUInt32LE(0xfffffffd, 0);
  allocation.writeUInt32LE(0xfffffffe, 4);
  const directory = Buffer.alloc(512);
  for (const [index, name] of ['Root Entry', stream].entries()) {
    directory.write(name, index * 128, 'utf16le');
    directory.writeUInt16LE(2 * (name.length + 1), index * 128 + 64);
    directory.writeUInt8(index === 0 ? 5 : 2, index * 128 + 66);
  }
  return Buffer.concat([header, allocation, directory]);
}
