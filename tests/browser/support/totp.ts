import { createHmac, randomBytes } from 'node:crypto';
import type { BrowserContext, Route } from 'playwright-core';
import { inject } from 'vitest';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const PERIOD_MS = 30_000;

/** The code that an authenticator app shows. https://datatracker.ietf.org/doc/html/rfc6238 */
export function codeAt(secret: string, at = Date.now()): string {
  const bits = Array.from(secret, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / PERIOD_MS)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

interface AuthRequest {
  idToken?: string;
  mfaPendingCredential?: string;
  mfaEnrollmentId?: string;
  displayName?: string;
  totpVerificationInfo?: { verificationCode: string };
}

/** A phone number that the Auth emulator accepts. */
const PHONE = '+15555550100';

/**
 * Adds authenticator apps to the Auth emulator, which has text messages as its only second factor: in its place a
 * request with the right code of an app enters the code of a message.
 */
export async function addAuthenticators(context: BrowserContext): Promise<void> {
  const secret = [...randomBytes(32)].map((byte) => ALPHABET[byte & 31]).join('');

  await context.route(/:(lookup|signInWithPassword)\?/, async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replaceAll(/"phoneInfo": ?"[^"]*"/g, '"totpInfo":{}');
    await route.fulfill({ response, body: text });
  });
  await context.route(/mfaEnrollment:start\?/, (route) =>
    answer(route, 200, {
      totpSessionInfo: {
        sharedSecretKey: secret,
        verificationCodeLength: 6,
        hashingAlgorithm: 'SHA1',
        periodSec: PERIOD_MS / 1000,
        sessionInfo: 'session',
        finalizeEnrollmentTime: new Date(Date.now() + 300_000).toISOString(),
      },
    }),
  );
  for (const method of ['mfaEnrollment', 'mfaSignIn']) {
    await context.route(new RegExp(`${method}:finalize\\?`), async (route) => {
      const request = route.request().postDataJSON() as AuthRequest;
      // The code of the period before counts as well, because a test may run across the end of a period.
      const good = [codeAt(secret), codeAt(secret, Date.now() - PERIOD_MS)];
      if (!good.includes(request.totpVerificationInfo?.verificationCode ?? '')) {
        return answer(route, 400, { error: { code: 400, message: 'INVALID_CODE' } });
      }
      return answer(route, 200, await enterMessageCode(method, request));
    });
  }
}

/** Asks the emulator for a message and enters its code. */
async function enterMessageCode(method: string, request: AuthRequest): Promise<object> {
  const { idToken, mfaPendingCredential, mfaEnrollmentId, displayName } = request;
  const isSignIn = method === 'mfaSignIn';
  const info = { phoneNumber: PHONE, recaptchaToken: 'human' };
  const begun = await askAuth(`v2/accounts/${method}:start`, {
    ...(isSignIn
      ? { mfaPendingCredential, mfaEnrollmentId, phoneSignInInfo: info }
      : { idToken, phoneEnrollmentInfo: info }),
  });
  const { sessionInfo } = (begun['phoneResponseInfo'] ?? begun['phoneSessionInfo']) as {
    sessionInfo: string;
  };
  const { urls, projectId } = inject('stack');
  const response = await fetch(`${urls.auth}/emulator/v1/projects/${projectId}/verificationCodes`);
  const { verificationCodes } = (await response.json()) as {
    verificationCodes: { sessionInfo: string; code: string }[];
  };
  const code = verificationCodes.find((sent) => sent.sessionInfo === sessionInfo)?.code;
  const phoneVerificationInfo = { sessionInfo, code, phoneNumber: PHONE };
  return askAuth(`v2/accounts/${method}:finalize`, {
    ...(isSignIn ? { mfaPendingCredential } : { idToken, displayName }),
    phoneVerificationInfo,
  });
}

async function askAuth(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(
    `${inject('stack').urls.auth}/identitytoolkit.googleapis.com/${path}?key=test`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    },
  );
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

const answer = (route: Route, status: number, json: object) =>
  route.fulfill({ status, json, headers: { 'Access-Control-Allow-Origin': '*' } });
