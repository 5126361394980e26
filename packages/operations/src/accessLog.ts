import type { FinishedRequest } from 'waymark/plugin/node'

// Maximum number of unread bytes, which limits memory use if the log's reader stops.
const maxUnreadBytes = 1_000_000

export function createAccessLog(
  stream: { write(text: string): unknown; readonly writableLength: number },
  now: () => number = Date.now,
): (request: FinishedRequest) => void {
  let dropped = 0
  return ({ durationMs, phases, isCut, ...request }) => {
    if (stream.writableLength > maxUnreadBytes) {
      dropped++
      return
    }
    const line = {
      time: new Date(now()).toISOString(),
      ...request,
      ms: tenths(durationMs),
      phases: Object.fromEntries(Object.entries(phases).map(([name, ms]) => [name, tenths(ms)])),
      ...(isCut && { cut: true }),
      ...(dropped > 0 && { droppedLines: dropped }),
    }
    dropped = 0
    stream.write(`${JSON.stringify(line)}\n`)
  }
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}
