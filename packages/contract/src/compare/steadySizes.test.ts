import { expect, test } from 'vitest'
import type { Contract } from '../contract/contractFile.ts'
import { keepSteadySizes } from './steadySizes.ts'

function contractOf(script: string): Contract {
  return { personas: [], entries: [{ kind: 'page', name: '/', properties: { script } }] }
}

test.each([
  ['80.2 kB, 111.8 kB when idle', '80.9 kB, 112.4 kB when idle', 'kept'],
  ['80.2 kB, 111.8 kB when idle', '80.9 kB, 118.0 kB when idle', 'replaced'],
  ['2.0 kB, 3.0 kB when idle', '3.1 kB, 3.0 kB when idle', 'replaced'],
  ['400.0 kB, 500.0 kB when idle', '409.0 kB, 495.0 kB when idle', 'kept'],
  ['80.2 kB', '80.2 kB, 90.0 kB when idle', 'replaced'],
])('%s, then %s: the earlier size is %s', (before, after, outcome) => {
  const kept = keepSteadySizes(contractOf(before), contractOf(after))
  expect(kept).toEqual(contractOf(outcome === 'kept' ? before : after))
})
