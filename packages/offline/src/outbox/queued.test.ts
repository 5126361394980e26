import { expect, test } from 'vitest'
import { acceptMarks, queued, withoutMark } from './queued.ts'

test('without an outbox, a marked action gets its arguments only', async () => {
  const action = queued(async (...args: unknown[]) => args.length)
  expect(await action('a', 'b')).toBe(2)
})

test('a mark passes through bound references and is removed', async () => {
  acceptMarks()
  const calls: unknown[][] = []
  const action = async (...args: unknown[]) => void calls.push(args)
  await queued(action.bind(null, 'bound'), { name: 'cart' })('given')
  const [args = []] = calls
  expect(args).toHaveLength(3)
  expect(withoutMark({ id: 'x', args })).toEqual({
    call: { id: 'x', args: ['bound', 'given'] },
    options: { name: 'cart' },
  })
})

test('other calls have no mark, whatever their last argument is', () => {
  for (const args of [[], ['text'], [{}], [null]]) {
    expect(withoutMark({ args })).toEqual({ call: { args }, options: null })
  }
})
