import type { ReactElement } from 'react'
import { describe, expect, test } from 'vitest'
import { createGuard, type Guard, joinGuards } from './guard.ts'
import { createPageStatus } from './pageStatus.ts'
import type { SlotPath } from './slotPath.ts'

/** Creates a place that only has a guard, because the status reads nothing else. */
const placeBehind = (guard: Guard | null) => ({ guard }) as SlotPath

/** Renders the output of a part in the same way as React. */
const render = ({ type }: ReactElement) => (type as () => unknown)()

function throwing(thrown: unknown) {
  return () => {
    throw thrown
  }
}

describe('a status with a failure behind a layout that has not decided', () => {
  function failedBehind(signal?: AbortSignal) {
    const guard = createGuard(null)
    const status = createPageStatus({
      renderScreen: () => 'a screen',
      ...(signal && { client: { signal } }),
    })
    const layout = placeBehind(null)
    let decide = (_: Promise<string> | string) => {}
    const rendered = new Promise<string>((resolve) => {
      decide = resolve
    })
    const output = Promise.resolve(
      render(status.part({ place: layout, render: () => rendered, guard })),
    )
    const page = placeBehind(guard)
    render(status.part({ place: page, render: throwing('gone'), behind: guard }))
    status.close()
    const thrown = () => status.failures.map((failure) => failure.thrown)
    return { status, decide, output, thrown }
  }

  test('is decided once the layout has let it pass', async () => {
    const { status, decide, output, thrown } = failedBehind()
    expect(status.isSettled()).toBe(false)
    decide('the layout')
    await output
    expect(status.isSettled()).toBe(true)
    expect(thrown()).toEqual(['gone'])
  })

  test('also counts an error of the layout', async () => {
    const { status, decide, output, thrown } = failedBehind()
    decide(Promise.reject('forbidden'))
    await output
    expect(status.isSettled()).toBe(true)
    expect(thrown()).toContain('forbidden')
  })

  test('is decided without the failure if the client has left', () => {
    const client = new AbortController()
    const { status, thrown } = failedBehind(client.signal)
    client.abort()
    expect(status.isSettled()).toBe(true)
    expect(thrown()).toEqual([])
  })
})

describe('the screen of a part that failed after the status was decided', () => {
  function failedAfterStatus(renderScreen: () => Promise<string>) {
    const guard = createGuard(null)
    const status = createPageStatus({ renderScreen })
    status.close()
    const page = placeBehind(null)
    const screen = render(status.part({ place: page, render: throwing('gone'), behind: guard }))
    return { guard, screen: Promise.resolve(screen) }
  }

  test('is sent once the layouts around it let the request pass', async () => {
    const { guard, screen } = failedAfterStatus(async () => 'not found')
    guard.settle(true)
    expect(await screen).toBe('not found')
  })

  test('is not sent if they refuse, even if the screen itself fails', async () => {
    const { guard, screen } = failedAfterStatus(() => Promise.reject(new Error('unheard')))
    await new Promise(setImmediate)
    guard.settle(false)
    expect(await screen).toBeNull()
  })
})

test('a thenable that is not a promise is awaited', async () => {
  const status = createPageStatus({ renderScreen: () => null })
  const place = placeBehind(null)
  const thenable = {
    // biome-ignore lint/suspicious/noThenProperty: a thenable is under test
    then(resolve: (node: string) => void) {
      setImmediate(resolve, 'output')
    },
  }
  const screen = render(status.part({ place, render: () => thenable as unknown as string }))
  expect(status.isSettled()).toBe(false)
  expect(await screen).toBe('output')
  expect(status.isSettled()).toBe(true)
})

test('joined guards pass once all have passed, and refuse as soon as one refuses', () => {
  const first = createGuard(null)
  const second = createGuard(null)
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
