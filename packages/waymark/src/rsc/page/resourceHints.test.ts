import type { ReactElement } from 'react'
import * as reactDom from 'react-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOutputBarrier } from './outputBarrier.ts'
import { guardResourceHints } from './resourceHints.ts'
import { createStatusGate } from './statusGate.ts'

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
  const barrier = createOutputBarrier(null)
  const gate = createStatusGate(() => 'late')
  const page = () => {
    reactDom.preload('/secret.js', { as: 'script' })
    return 'page'
  }
  const element = gate.decide(null, page, { outer: barrier, own: null })
  const run = ({ type }: ReactElement) => (type as () => unknown)()
  const output = Promise.resolve(run(element)).then((node) =>
    typeof node === 'object' && node ? run(node as ReactElement) : node,
  )
  await new Promise(setImmediate)
  return { barrier, gate, output }
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
    const { barrier, output } = await pageThatPreloads()
    expect(sent).not.toHaveBeenCalled()
    barrier.settle(true)
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
    const { barrier, gate, output } = await pageThatPreloads()
    barrier.settle(false)
    expect(await output).toBeNull()
    expect(sent).not.toHaveBeenCalled()
    expect(gate.isSettled()).toBe(true)
  },
)
