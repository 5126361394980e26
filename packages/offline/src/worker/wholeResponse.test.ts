import { expect, onTestFinished, test, vi } from 'vitest'
import { dataForm, documentForm, fetchPart } from './wholeResponse.ts'

const whole = '<!DOCTYPE html><html><body>a<script>0:1\n#\n</script></body></html>'
const data = '0:1\n#24a1ab3a\n'
const ofServer = { 'waymark-build': 'b' }

async function fetched(kind: 'document' | 'data', body: string, init: ResponseInit = {}) {
  const form = kind === 'document' ? documentForm : dataForm
  const headers = { 'content-type': form[0], 'cache-control': 'public', ...init.headers }
  vi.stubGlobal('fetch', async () => new Response(body, { ...init, headers }))
  onTestFinished(() => void vi.unstubAllGlobals())
  const part = await fetchPart('/a', form)
  return part === null
    ? 'refused'
    : part === 'failed'
      ? part
      : part.isPrivate
        ? 'private'
        : 'public'
}

test.each([
  ['a complete document', 'document', whole, {}, 'public'],
  ['a document that was cut off', 'document', whole.slice(0, 40), {}, 'failed'],
  ['a document whose payload has no end', 'document', '<html></html>', {}, 'failed'],
  ['data that was cut off', 'data', '0:1\n', {}, 'failed'],
  ['complete data', 'data', data, {}, 'public'],
  ['an error', 'document', whole, { status: 500 }, 'failed'],
  ['a temporary refusal', 'document', whole, { status: 429 }, 'failed'],
  ['a missing page', 'document', whole, { status: 404, headers: ofServer }, 'refused'],
  ['a page that a gateway forbids', 'document', whole, { status: 403 }, 'failed'],
  ['data that a gateway does not find', 'data', data, { status: 404 }, 'failed'],
  ['a page that differs by user', 'document', whole, { headers: { vary: 'Cookie' } }, 'private'],
  ['another type', 'document', whole, { headers: { 'content-type': 'text/plain' } }, 'refused'],
  ['a private page', 'document', whole, { headers: { 'cache-control': 'private' } }, 'private'],
  ['no-store', 'document', whole, { headers: { 'cache-control': 'no-store' } }, 'private'],
] as const)('%s', async (_, kind, body, init, result) => {
  expect(await fetched(kind, body, init)).toBe(result)
})

test('a response that is not declared public is private', async () => {
  vi.stubGlobal(
    'fetch',
    async () => new Response(whole, { headers: { 'content-type': 'text/html' } }),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(await fetchPart('/a', documentForm)).toMatchObject({ isPrivate: true })
})
