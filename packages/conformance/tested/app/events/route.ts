import { stream } from '@waymark/live/stream'

export const GET = stream(async function* (_request, { signal }) {
  yield { data: 'first' }
  await pause(1_500, signal)
  yield { data: 'second' }
  await pause(600_000, signal)
})

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
