interface MeterProps {
  name: string;
  used: number;
  limit: number;
  /** The values in words. */
  text: string;
}

/** The used part of a limit. */
export function Meter({ name, used, limit, text }: MeterProps) {
  return (
    <div>
      <p class="muted small">{name}</p>
      <p class="figure">{text}</p>
      <meter aria-label={name} min={0} max={limit} high={limit * 0.9} value={Math.min(used, limit)}>
        {text}
      </meter>
    </div>
  );
}
