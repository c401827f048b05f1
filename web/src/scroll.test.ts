import { expect, it, onTestFinished, vi } from 'vitest';
import { rememberScrolling } from './scroll.ts';

it('a browser that stores nothing shows the page', () => {
  const events = new EventTarget();
  const blocked = {
    get sessionStorage(): never {
      throw new DOMException('Access is denied for this document', 'SecurityError');
    },
  };
  vi.stubGlobal('history', { state: { key: 'a' } });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('document', {});
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  Object.defineProperty(globalThis, 'sessionStorage', {
    ...Object.getOwnPropertyDescriptor(blocked, 'sessionStorage'),
    configurable: true,
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(globalThis, 'sessionStorage');
  });
  rememberScrolling();
  expect(() => events.dispatchEvent(new Event('pagehide'))).not.toThrow();
});
