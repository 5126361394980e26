const unitsMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** `30s`, `15m`, `1h`, `7d`. @returns milliseconds; `null` for other texts */
export function parseDuration(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,6}(?:\.\d+)?)\s*([smhd])$/.exec(text) ?? []
  return count === undefined ? null : Number(count) * (unitsMs[unit] ?? 0)
}

/** Formats with the largest unit: `3 h`. */
export function formatDuration(ms: number): string {
  const [unit, unitMs] = Object.entries(unitsMs)
    .reverse()
    .find(([, each]) => ms >= each) ?? ['s', 1_000]
  return `${Math.floor(Math.max(0, ms) / unitMs)} ${unit === 'm' ? 'min' : unit}`
}
