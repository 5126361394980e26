import { describe, expect, test, vi } from 'vitest'
import { type ChunkListener, createByteChannel } from './stream.ts'

function recording(heard: string[], own: Partial<ChunkListener> = {}): ChunkListener {
  return {
    piece: (piece) => heard.push(`piece ${piece}`),
    flush: () => heard.push('flush'),
    end: () => heard.push('end'),
    fail: (error) => heard.push(`fail ${(error as Error).message}`),
    ...own,
  }
}

function throwing(message: string): () => never {
  return () => {
    throw new Error(message)
  }
}

describe('a byte channel', () => {
  test('replays what was written, then follows', () => {
    const heard: string[] = []
    const { destination, listen } = createByteChannel()
    destination.write('a')
    listen(recording(heard))
    destination.write('b')
    destination.end()
    expect(heard).toEqual(['piece a', 'piece b', 'end'])
  })

  test.each<[string, Partial<ChunkListener>, string[]]>([
    ['piece', { piece: throwing('bug') }, ['fail bug']],
    ['flush', { flush: throwing('bug') }, ['piece a', 'fail bug']],
    ['end', { end: throwing('bug') }, ['piece a', 'flush', 'piece b', 'fail bug']],
  ])('a listener that throws at %s fails alone, and is told nothing more', (_, own, expected) => {
    const failing: string[] = []
    const heard: string[] = []
    const { destination, listen } = createByteChannel()
    listen(recording(failing, own))
    listen(recording(heard))
    const react = destination as typeof destination & { flush(): void }
    expect(() => {
      react.write('a')
      react.flush()
      react.write('b')
      react.end()
    }).not.toThrow()
    expect(failing).toEqual(expected)
    expect(heard).toEqual(['piece a', 'flush', 'piece b', 'end'])
  })

  test('ends although its last piece throws', () => {
    const heard: string[] = []
    const error = vi.spyOn(console, 'error').mockReturnValue()
    const { destination, listen } = createByteChannel(undefined, throwing('no key'))
    listen(recording(heard))
    destination.write('a')
    expect(() => destination.end()).not.toThrow()
    expect(heard.at(-1)).toBe('end')
    expect(error.mock.lastCall?.[1]).toEqual(new Error('no key'))
    error.mockRestore()
  })
})
