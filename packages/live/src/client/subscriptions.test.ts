import { expect, test } from 'vitest'
import { writeRow } from '../shared/subscriptionRow.ts'
import { createSubscriptions } from './subscriptions.ts'

const rowOf = (rendering: string, reads = 'reads', sealed = 'sealed') =>
  writeRow({ rendering, reads, sealed, isStale: false })

/** Reads a payload to its end, in pieces. */
function read(
  { readEnd }: ReturnType<typeof createSubscriptions>,
  text: string,
  pieceBytes = 1_000,
): void {
  const bytes = new TextEncoder().encode(`0:{}\n${text}`)
  const reader = readEnd()
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    reader.chunk(bytes.subarray(at, at + pieceBytes))
  }
  reader.end()
}

test('the row is found wherever its payload is split', () => {
  for (const pieceBytes of [1, 7, 1_000]) {
    const subscriptions = createSubscriptions(() => {})
    read(subscriptions, `1:"漢字"\n${rowOf('r1')}`, pieceBytes)
    expect(subscriptions.of('r1')?.sealed).toBe('sealed')
  }
})

test('the largest row that a server writes is found', () => {
  const subscriptions = createSubscriptions(() => {})
  read(subscriptions, rowOf('r1', 'reads', 'x'.repeat(20_000)))
  expect(subscriptions.of('r1')).toBeDefined()
})

test('prefetched pages do not push out the page on the screen', () => {
  const subscriptions = createSubscriptions(() => void subscriptions.of('shown'))
  read(subscriptions, rowOf('shown'))
  for (let at = 0; at < 250; at++) read(subscriptions, rowOf(`ahead ${at}`))
  expect(subscriptions.of('shown')).toBeDefined()
  expect(subscriptions.of('ahead 0')).toBeUndefined()
})
