import type { ReactElement } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { createGuard, type Guard, joinGuards } from './guard.ts'
import { createPageRun } from './pageRun.ts'

// React's own runtime is not under test, and needs a bundler.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))

type Place = { readonly name: string; readonly guard: Guard | null }

/** Renders what a part is, as React does. */
const render = ({ type }: ReactElement) => (type as () => unknown)()

function throwing(thrown: unknown) {
  return () => {
    throw thrown
  }
}

describe('a run with a failure behind a layout that has not decided', () => {
  function failedBehind(signal?: AbortSignal) {
    const guard = createGuard(null)
    const run = createPageRun<Place>({
      onLateFailure: () => 'late',
      ...(signal && { client: { signal } }),
    })
    const layout = { name: 'layout', guard: null }
    let decide = (_: Promise<string> | string) => {}
    const rendered = new Promise<string>((resolve) => {
      decide = resolve
    })
    const output = Promise.resolve(
      render(run.part({ place: layout, render: () => rendered, guard })),
    )
    const page = { name: 'page', guard }
    render(run.part({ place: page, render: throwing('gone'), behind: guard }))
    run.close()
    const thrown = () => run.failures.map((failure) => failure.thrown)
    return { run, decide, output, thrown }
  }

  test('is decided once the layout has let it pass', async () => {
    const { run, decide, output, thrown } = failedBehind()
    expect(run.isSettled()).toBe(false)
    decide('the layout')
    await output
    expect(run.isSettled()).toBe(true)
    expect(thrown()).toEqual(['gone'])
  })

  test('counts what the layout throws, too', async () => {
    const { run, decide, output, thrown } = failedBehind()
    decide(Promise.reject('forbidden'))
    await output
    expect(run.isSettled()).toBe(true)
    expect(thrown()).toContain('forbidden')
  })

  test('is decided without the failure when the client has left', () => {
    const client = new AbortController()
    const { run, thrown } = failedBehind(client.signal)
    client.abort()
    expect(run.isSettled()).toBe(true)
    expect(thrown()).toEqual([])
  })
})

describe('what a part shows that failed too late', () => {
  function failedLate(onLate: () => Promise<string>) {
    const guard = createGuard(null)
    const run = createPageRun<Place>({ onLateFailure: onLate })
    run.close()
    const page = { name: 'page', guard: null }
    const shown = render(run.part({ place: page, render: throwing('gone'), behind: guard }))
    return { guard, shown: Promise.resolve(shown) }
  }

  test('is shown once those around it let it pass', async () => {
    const { guard, shown } = failedLate(async () => 'not found')
    guard.settle(true)
    expect(await shown).toBe('not found')
  })

  test('is nothing where they refuse, whatever it is', async () => {
    const { guard, shown } = failedLate(() => Promise.reject(new Error('unheard')))
    await new Promise(setImmediate)
    guard.settle(false)
    expect(await shown).toBeNull()
  })
})

test('a thenable is awaited though it is no promise', async () => {
  const run = createPageRun<Place>({ onLateFailure: () => null })
  const place = { name: 'layout', guard: null }
  const thenable = {
    // biome-ignore lint/suspicious/noThenProperty: it is what is tested
    then(resolve: (node: string) => void) {
      setImmediate(resolve, 'output')
    },
  }
  const shown = render(run.part({ place, render: () => thenable as unknown as string }))
  expect(run.isSettled()).toBe(false)
  expect(await shown).toBe('output')
  expect(run.isSettled()).toBe(true)
})

test('guards joined to one pass once all have, and refuse with the first that does', () => {
  const [first, second] = [createGuard(null), createGuard(null)]
  const both = joinGuards([first, null, second, first])
  first.settle(true)
  expect(both?.verdict).toBe('pending')
  second.settle(true)
  expect(both?.verdict).toBe('passed')
  const other = createGuard(null)
  const refused = joinGuards([first, other])
  other.settle(false)
  expect(refused?.verdict).toBe('refused')
  expect(joinGuards([null, undefined])).toBeNull()
  expect(joinGuards([first, first])).toBe(first)
})
