import brandJson from '../brand.json' with { type: 'json' };

/** The name and look of the app, in its mail, on its pages and in its API document. Edit `shared/brand.json`. */
export interface Brand {
  /** The name of the product. */
  name: string;
  /** One sentence about the product, for search engines and in the API document. */
  description: string | null;
  /** The color of buttons and links as `#rrggbb`. It must be readable on a card. `palette.ts` derives other colors. */
  accent: { light: string; dark: string };
  /**
   * URL of a picture that mail and pages show instead of the name. The picture is at least 80 pixels high. Its height
   * is 40 pixels in mail and 28 pixels on pages. The `Content-Security-Policy` in firebase.json must allow the origin
   * of the URL for pictures.
   */
  logoUrl: string | null;
  /** A page, or `mailto:` with an address. */
  supportUrl: string | null;
  termsUrl: string | null;
  privacyUrl: string | null;
  /** The postal address of the sender in one line, at the end of each mail. Some countries require it. */
  postalAddress: string | null;
}

export const BRAND: Brand = brandJson;
