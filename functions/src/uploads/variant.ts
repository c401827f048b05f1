import type { Dimensions } from './dimensions.ts';

/** A smaller copy of a picture. */
export interface Variant extends Dimensions {
  /** Of the object in the bucket. */
  path: string;
  url: string;
  /** Bytes. */
  size: number;
}
