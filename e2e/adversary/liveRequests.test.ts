import { expect, test } from 'vitest'
import { fixtureMap, livePath } from './appMap.ts'
import { leakedAdminPages } from './liveRequests.ts'
import type { AttackRequest } from './request.ts'

const subscriptions = { visitor: ['visitor'], admin: ['admin'] }
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

test("a response that does not mention the admin's page leaks nothing", () => {
  const response = '{"changed":[0],"gone":[1],"from":"p1"}'
  expect(leakedAdminPages(asking(['visitor', 'admin']), response, around)).toEqual([])
  expect(leakedAdminPages(asking(['admin']), '', around)).toEqual([])
  expect(leakedAdminPages(asking(['admin'], '/open'), response, around)).toEqual([])
})

test("a response that says if the admin's page has changed is a leak", () => {
  expect(leakedAdminPages(asking(['admin']), '{"changed":[0],"gone":[]}', around)).toEqual([0])
  const event = 'data: {"changed":[],"gone":[0],"from":"p1"}\n\n:\n\n'
  expect(leakedAdminPages(asking(['visitor', 'admin']), event, around)).toEqual([1])
})
