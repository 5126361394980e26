import { describe, expect, test } from 'vitest'
import { uncaught } from './errorReporter.ts'

const event = (type: string, properties: object) => Object.assign(new Event(type), properties)

describe('what nobody caught', () => {
  test('is an error', () => {
    const error = new Error('broken')
    const uncaughtError = uncaught(
      event('error', { error, message: 'broken', filename: 'https://x/a.js' }),
    )
    expect(uncaughtError).toEqual({ thrown: error, source: 'error' })
  })

  test('is an error that came as words only', () => {
    const words = { message: 'broken', filename: 'https://x/a.js', lineno: 1, colno: 2 }
    const thrown = { name: 'Error', message: 'broken', stack: '@https://x/a.js:1:2' }
    expect(uncaught(event('error', { error: null, ...words }))).toEqual({ thrown, source: 'error' })
  })

  test('is a rejected promise', () => {
    const uncaughtError = uncaught(event('unhandledrejection', { reason: 'broken' }))
    expect(uncaughtError).toEqual({ thrown: 'broken', source: 'unhandledrejection' })
  })

  test.each([
    { message: 'Script error.', filename: '', error: null },
    { message: 'ResizeObserver loop completed with undelivered notifications.', error: null },
  ])('is left out when it tells nothing: %j', (properties) => {
    expect(uncaught(event('error', properties))).toBeNull()
  })
})
