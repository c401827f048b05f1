import { accountTexts } from './texts.ts';

/** The rows of a QR code; true is dark. */
export type Modules = readonly (readonly boolean[])[];

/**
 * A QR code as part of the page, because the security policy allows no `data:` pictures. Always dark on light, for
 * cameras.
 */
export function QrCode({ modules }: { modules: Modules }) {
  const dark = modules.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      class="qr-code"
      role="img"
      aria-label={accountTexts().secondFactor.qrCode}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
