const heartbeatMs = 1000
const lastRowId = 0x7fffffff

/**
 * Writes a row of Flight each second, of an id that nothing refers to: the browser can tell a
 * server that is slow from a connection that is lost.
 * @returns stops it
 */
export function startHeartbeat(write: (row: string) => void): () => void {
  let id = lastRowId
  const timer = setInterval(() => write(`${(id--).toString(16)}:0\n`), heartbeatMs)
  return () => clearInterval(timer)
}

// Of hours: the ids count down. Rows may come together.
const heartbeats = /^(?:7ff[\da-f]{5}:0\n)+$/
const rowBytes = 11

/** Tells whether a chunk of Flight holds heartbeats and nothing else. */
export function isHeartbeat(chunk: Uint8Array): boolean {
  return chunk.length % rowBytes === 0 && heartbeats.test(new TextDecoder().decode(chunk))
}
