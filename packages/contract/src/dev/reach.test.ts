import { expect, test } from 'vitest'
import { parseContract } from '../contract/contractFile.ts'
import { contractOfPage, whoCanReach } from './reach.ts'

const contract = parseContract(`personas: anonymous, member, admin

action comment
  access everyone (from /board): 409
  access admin (from /board/[id]): may call
  access anonymous (from /board/[id]): redirect to /enter
  access member (from /board/[id]): may call
  access everyone (from preview /board/[id] from /board): may call
  own checks: not tried

action leave
  access everyone (from any page): may call

action rename
  access everyone (from /orders/[id], own order): runs
  access everyone (from pages like /account): may call
  pages like /account: /account, /board

action setAdmin
  access admin (from any page below /admin): runs
  access anonymous (from any page below /admin): redirect to /enter
  access member (from any page below /admin): 403
  forged call: 403

component Card
  props: title

file /robots.txt
  access everyone: 200

handler /api/orders
  access admin (GET): 200
  access anonymous (GET): 401
  access member (GET): 401
  access everyone (POST, another order): 404

not proven
  action publish from /drafts: no path is known for the page
  handler /api/orders DELETE: it may change data
  persona admin: couldn't sign in
  preview /board/[id] from /admin: no path is known

page /administrators
  access everyone: 200

page /admin/users
  access admin: 200
  access anonymous: 307 to /enter
  access admin (data): 200
  cache: private, no-store

page /board/[id]
  access everyone: 200

screen error /
  accessibility: no violations

screen error /board
  accessibility: button-name (2)

screen not-found /
  accessibility: no violations

screen loading /admin
  accessibility: no violations

preview /board/[id] from /board
  access admin: 200
  access anonymous: 401
`)

const admin = { 'persona admin': "couldn't sign in" }
const summary = ({
  kind,
  name,
  reachedBy,
}: {
  kind: string
  name: string
  reachedBy: readonly string[]
}) => `${kind} ${name}: ${reachedBy.join(', ')}`

test.each([
  [
    '/board/[id]',
    ['comment (from /board/[id], from preview /board/[id] from /board)', 'leave (from any page)'],
  ],
  ['/admin', ['leave (from any page)', 'setAdmin (from any page below /admin)']],
  ['/admin/users', ['leave (from any page)', 'setAdmin (from any page below /admin)']],
  ['/administrators', ['leave (from any page)']],
  [
    '/board',
    ['comment (from /board)', 'leave (from any page)', 'rename (from pages like /account)'],
  ],
  ['/orders/[id]', ['leave (from any page)', 'rename (from /orders/[id], own order)']],
])('%s can call the actions whose requests can come from it', (pattern, expected) => {
  const { actions } = contractOfPage(contract, pattern)
  expect(
    actions.map(
      ({ name, access }) => `${name} (${access.map(({ request }) => request).join(', ')})`,
    ),
  ).toEqual(expected)
})

test('the part of a page has the page, its previews and screens, and what is not proven about it', () => {
  const { page, previews, screens, notProven } = contractOfPage(contract, '/board/[id]')
  expect(page?.reachedBy).toEqual(['anonymous', 'member', 'admin'])
  expect(screens.map(({ name }) => name)).toEqual(['error /board', 'not-found /'])
  expect(previews.map(summary)).toEqual(['preview /board/[id] from /board: admin'])
  expect(notProven).toEqual({
    ...admin,
    'preview /board/[id] from /admin': 'no path is known',
  })
  expect(contractOfPage(contract, '/drafts')).toMatchObject({
    page: null,
    notProven: { ...admin, 'action publish from /drafts': 'no path is known for the page' },
  })
})

test('each persona has an outcome for each request', () => {
  expect(contractOfPage(contract, '/admin/users').page).toEqual({
    kind: 'page',
    name: '/admin/users',
    reachedBy: ['admin'],
    access: [
      {
        request: 'document',
        outcomes: [
          { persona: 'anonymous', gets: '307 to /enter', isAdmitted: false },
          { persona: 'member', gets: 'not tried', isAdmitted: false },
          { persona: 'admin', gets: '200', isAdmitted: true },
        ],
      },
      {
        request: 'data',
        outcomes: [
          { persona: 'anonymous', gets: 'not tried', isAdmitted: false },
          { persona: 'member', gets: 'not tried', isAdmitted: false },
          { persona: 'admin', gets: '200', isAdmitted: true },
        ],
      },
    ],
    properties: { cache: 'private, no-store' },
  })
})

const everyone = 'anonymous, member, admin'
const board = [
  `page /board/[id]: ${everyone}`,
  'preview /board/[id] from /board: admin',
  `action comment: ${everyone}`,
  `action leave: ${everyone}`,
]

test.each([
  ['/board/[id]', [], board],
  ['/board/3', ['/board/[id]'], board],
  ['page /board/[id]', [], [`page /board/[id]: ${everyone}`]],
  ['/board/[id] from /board', [], ['preview /board/[id] from /board: admin']],
  ['setAdmin', [], ['action setAdmin: admin']],
  ['setAdmin()', [], ['action setAdmin: admin']],
  ['action setAdmin', [], ['action setAdmin: admin']],
  [
    'app/admin/actions.ts',
    ['action setAdmin', 'action leave'],
    ['action setAdmin: admin', `action leave: ${everyone}`],
  ],
  ['Card', [], ['component Card: ']],
  ['/robots.txt', ['/[slug]'], [`file /robots.txt: ${everyone}`]],
  ['/api/orders', [], ['handler /api/orders: admin']],
  ['GET /api/orders', [], ['handler /api/orders: admin']],
  ['POST /api/orders?id=1', ['/api/orders'], ['handler /api/orders: ']],
])('%s finds what is about it', (what, alternatives, expected) => {
  const { entries, closeNames } = whoCanReach(contract, what, alternatives)
  expect(entries.map(summary)).toEqual(expected)
  expect(closeNames).toBeNull()
})

test('a method limits the requests to a handler', () => {
  const { entries, notProven } = whoCanReach(contract, 'POST /api/orders', [])
  expect(entries[0]?.access.map(({ request }) => request)).toEqual(['POST, another order'])
  expect(notProven).toEqual({ ...admin, 'handler /api/orders DELETE': 'it may change data' })
})

test('an action that could not be tried is found in what is not proven', () => {
  expect(whoCanReach(contract, 'publish', [])).toMatchObject({
    entries: [],
    notProven: { 'action publish from /drafts': 'no path is known for the page' },
    closeNames: null,
  })
})

test.each([
  ['setadmn', ['action setAdmin']],
  ['/api/order', ['handler /api/orders']],
  ['card', ['component Card']],
  ['x'.repeat(500), []],
  ['', null],
])('%s lists close names', (what, expected) => {
  const { entries, notProven, closeNames } = whoCanReach(contract, what, [])
  expect([entries, notProven]).toEqual([[], {}])
  if (expected) expect(closeNames).toEqual(expected)
})
