import { expect, test } from 'vitest';
import { taskWindow } from './task-window.ts';

const at = (time: string) => new Date(`2026-01-31T${time}Z`);

test('changes of a topic in one window have one task, which runs after the window', () => {
  const first = taskWindow('team', 60, at('12:00:00.000'));
  expect(first?.scheduleTime).toEqual(at('12:01:05.000'));
  expect(taskWindow('team', 60, at('12:00:59.999'))).toEqual(first);
  expect(taskWindow('team', 60, at('12:01:00.000'))?.scheduleTime).toEqual(at('12:02:05.000'));
});

test('each topic, window and length has an id of its own, which Cloud Tasks accepts', () => {
  const ids = [
    taskWindow('team', 60, at('12:00:30')),
    taskWindow('team/ä', 60, at('12:00:30')),
    taskWindow('team', 60, at('12:01:30')),
    taskWindow('team', 3_600, at('12:00:30')),
  ].map((window) => window?.id ?? '');
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,500}$/);
});

test('without a window each change has a task of its own', () => {
  expect(taskWindow('team', 0, at('12:00:00'))).toBeUndefined();
});
