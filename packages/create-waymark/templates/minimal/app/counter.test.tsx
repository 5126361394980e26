import { render } from '@waymark/testing'
import { expect, test } from 'vitest'
import { Counter } from './counter'

// Tests a component without the rest of the app. This also works for server components.
test('the counter starts at zero', async () => {
  expect((await render(<Counter />)).text).toBe('Count 0')
})
