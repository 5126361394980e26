import { createElement, type ReactElement, type use } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'

// Mock React's runtime, because it needs a bundler and isn't under test.
vi.mock('@vitejs/plugin-rsc/rsc.node', () => ({}))

const waiting = new Error('waits')

beforeEach(() => vi.resetModules())

/**
 * Creates a renderer like React's, in which a component that throws has failed, unless `use` threw to interrupt the
 * component.
 */
function createRenderer(interruption: () => unknown, isFailure: (thrown: unknown) => boolean) {
  const waitFor = (() => {
    throw interruption()
  }) as typeof use
  const abort = vi.fn()
  const render = (node: unknown, { onError }: { onError: (thrown: unknown) => string }) => {
    queueMicrotask(() => {
      try {
        ;((node as ReactElement).type as () => unknown)()
      } catch (thrown) {
        if (isFailure(thrown)) onError(thrown)
      }
    })
    return { abort }
  }
  return { waitFor, render, abort }
}

/** Observes a renderer, then renders a layout that suspends. */
async function runWaitingLayout({ waitFor, render, abort }: ReturnType<typeof createRenderer>) {
  const { observeSuspension } = await import('./suspension.ts')
  const { createPageStatus } = await import('./pageStatus.ts')
  observeSuspension(render, waitFor)
  await Promise.resolve()
  await Promise.resolve()
  expect(abort).toHaveBeenCalledTimes(1)
  const status = createPageStatus({ renderScreen: () => null })
  const layout = () => createElement('p', null, waitFor(new Promise<string>(() => {})))
  const element = status.part({ place: null, render: layout })
  let thrown: unknown = null
  try {
    ;(element.type as () => unknown)()
  } catch (error) {
    thrown = error
  }
  return { status, thrown }
}

test('a suspended layout does not count as failed', async () => {
  const { status, thrown } = await runWaitingLayout(
    createRenderer(
      () => waiting,
      () => false,
    ),
  )
  expect(thrown).toBe(waiting)
  expect(status.failures).toEqual([])
  expect(status.isSettled()).toBe(false)
})

test('if React throws another object each time, a suspended layout counts as failed', async () => {
  const { status, thrown } = await runWaitingLayout(
    createRenderer(
      () => new Error(),
      () => false,
    ),
  )
  expect(thrown).toBeNull()
  expect(status.failures).toHaveLength(1)
  expect(status.isSettled()).toBe(true)
})

test('if React reports the object that `use` throws as an error, the layout counts as failed', async () => {
  const { status, thrown } = await runWaitingLayout(
    createRenderer(
      () => waiting,
      () => true,
    ),
  )
  expect(thrown).toBeNull()
  expect(status.failures).toHaveLength(1)
})
