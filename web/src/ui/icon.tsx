import type { IconNode } from 'lucide';
import { h } from 'preact';

/** An icon of the set, in the color of the text around it. Screen readers skip it. */
export function Icon({ icon, size = 24 }: { icon: IconNode; size?: number }) {
  return (
    <svg
      class="icon"
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      {icon.map(([tag, attributes]) => h(tag, { ...attributes, key: JSON.stringify(attributes) }))}
    </svg>
  );
}
