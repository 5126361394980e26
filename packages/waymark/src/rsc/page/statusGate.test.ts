import type { ReactElement } from 'react'
import { describe, expect, test } from 'vitest'
import { createOutputBarrier, type OutputBarrier } from './outputBarrier.ts'
import { guardResourceHints } from './resourceHints.ts'
import { createStatusGate } from './statusGate.ts'

// As `flight.ts` does it.
guardResourceHints()

type Place = { readonly name: string; readonly barrier: OutputBarrier | null }

const noBarriers = { outer: null, own: null }

/** Renders what a decider is, as React does. */
const render = ({ type }: ReactElement) => (type as () => unknown)()

function throwing(thrown: unknown) {
  return () => {
    throw thrown
  }
}

describe('a gate with a failure behind a layout that has not decided', () => {
  function failedBehind(signal?: AbortSignal) {
    const barrier = createOutputBarrier(null)
    const gate = createStatusGate<Place>(() => 'late', signal && { signal })
    const layout = { name: 'layout', barrier: null }
    let decide = (_: Promise<string> | string) => {}
    const rendered = new Promise<string>((resolve) => {
      decide = resolve
    })
    const own = { outer: null, own: barrier }
    const output = Promise.resolve(render(gate.decide(layout, () => rendered, own)))
    const page = { name: 'page', barrier }
    render(gate.decide(page, throwing('gone'), { outer: barrier, own: null }))
    gate.close()
    const thrown = () => gate.failures.map((failure) => failure.thrown)
    return { gate, decide, output, thrown }
  }

  test('closes once the layout has let it pass', async () => {
    const { gate, decide, output, thrown } = failedBehind()
    expect(gate.isSettled()).toBe(false)
    decide('the layout')
    await output
    expect(gate.isSettled()).toBe(true)
    expect(thrown()).toEqual(['gone'])
  })

  test('counts what the layout throws, too', async () => {
    const { gate, decide, output, thrown } = failedBehind()
    decide(Promise.reject('forbidden'))
    await output
    expect(gate.isSettled()).toBe(true)
    expect(thrown()).toContain('forbidden')
  })

  test('closes without the failure when the client has left', () => {
    const client = new AbortController()
    const { gate, thrown } = failedBehind(client.signal)
    client.abort()
    expect(gate.isSettled()).toBe(true)
    expect(thrown()).toEqual([])
  })
})

describe('what a decider shows that failed too late', () => {
  function failedLate(onLate: () => Promise<string>) {
    const barrier = createOutputBarrier(null)
    const gate = createStatusGate<Place>(onLate)
    gate.close()
    const page = { name: 'page', barrier: null }
    const shown = render(gate.decide(page, throwing('gone'), { outer: barrier, own: null }))
    return { barrier, shown: Promise.resolve(shown) }
  }

  test('is shown once those around it let it pass', async () => {
    const { barrier, shown } = failedLate(async () => 'not found')
    barrier.settle(true)
    expect(await shown).toBe('not found')
  })

  test('is nothing where they refuse, whatever it is', async () => {
    const { barrier, shown } = failedLate(() => Promise.reject(new Error('unheard')))
    await new Promise(setImmediate)
    barrier.settle(false)
    expect(await shown).toBeNull()
  })
})

test('a thenable is awaited though it is no promise', async () => {
  const gate = createStatusGate<Place>(() => null)
  const place = { name: 'layout', barrier: null }
  const thenable = {
    // biome-ignore lint/suspicious/noThenProperty: it is what is tested
    then(resolve: (node: string) => void) {
      setImmediate(resolve, 'output')
    },
  }
  const shown = render(gate.decide(place, () => thenable as unknown as string, noBarriers))
  expect(gate.isSettled()).toBe(false)
  expect(await shown).toBe('output')
  expect(gate.isSettled()).toBe(true)
})

test('what React throws to interrupt a render is no failure', () => {
  const gate = createStatusGate<Place>(() => null)
  const suspension = new Error('Suspense Exception: this is not a real error!')
  const decider = gate.decide({ name: 'layout', barrier: null }, throwing(suspension), noBarriers)
  expect(() => render(decider)).toThrow(suspension)
  expect(gate.failures).toEqual([])
  expect(gate.isSettled()).toBe(false)
})
