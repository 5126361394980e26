import { describe, expect, test } from 'vitest'
import { RenderLifetime } from './renderLifetime.ts'

describe('the lifetime of a rendering', () => {
  test('aborts a signal that was read when the rendering is complete', () => {
    const lifetime = new RenderLifetime()
    const { signal } = lifetime
    expect(signal.aborted).toBe(false)
    lifetime.complete('over')
    expect(signal.aborted).toBe(true)
    expect(signal.reason).toEqual(new Error('over'))
  })

  test('returns an aborted signal if it is read afterwards', () => {
    const lifetime = new RenderLifetime()
    lifetime.complete('over')
    expect(lifetime.signal.aborted).toBe(true)
    expect(lifetime.signal.reason).toEqual(new Error('over'))
    expect(lifetime.signal).toBe(lifetime.signal)
  })

  test('keeps the first reason', () => {
    const lifetime = new RenderLifetime()
    lifetime.abort('left')
    lifetime.complete('over')
    expect(lifetime.signal.reason).toBe('left')
  })

  test('notifies listeners once', () => {
    const lifetime = new RenderLifetime()
    let heard = 0
    lifetime.signal.addEventListener('abort', () => heard++)
    lifetime.abort('left')
    lifetime.complete('over')
    expect(heard).toBe(1)
  })
})
