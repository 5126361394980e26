const heartbeatMs = 1000
const lastRowId = 0x7fffffff

/** Writes an empty Flight row each second: a slow server is no lost connection. @returns its end */
export function startHeartbeat(write: (row: string) => void): () => void {
  let id = lastRowId
  const timer = setInterval(() => write(`${(id--).toString(16)}:0\n`), heartbeatMs)
  return () => clearInterval(timer)
}

// The ids count down, enough for hours. One chunk may hold several rows.
const heartbeats = /^(?:7ff[\da-f]{5}:0\n)+$/
const rowBytes = 11

export function isHeartbeat(chunk: Uint8Array): boolean {
  return chunk.length % rowBytes === 0 && heartbeats.test(new TextDecoder().decode(chunk))
}
