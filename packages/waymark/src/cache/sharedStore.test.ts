import { expect, test } from 'vitest'
import { createInFlight } from './sharedStore.ts'

test('waits for what is in flight, whether it ends well or not', async () => {
  const inFlight = createInFlight()
  expect(inFlight.settled()).toBeNull()
  const ends: string[] = []
  const good = inFlight.add(Promise.resolve('good').finally(() => ends.push('good')))
  const bad = inFlight.add(Promise.reject(new Error('bad')).finally(() => ends.push('bad')))
  bad.catch(() => {})
  await inFlight.settled()
  expect(ends).toEqual(['good', 'bad'])
  expect(await good).toBe('good')
  expect(inFlight.settled()).toBeNull()
})
