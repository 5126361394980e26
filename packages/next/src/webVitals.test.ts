import { expect, test } from 'vitest'
import { createInteractions } from './webVitals.ts'

test('the longest interaction counts, measured by its longest event', () => {
  const { add } = createInteractions((seen) => seen)
  const durations = [
    { interactionId: 1, duration: 48 },
    { interactionId: 0, duration: 900 },
    { interactionId: 1, duration: 64 },
    { interactionId: 2, duration: 56 },
    { interactionId: 3, duration: 200 },
  ]
  expect(durations.map(add)).toEqual([48, null, 64, null, 200])
})

test('one outlier per fifty interactions is ignored, and only a few interactions are stored', () => {
  const { add } = createInteractions((seen) => seen)
  add({ interactionId: 1, duration: 1000 })
  const later = Array.from({ length: 60 }, (_, index) =>
    add({ interactionId: index + 2, duration: 100 }),
  )
  expect(later.filter((value) => value !== null)).toEqual([100])
})
