import { describe, expect, test, vi } from 'vitest'
import { neverThrows } from './neverThrows.ts'

describe('neverThrows', () => {
  test('gives on what goes in and what comes out', () => {
    const join = neverThrows((a: string, b: number) => `${a}${b}`, '')
    expect(join('a', 1)).toBe('a1')
  })

  test('answers in place of a callback that throws, and says what it threw', () => {
    const warned = vi.spyOn(console, 'error').mockImplementation(() => {})
    const thrown = new Error('a bug')
    const fails = neverThrows(() => {
      throw thrown
    }, 'instead')
    expect(fails()).toBe('instead')
    expect(warned.mock.calls).toEqual([[expect.any(String), thrown]])
    warned.mockRestore()
  })

  test('does not throw what the console throws', () => {
    const warned = vi.spyOn(console, 'error').mockImplementation(() => {
      throw new Error('no console')
    })
    expect(
      neverThrows(() => {
        throw null
      }, 1)(),
    ).toBe(1)
    warned.mockRestore()
  })
})
