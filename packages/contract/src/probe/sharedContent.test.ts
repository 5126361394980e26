import { expect, test } from 'vitest'
import type { ProbeResponse } from './exchange.ts'
import type { Sender } from './sender.ts'
import { findSharedContent } from './sharedContent.ts'

function response(body: string, cacheControl = 'public, s-maxage=60', status = 200): ProbeResponse {
  return { status, headers: new Headers({ 'cache-control': cacheControl }), body }
}

function find(responses: Readonly<Record<string, ProbeResponse>>, again: ProbeResponse) {
  const sender: Sender = {
    personas: Object.keys(responses),
    send: async () => again,
    upgrade: async () => again,
  }
  const request = { path: '/account' }
  return findSharedContent('The page /account', request, new Map(Object.entries(responses)), {
    file: 'app/account/page.tsx',
    sender,
  })
}

test('content of one persona that shared caches may store is a problem', async () => {
  const responses = { ann: response('Ann'), bob: response('Bob') }
  expect(await find(responses, response('Ann'))).toEqual({
    sentence:
      'The page /account may be stored by shared caches (`public, s-maxage=60`), but *ann* and *bob* get different content.',
    place: { file: 'app/account/page.tsx', line: null },
  })
})

test.each([
  ['all personas get the same', { ann: response('a'), bob: response('a') }, response('a')],
  [
    'each response differs, for example by the time',
    { ann: response('1'), bob: response('2') },
    response('3'),
  ],
  [
    'caches of one user store it',
    { ann: response('Ann', 'private'), bob: response('Bob', 'private') },
    response('Ann', 'private'),
  ],
  [
    'one persona is refused',
    { ann: response('Ann'), bob: response('no', 'public', 403) },
    response('Ann'),
  ],
])('%s: no problem', async (_, responses, again) => {
  expect(await find(responses, again)).toBeNull()
})
