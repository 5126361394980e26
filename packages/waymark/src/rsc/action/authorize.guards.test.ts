import { createElement, type ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { timedOut } from '../../shared/promises.ts'
import type { PageApp, PageRequest } from '../page/pageRequest.ts'
import { gate } from '../request/api.ts'
import { runInScope } from '../request/scope.ts'
import { scopeOf, turn } from '../request/testing/scopeOf.ts'
import { type GuardFile, runGuards } from './authorize.ts'

// Use React's real renderer, with the `use` that belongs to it.
vi.mock('react', async (original) => {
  const { loadReactOfServer } = await import('./testing/serverReact.ts')
  return { ...(await original<typeof import('react')>()), use: loadReactOfServer().use }
})
// Replace only plugin-rsc's module lookup.
vi.mock('@vitejs/plugin-rsc/rsc.node', async () => {
  const { loadServerReact } = await import('./testing/serverReact.ts')
  const { renderToPipeableStream } = loadServerReact()
  return {
    renderToPipeableStream: (model: unknown, options: object) =>
      renderToPipeableStream(model, {}, options),
  }
})

vi.stubEnv('DEV', false)
const unhandled = vi.fn()
process.on('unhandledRejection', unhandled)
afterEach(() => void process.off('unhandledRejection', unhandled))

/** Runs a single guard, as for an action inside it. */
function guardBy(layout: () => ReactNode | PromiseLike<ReactNode>, withinMs = 10_000) {
  const standing = [
    { file: 'app/layout.tsx', segment: { kind: 'folder', params: {} }, place: null },
  ]
  const modules = { load: () => ({ module: { default: layout } }) }
  const scope = scopeOf('render')
  return runInScope(scope, () =>
    runGuards(standing as unknown as GuardFile[], {
      page: { scope } as unknown as PageRequest,
      app: { modules } as unknown as PageApp,
      withinMs,
    }),
  )
}

test('a promise that a layout does not await may reject without effect', async () => {
  const failure = await guardBy(() => {
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

test('components in the output of a layout do not run', async () => {
  expect(await guardBy(() => createElement(RequireUser))).toBeNull()
})

/** An object with a `then` that is not a Promise, such as a query builder. */
function thenable(decide: () => Promise<ReactNode>): PromiseLike<ReactNode> {
  // biome-ignore lint/suspicious/noThenProperty: thenables are under test
  return { then: (...listeners) => decide().then(...listeners) }
}

test('a layout that returns a thenable is awaited', async () => {
  const refusal = new Error('not for you')
  const refuses = thenable(async () => {
    await turn()
    throw refusal
  })
  expect(await guardBy(() => refuses)).toMatchObject({ thrown: refusal })
  expect(await guardBy(() => thenable(async () => 'fine'))).toBeNull()
})

test('a layout that never decides does not let the action run', async () => {
  expect(await guardBy(() => thenable(() => new Promise(() => {})), 30)).toBe(timedOut)
  expect(await guardBy(async () => new Promise(() => {}), 30)).toBe(timedOut)
})
