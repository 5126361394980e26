import { render } from '@waymark/testing'
import { expect, test } from 'vitest'
import { Counter } from './counter'

// A component without an app: server components, too.
test('the counter begins at zero', async () => {
  expect((await render(<Counter />)).text).toBe('Count 0')
})
