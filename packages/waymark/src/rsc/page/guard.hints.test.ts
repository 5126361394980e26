import type { ReactElement } from 'react'
import * as reactDom from 'react-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGuard, guardResourceHints } from './guard.ts'
import { createPageRun } from './pageRun.ts'

// React's own runtime is not under test, and needs a bundler.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))

const name = '__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
const internals = (reactDom as unknown as Record<string, { d: Record<string, unknown> }>)[name]
const before = { ...internals?.d }
const sent = vi.fn()

beforeEach(() => {
  sent.mockClear()
  for (const each of ['D', 'C', 'L', 'm', 'X', 'S', 'M'])
    Object.assign(internals?.d ?? {}, { [each]: sent })
})
afterEach(() => Object.assign(internals?.d ?? {}, before))

/** Renders a page that preloads, behind a layout that has not rendered. */
async function pageThatPreloads() {
  const guard = createGuard(null)
  const pageRun = createPageRun({ onLateFailure: () => 'late' })
  const page = () => {
    reactDom.preload('/secret.js', { as: 'script' })
    return 'page'
  }
  const element = pageRun.part({ place: null, render: page, behind: guard })
  const run = ({ type }: ReactElement) => (type as () => unknown)()
  const output = Promise.resolve(run(element)).then((node) =>
    typeof node === 'object' && node ? run(node as ReactElement) : node,
  )
  await new Promise(setImmediate)
  return { guard, pageRun, output }
}

const changed = {
  'React as it is': undefined,
  'a React that names a function otherwise': { d: { D: sent, C: sent } },
  'a React that has its internals elsewhere': {},
  'a React that does not call what is replaced': {
    d: { D: sent, C: sent, L: sent, m: sent, X: sent, S: sent, M: sent },
  },
}

test.each(Object.entries(changed))(
  '%s sends no hint before the layout has rendered',
  async (_, other) => {
    guardResourceHints(other)
    // It tries with a hint of its own.
    sent.mockClear()
    const { guard, output } = await pageThatPreloads()
    expect(sent).not.toHaveBeenCalled()
    guard.settle(true)
    expect(await output).toBe('page')
    expect(sent).toHaveBeenCalledTimes(1)
  },
)

test.each(Object.entries(changed))(
  '%s sends none behind a layout that refuses',
  async (_, other) => {
    guardResourceHints(other)
    // It tries with a hint of its own.
    sent.mockClear()
    const { guard, pageRun, output } = await pageThatPreloads()
    guard.settle(false)
    expect(await output).toBeNull()
    expect(sent).not.toHaveBeenCalled()
    expect(pageRun.isSettled()).toBe(true)
  },
)
