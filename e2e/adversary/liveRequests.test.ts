import { expect, test } from 'vitest'
import { fixtureMap, livePath } from './appMap.ts'
import { toldOfForeign } from './liveRequests.ts'
import type { AttackRequest } from './request.ts'

const subscriptions = { own: ['own'], foreign: ['foreign'] }
const around = { map: fixtureMap, subscriptions }

const asking = (pages: unknown, target = livePath): AttackRequest => ({
  label: 'live',
  method: 'POST',
  target,
  headers: [],
  isChunked: false,
  behaviour: 'stays',
  body: { kind: 'text', text: JSON.stringify({ pages, wait: false }) },
})

test('a server that says nothing of the page of somebody else has told nothing', () => {
  const said = '{"changed":[0],"gone":[1],"from":"p1"}'
  expect(toldOfForeign(asking(['own', 'foreign']), said, around)).toEqual([])
  expect(toldOfForeign(asking(['foreign']), '', around)).toEqual([])
  expect(toldOfForeign(asking(['foreign'], '/open'), said, around)).toEqual([])
})

test('that it was changed, or was not, is told too much', () => {
  expect(toldOfForeign(asking(['foreign']), '{"changed":[0],"gone":[]}', around)).toEqual([0])
  const event = 'data: {"changed":[],"gone":[0],"from":"p1"}\n\n:\n\n'
  expect(toldOfForeign(asking(['own', 'foreign']), event, around)).toEqual([1])
})
