import { expect, test } from 'vitest'
import { writeKept } from '../shared/keptEntry.ts'
import { respond } from './respond.ts'

const network = new Response('network')
const kept = new Response('kept', {
  headers: writeKept(new Headers(), { savedAtMs: 5, expiresAtMs: 9 }),
})
const found = async () => kept
const nothing = async () => undefined
const hanging = new Promise<Response>(() => {})
const failing = () => Promise.reject(new TypeError('no network'))

test('the network comes first', async () => {
  expect(await respond(Promise.resolve(network), found, 50)).toEqual({
    response: network,
    savedAtMs: null,
  })
})

test('what was kept stands in for a network that fails, or is silent for the limit', async () => {
  expect(await respond(failing(), found, 50)).toEqual({ response: kept, savedAtMs: 5 })
  expect(await respond(hanging, found, 5)).toEqual({ response: kept, savedAtMs: 5 })
})

test('a gateway’s error gives way to what was kept; one of the server’s own does not', async () => {
  const gateway = new Response('502', { status: 502 })
  const own = new Response('503', { status: 503, headers: { 'waymark-build': 'b' } })
  expect((await respond(Promise.resolve(gateway), found, 50)).response).toBe(kept)
  expect((await respond(Promise.resolve(gateway), nothing, 50)).response).toBe(gateway)
  expect((await respond(Promise.resolve(own), found, 50)).response).toBe(own)
})

test('without it, a late response is waited for, and a failure is one', async () => {
  const late = new Promise<Response>((resolve) => setTimeout(resolve, 20, network))
  expect((await respond(late, nothing, 5)).response).toBe(network)
  await expect(respond(failing(), nothing, 5)).rejects.toThrow('no network')
})

test('storage that is forbidden leaves the network', async () => {
  const forbidden = () => Promise.reject(new Error('SecurityError'))
  const late = new Promise<Response>((resolve) => setTimeout(resolve, 20, network))
  expect((await respond(late, forbidden, 5)).response).toBe(network)
})
