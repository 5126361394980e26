import { createElement, type ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { PageApp, PageRequest } from '../page/pageRequest.ts'
import { gate } from '../request/requestApi.ts'
import { runInScope } from '../request/scope.ts'
import { scopeOf, turn } from '../request/testing/scopeOf.ts'
import { runGuards } from './guards.ts'
import type { StandingFile } from './standing.ts'

// Only guards that are rendered need React for it.
vi.mock('../page/flight.ts', () => ({}))
vi.mock('../page/clientReference.ts', () => ({ isClientReference: () => false }))

vi.stubEnv('DEV', false)
const unhandled = vi.fn()
process.on('unhandledRejection', unhandled)
afterEach(() => void process.off('unhandledRejection', unhandled))

/** Runs one guard, as for an action behind it. */
function guardBy(layout: () => ReactNode) {
  const standing = [
    { file: 'app/layout.tsx', segment: { kind: 'folder', params: {} }, place: null },
  ]
  const modules = { load: () => ({ module: { default: layout } }) }
  const scope = scopeOf('render')
  return runInScope(scope, () =>
    runGuards(
      standing as unknown as StandingFile[],
      { scope } as unknown as PageRequest,
      { modules } as unknown as PageApp,
    ),
  )
}

test('what a layout waits for beside its output may fail without being heard', async () => {
  const failure = guardBy(() => {
    gate(Promise.reject(new Error('the weather is away')))
    return null
  })
  expect(failure).toBeNull()
  await turn()
  expect(unhandled).not.toHaveBeenCalled()
})

function RequireUser(): ReactNode {
  throw new Error('not for you')
}

test('components in what a layout returns are not asked', () => {
  expect(guardBy(() => createElement(RequireUser))).toBeNull()
})
