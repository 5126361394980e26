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

test('what a layout waits for beside its output may fail without being heard', async () => {
  const layout = () => {
    gate(Promise.reject(new Error('the weather is away')))
    return null
  }
  const standing = [
    { file: 'app/layout.tsx', segment: { kind: 'folder', params: {} }, place: null },
  ]
  const modules = { load: () => ({ module: { default: layout } }) }
  const scope = scopeOf('render')
  const failure = runInScope(scope, () =>
    runGuards(
      standing as unknown as StandingFile[],
      { scope } as unknown as PageRequest,
      { modules } as unknown as PageApp,
    ),
  )
  expect(failure).toBeNull()
  await turn()
  expect(unhandled).not.toHaveBeenCalled()
})
