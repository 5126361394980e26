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
  ['a document with its end', 'document', whole, {}, 'public'],
  ['one that was cut', 'document', whole.slice(0, 40), {}, 'failed'],
  ['one whose payload has no end', 'document', '<html></html>', {}, 'failed'],
  ['data that was cut', 'data', '0:1\n', {}, 'failed'],
  ['data with its end', 'data', data, {}, 'public'],
  ['an error', 'document', whole, { status: 500 }, 'failed'],
  ['a refusal for a moment', 'document', whole, { status: 429 }, 'failed'],
  ['what is missing', 'document', whole, { status: 404, headers: ofServer }, 'refused'],
  ['what a gateway forbids', 'document', whole, { status: 403 }, 'failed'],
  ['what a gateway does not find', 'data', data, { status: 404 }, 'failed'],
  ['what differs for users', 'document', whole, { headers: { vary: 'Cookie' } }, 'private'],
  ['another type', 'document', whole, { headers: { 'content-type': 'text/plain' } }, 'refused'],
  ['what is private', 'document', whole, { headers: { 'cache-control': 'private' } }, 'private'],
  ['no-store', 'document', whole, { headers: { 'cache-control': 'no-store' } }, 'private'],
] as const)('%s', async (_, kind, body, init, result) => {
  expect(await fetched(kind, body, init)).toBe(result)
})

test('what does not say that it is for all is private', async () => {
  vi.stubGlobal(
    'fetch',
    async () => new Response(whole, { headers: { 'content-type': 'text/html' } }),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(await fetchPart('/a', documentForm)).toMatchObject({ isPrivate: true })
})
