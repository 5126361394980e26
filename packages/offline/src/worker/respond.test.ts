import { expect, test } from 'vitest'
import { writeCacheHeader } from '../shared/cachedPage.ts'
import { respond } from './respond.ts'

const network = new Response('network')
const cached = new Response('kept', {
  headers: writeCacheHeader(new Headers(), { savedAtMs: 5, expiresAtMs: 9 }),
})
const inCache = async () => cached
const nothing = async () => undefined
const hanging = new Promise<Response>(() => {})
const failing = () => Promise.reject(new TypeError('no network'))

test('the network comes first', async () => {
  expect(await respond(Promise.resolve(network), inCache, 50)).toEqual({
    response: network,
    savedAtMs: null,
  })
})

test('a cached response replaces a network that fails or is silent for the limit', async () => {
  expect(await respond(failing(), inCache, 50)).toEqual({ response: cached, savedAtMs: 5 })
  expect(await respond(hanging, inCache, 5)).toEqual({ response: cached, savedAtMs: 5 })
})

test('a cached response replaces a gateway’s error, but not an error of the server itself', async () => {
  const gateway = new Response('502', { status: 502 })
  const serverError = new Response('503', { status: 503, headers: { 'waymark-build': 'b' } })
  expect((await respond(Promise.resolve(gateway), inCache, 50)).response).toBe(cached)
  expect((await respond(Promise.resolve(gateway), nothing, 50)).response).toBe(gateway)
  expect((await respond(Promise.resolve(serverError), inCache, 50)).response).toBe(serverError)
})

test('without a cached response, it waits for a late response and passes on a failure', async () => {
  const slow = new Promise<Response>((resolve) => setTimeout(resolve, 20, network))
  expect((await respond(slow, nothing, 5)).response).toBe(network)
  await expect(respond(failing(), nothing, 5)).rejects.toThrow('no network')
})

test('with blocked storage, the network responds', async () => {
  const forbidden = () => Promise.reject(new Error('SecurityError'))
  const slow = new Promise<Response>((resolve) => setTimeout(resolve, 20, network))
  expect((await respond(slow, forbidden, 5)).response).toBe(network)
})
