import { describe, expect, test, vi } from 'vitest'
import { type ChunkListener, createByteChannel } from './stream.ts'

function recording(calls: string[], overrides: Partial<ChunkListener> = {}): ChunkListener {
  return {
    piece: (piece) => calls.push(`piece ${piece}`),
    flush: () => calls.push('flush'),
    end: () => calls.push('end'),
    fail: (error) => calls.push(`fail ${(error as Error).message}`),
    ...overrides,
  }
}

function throwing(message: string): () => never {
  return () => {
    throw new Error(message)
  }
}

describe('a byte channel', () => {
  test('replays the chunks that were written, then passes on new ones', () => {
    const calls: string[] = []
    const { destination, listen } = createByteChannel()
    destination.write('a')
    listen(recording(calls))
    destination.write('b')
    destination.end()
    expect(calls).toEqual(['piece a', 'piece b', 'end'])
  })

  test.each<[string, Partial<ChunkListener>, string[]]>([
    ['piece', { piece: throwing('bug') }, ['fail bug']],
    ['flush', { flush: throwing('bug') }, ['piece a', 'fail bug']],
    ['end', { end: throwing('bug') }, ['piece a', 'flush', 'piece b', 'fail bug']],
  ])(
    'a listener that throws at %s fails alone, and gets no further calls',
    (_, overrides, expected) => {
      const failing: string[] = []
      const calls: string[] = []
      const { destination, listen } = createByteChannel()
      listen(recording(failing, overrides))
      listen(recording(calls))
      const react = destination as typeof destination & { flush(): void }
      expect(() => {
        react.write('a')
        react.flush()
        react.write('b')
        react.end()
      }).not.toThrow()
      expect(failing).toEqual(expected)
      expect(calls).toEqual(['piece a', 'flush', 'piece b', 'end'])
    },
  )

  test('ends even if its last piece throws', () => {
    const calls: string[] = []
    const error = vi.spyOn(console, 'error').mockReturnValue()
    const { destination, listen } = createByteChannel(undefined, throwing('no key'))
    listen(recording(calls))
    destination.write('a')
    expect(() => destination.end()).not.toThrow()
    expect(calls.at(-1)).toBe('end')
    expect(error.mock.lastCall?.[1]).toEqual(new Error('no key'))
    error.mockRestore()
  })
})
