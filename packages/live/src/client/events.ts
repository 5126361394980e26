/** Reads the data of each server-sent event; empty text for a heartbeat. */
export async function* readEvents(response: Response): AsyncGenerator<string> {
  const reader = response.body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const parts = (rest + decoder.decode(next.value, { stream: true })).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) yield part.startsWith('data: ') ? part.slice(6) : ''
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
