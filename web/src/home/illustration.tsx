/** A fire with a team around it. Colors follow the style of the page. */
export function Illustration() {
  return (
    <svg class="illustration" viewBox="0 0 480 400" aria-hidden="true">
      <circle class="glow-3" cx="240" cy="210" r="180" />
      <circle class="glow-2" cx="240" cy="210" r="130" />
      <circle class="glow-1" cx="240" cy="210" r="82" />
      <path
        class="flame"
        d="M240 118c8 40 54 54 54 104a54 54 0 0 1-108 0c0-24 12-35 24-51 2 16 8 24 17 28-2-33 1-57 13-81Z"
      />
      <path class="ember" d="M241 204c5 16 24 22 24 41a25 25 0 0 1-50 0c0-17 21-23 26-41Z" />
      <path class="log" d="M176 292l128-22M176 270l128 22" />
      <Seat x={72} y={126} label={[54, 34]} />
      <Seat x={408} y={126} label={[34, 54]} />
      <Seat x={60} y={270} label={[34, 48]} />
      <Seat x={420} y={270} label={[54, 28]} />
      <g class="note">
        <rect x="164" y="338" width="152" height="40" rx="20" />
        <path class="tick" d="M186 358l7 7 13-14" />
        <rect class="line" x="220" y="354" width="76" height="8" rx="4" />
      </g>
    </svg>
  );
}

/** A member: a head, shoulders, and the lines of a name. */
function Seat({ x, y, label: [first, second] }: { x: number; y: number; label: [number, number] }) {
  return (
    <g class="seat" transform={`translate(${x} ${y})`}>
      <circle class="disc" r="34" />
      <circle class="person" cy="-8" r="10" />
      <path class="person" d="M-18 20a18 15 0 0 1 36 0Z" />
      <rect class="line" x={-first / 2} y="44" width={first} height="7" rx="3.5" />
      <rect class="line" x={-second / 2} y="57" width={second} height="7" rx="3.5" />
    </g>
  );
}
