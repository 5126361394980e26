import type { ReactElement } from 'react'
import { expect, test, vi } from 'vitest'
import { createGuard, type Guard, guardedHint } from './guard.ts'
import { createPageStatus } from './pageStatus.ts'

// Mock React's runtime, because it needs a bundler and isn't under test.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))

/** Renders a page that calls `preload()`, inside a layout that hasn't rendered yet. */
function pageThatPreloads() {
  const sent: string[] = []
  const preload = guardedHint((href: string) => void sent.push(href))
  const guard = createGuard(null)
  const status = createPageStatus({ renderScreen: () => 'late' })
  async function page() {
    preload('/first.js')
    await new Promise(setImmediate)
    preload('/second.js')
    return 'page'
  }
  const element: ReactElement = status.part({ place: null, render: page, behind: guard })
  const output = Promise.resolve((element.type as () => unknown)())
  return { sent, guard, status, output }
}

test('sends no hint before the layout has rendered', async () => {
  const { sent, guard, output } = pageThatPreloads()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(sent).toEqual([])
  guard.settle(true)
  expect(await output).toBe('page')
  expect(sent).toEqual(['/first.js', '/second.js'])
})

test('sends no hint from inside a layout that refuses', async () => {
  const { sent, guard, status, output } = pageThatPreloads()
  guard.settle(false)
  expect(await output).toBeNull()
  expect(sent).toEqual([])
  expect(status.isSettled()).toBe(true)
})

/** Renders a layout that calls `preload()`, and only lets the request pass after a wait. */
function layoutThatPreloads(around: Guard | null = null) {
  const sent: string[] = []
  const preload = guardedHint((href: string) => void sent.push(href))
  const status = createPageStatus({ renderScreen: () => 'a screen' })
  let decide: (hasPassed: boolean) => void = () => {}
  const decided = new Promise<void>((resolve, reject) => {
    decide = (hasPassed) => (hasPassed ? resolve() : reject(new Error('a redirect')))
  })
  async function layout() {
    preload('/layout.js')
    await decided
    preload('/decided.js')
    return 'layout'
  }
  const guard = createGuard(around)
  const element: ReactElement = status.part({ place: null, render: layout, behind: around, guard })
  const output = Promise.resolve((element.type as () => unknown)())
  return { sent, decide, output }
}

test('sends the hints of a layout once it lets the request pass', async () => {
  const { sent, decide, output } = layoutThatPreloads()
  await new Promise(setImmediate)
  expect(sent).toEqual([])
  decide(true)
  expect(await output).toBe('layout')
  expect(sent).toEqual(['/layout.js', '/decided.js'])
})

test('sends no hint of a layout that refuses', async () => {
  const { sent, decide, output } = layoutThatPreloads()
  decide(false)
  await output
  expect(sent).toEqual([])
})

test('sends no hint of a layout that passes inside one that refuses', async () => {
  const around = createGuard(null)
  const { sent, decide, output } = layoutThatPreloads(around)
  decide(true)
  await new Promise(setImmediate)
  expect(sent).toEqual([])
  around.settle(false)
  await output
  expect(sent).toEqual([])
})

test('sends a hint at once outside of layouts and pages, and if no layout can refuse', () => {
  const sent: string[] = []
  const preload = guardedHint((href: string) => void sent.push(href))
  preload('/outside.js')
  const status = createPageStatus({ renderScreen: () => 'late' })
  const render = () => {
    preload('/inside.js')
    return 'page'
  }
  const element = status.part({ place: null, render })
  ;(element.type as () => unknown)()
  expect(sent).toEqual(['/outside.js', '/inside.js'])
})
