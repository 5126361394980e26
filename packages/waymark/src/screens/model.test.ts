import { describe, expect, it } from 'vitest'
import { type ScreenRequest, screenModel, screenOfStatus } from './model.ts'

describe('screenModel', () => {
  it.each([
    [404, '404: This page could not be found.', 'This page could not be found.'],
    [
      401,
      "401: You're not authorized to access this page.",
      "You're not authorized to access this page.",
    ],
    [403, '403: This page could not be accessed.', 'This page could not be accessed.'],
    [400, '400: Bad Request', 'Bad Request'],
    [405, '405: Method Not Allowed', 'Method Not Allowed'],
    [500, '500: Internal Server Error', 'Internal Server Error'],
    [418, '418: An unexpected error has occurred', 'An unexpected error has occurred'],
  ])('%s', (status, title, heading) => {
    const model = screenModel(screenOfStatus(status))
    expect(model).toMatchObject({ status: `${status}`, title, heading, digest: null })
    expect(model.sentence).not.toBe('')
  })

  it('describes an exception in the browser', () => {
    expect(screenModel({ kind: 'application', side: 'client', host: 'example.com' })).toMatchObject(
      {
        status: null,
        heading:
          'Application error: a client-side exception has occurred while loading example.com (see the browser console for more information).',
        digest: null,
      },
    )
  })

  it('describes an exception on the server, with its digest', () => {
    const screen: ScreenRequest = {
      kind: 'application',
      side: 'server',
      host: 'example.com',
      digest: '01JDM3',
    }
    expect(screenModel(screen)).toMatchObject({
      status: '500',
      heading:
        'Application error: a server-side exception has occurred while loading example.com (see the server logs for more information).',
      digest: 'Digest: 01JDM3',
    })
  })

  it('does not fill in placeholders inside a value', () => {
    const screen: ScreenRequest = { kind: 'application', side: 'client', host: '{digest}{host}$&' }
    expect(screenModel(screen).heading).toContain('while loading {digest}{host}$& (see')
  })
})
