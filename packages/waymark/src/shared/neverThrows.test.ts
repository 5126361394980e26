import { describe, expect, test, vi } from 'vitest'
import { neverThrows } from './neverThrows.ts'

describe('neverThrows', () => {
  test('passes arguments and results on', () => {
    const join = neverThrows((a: string, b: number) => `${a}${b}`, '')
    expect(join('a', 1)).toBe('a1')
  })

  test('returns the fallback if the callback throws, and prints the error', () => {
    const warned = vi.spyOn(console, 'error').mockImplementation(() => {})
    const thrown = new Error('a bug')
    const fails = neverThrows(() => {
      throw thrown
    }, 'instead')
    expect(fails()).toBe('instead')
    expect(warned.mock.calls).toEqual([[expect.any(String), thrown]])
    warned.mockRestore()
  })

  test('does not throw if the console throws', () => {
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
