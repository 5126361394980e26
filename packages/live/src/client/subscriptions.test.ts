import { expect, test } from 'vitest'
import { writeRow } from '../shared/row.ts'
import { createSubscriptions } from './subscriptions.ts'

const rowOf = (rendering: string, reads = 'reads', sealed = 'sealed') =>
  writeRow({ rendering, reads, sealed, isStale: false })

/** Reads a payload to its end, in pieces. */
async function read(
  { readEnd }: ReturnType<typeof createSubscriptions>,
  text: string,
  pieceBytes = 1_000,
): Promise<void> {
  const bytes = new TextEncoder().encode(`0:{}\n${text}`)
  const payload = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        controller.enqueue(bytes.subarray(at, at + pieceBytes))
      }
      controller.close()
    },
  })
  await new Response(readEnd(payload)).arrayBuffer()
}

test('the row is found, wherever its payload is cut', async () => {
  for (const pieceBytes of [1, 7, 1_000]) {
    const subscriptions = createSubscriptions(() => {})
    await read(subscriptions, `1:"漢字"\n${rowOf('r1')}`, pieceBytes)
    expect(subscriptions.of('r1')?.sealed).toBe('sealed')
  }
})

test('the largest row that a server writes is found', async () => {
  const subscriptions = createSubscriptions(() => {})
  await read(subscriptions, rowOf('r1', 'reads', 'x'.repeat(20_000)))
  expect(subscriptions.of('r1')).toBeDefined()
})

test('pages ahead do not push out the one on the screen', async () => {
  const subscriptions = createSubscriptions(() => void subscriptions.of('shown'))
  await read(subscriptions, rowOf('shown'))
  for (let at = 0; at < 250; at++) await read(subscriptions, rowOf(`ahead ${at}`))
  expect(subscriptions.of('shown')).toBeDefined()
  expect(subscriptions.of('ahead 0')).toBeUndefined()
})
