import { describe, expect, test } from 'vitest'
import { uncaught } from './errorReporter.ts'

const event = (type: string, properties: object) => Object.assign(new Event(type), properties)

describe('uncaught', () => {
  test('reads an error', () => {
    const error = new Error('broken')
    const uncaughtError = uncaught(
      event('error', { error, message: 'broken', filename: 'https://x/a.js' }),
    )
    expect(uncaughtError).toEqual({ thrown: error, source: 'error' })
  })

  test('reads an event that has only a message', () => {
    const words = { message: 'broken', filename: 'https://x/a.js', lineno: 1, colno: 2 }
    const thrown = { name: 'Error', message: 'broken', stack: '@https://x/a.js:1:2' }
    expect(uncaught(event('error', { error: null, ...words }))).toEqual({ thrown, source: 'error' })
  })

  test('reads a rejected promise', () => {
    const uncaughtError = uncaught(event('unhandledrejection', { reason: 'broken' }))
    expect(uncaughtError).toEqual({ thrown: 'broken', source: 'unhandledrejection' })
  })

  test.each([
    { message: 'Script error.', filename: '', error: null },
    { message: 'ResizeObserver loop completed with undelivered notifications.', error: null },
  ])('ignores an event without information: %j', (properties) => {
    expect(uncaught(event('error', properties))).toBeNull()
  })
})
