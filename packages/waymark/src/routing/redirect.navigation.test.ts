import { describe, expect, test } from 'vitest'
import { forbidden, notFound, unauthorized } from '../http/statuses.ts'
import { signalOf } from '../wire/signals.ts'
import { permanentRedirect, redirect } from './redirect.ts'

function thrownBy(run: () => never): unknown {
  try {
    run()
  } catch (thrown) {
    return thrown
  }
}

describe('navigation functions', () => {
  test.each([
    ['redirect', () => redirect('/a'), { kind: 'redirect', status: 307, location: '/a' }],
    [
      'redirect with a status',
      () => redirect('/a', { status: 303 }),
      { kind: 'redirect', status: 303, location: '/a' },
    ],
    [
      'permanentRedirect',
      () => permanentRedirect('https://example.com'),
      { kind: 'redirect', status: 308, location: 'https://example.com/' },
    ],
    ['notFound', () => notFound(), { kind: 'fallback', status: 404 }],
    ['forbidden', () => forbidden(), { kind: 'fallback', status: 403 }],
    ['unauthorized', () => unauthorized(), { kind: 'fallback', status: 401 }],
  ])('%s throws its signal', (_, run, signal) => {
    expect(signalOf(thrownBy(run))).toEqual(signal)
  })

  test('a target that silently leaves the site is an error, not a signal', () => {
    const thrown = thrownBy(() => redirect('//evil.example'))
    expect(signalOf(thrown)).toBeNull()
    expect(thrown).toMatchObject({ code: 'REDIRECT_TARGET' })
  })
})
