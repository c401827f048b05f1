import { unpackChromium } from '@hearth/testing/chromium';

/** Unpacks the browser once, before two files of tests launch it at the same time. */
export default unpackChromium;
