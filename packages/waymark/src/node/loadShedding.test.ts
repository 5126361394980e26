import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLoadShedding, type EventLoop, type LoadSheddingOptions } from './loadShedding.ts'

/** An event loop on a simulated clock. Only `work` and `sleep` let time pass. */
function createSimulatedLoop() {
  let nowMs = 0
  let idleMs = 0
  let timers: { readonly atMs: number; readonly run: () => void }[] = []
  let immediates: (() => void)[] = []
  let settled: (() => void)[] = []
  const loop: EventLoop = {
    now: () => nowMs,
    idleMs: () => idleMs,
    cpuMs: () => nowMs - idleMs,
    after: (ms, run) => void timers.push({ atMs: nowMs + ms, run }),
    nextTurn: (run) => void immediates.push(run),
    settle: (run) => void settled.push(run),
  }
  return {
    loop,
    now: () => nowMs,
    work(ms: number) {
      nowMs += ms
    },
    hasImmediates: () => immediates.length > 0,
    nextTimerMs: () => Math.min(...timers.map(({ atMs }) => atMs)),
    sleepUntil(atMs: number) {
      idleMs += Math.max(0, atMs - nowMs)
      nowMs = Math.max(nowMs, atMs)
    },
    /** Runs one turn: timers, then what `read` does, then immediates. */
    turn(read: () => void) {
      const due = timers.filter(({ atMs }) => atMs <= nowMs)
      timers = timers.filter(({ atMs }) => atMs > nowMs)
      for (const { run } of due) run()
      read()
      const current = immediates
      immediates = []
      const errors: unknown[] = []
      for (const run of current) {
        try {
          run()
        } catch (error) {
          errors.push(error)
        }
        for (let next = settled.shift(); next; next = settled.shift()) next()
      }
      settled = []
      return errors
    },
  }
}

type Load = {
  /** Times of the requests in milliseconds. */
  readonly arrivals: readonly number[]
  /** Milliseconds of work of a response, and of a refusal. */
  readonly costMs: number | ((index: number) => number)
  /** Milliseconds for which a request waits for data, between the halves of its work. */
  readonly dataMs?: number
  readonly refusalMs?: number
  readonly options?: Partial<LoadSheddingOptions>
  /** Blocks the loop once, at a time and for some milliseconds. */
  readonly pause?: { readonly atMs: number; readonly forMs: number }
}

/** Serves requests until all are served or refused. They are warm, unless they start at 0. */
function serve({ arrivals, costMs, dataMs = 0, refusalMs = 0, options, pause }: Load) {
  const simulated = createSimulatedLoop()
  const events: string[] = []
  const shedding = createLoadShedding({
    maxRunning: 1_000,
    loop: simulated.loop,
    onOverload: () => events.push('overload'),
    onRecovery: ({ refused }) => events.push(`recovery after ${refused}`),
    ...options,
  })
  const latenciesMs: number[] = []
  const order: number[] = []
  let refused = 0
  let next = 0
  let isPaused = false
  const read = () => {
    // A turn reads the requests that had arrived when it began.
    const readAtMs = simulated.now()
    while (next < arrivals.length && (arrivals[next] as number) <= readAtMs) {
      const index = next++
      const arrivedMs = arrivals[index] as number
      const halfMs = (typeof costMs === 'number' ? costMs : costMs(index)) / 2
      const finish = () => {
        simulated.work(halfMs)
        order.push(index)
        latenciesMs.push(simulated.now() - arrivedMs)
      }
      const run = () => {
        simulated.work(halfMs)
        if (dataMs === 0) return finish()
        shedding.track(afterData(finish))
      }
      const afterData = (finish: () => void) => {
        const then = (end: () => void) =>
          simulated.loop.after(dataMs, () => {
            finish()
            end()
          })
        // Settles in the turn in which the data arrives, unlike a promise.
        return { then } as unknown as Promise<void>
      }
      const decision = shedding.admit(false)
      if (decision === 'run') run()
      else if (decision === 'wait') shedding.wait({ isGone: () => false, run })
      else {
        shedding.refused()
        refused++
        simulated.work(refusalMs)
      }
    }
  }
  while (latenciesMs.length + refused < arrivals.length) {
    if (pause && !isPaused && simulated.now() >= pause.atMs) {
      isPaused = true
      simulated.work(pause.forMs)
    }
    const wakesAtMs = Math.min(arrivals[next] ?? Number.POSITIVE_INFINITY, simulated.nextTimerMs())
    if (!simulated.hasImmediates()) simulated.sleepUntil(wakesAtMs)
    simulated.turn(read)
  }
  const recover = () => {
    for (let ms = 0; ms < 15_000; ms += 5) {
      simulated.sleepUntil(simulated.now() + 5)
      simulated.turn(() => {})
    }
  }
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const p99Ms = sorted[Math.floor(sorted.length * 0.99)] ?? 0
  return { served: latenciesMs.length, refused, p99Ms, order, events, shedding, recover }
}

/** One request to warm up, then a steady load after 20 s. */
function steady(perSecond: number, seconds: number): readonly number[] {
  const count = perSecond * seconds
  return [0, ...Array.from({ length: count }, (_, at) => 20_000 + (at * 1000) / perSecond)]
}

function burst(count: number, atMs = 20_000): readonly number[] {
  return [0, ...Array.from({ length: count }, () => atMs)]
}

describe('a server with time left', () => {
  it.each([
    ['at nine tenths of its highest load', steady(450, 20), 2],
    ['in a burst of a second of work', burst(500), 2],
    ['with pages that take 100 ms', burst(15), 100],
    ['when it has just started', burst(800, 0), 20],
  ])('refuses nothing %s', (_, arrivals, costMs) => {
    const { refused, events } = serve({ arrivals, costMs })
    expect([refused, events]).toEqual([0, []])
  })

  it.each([
    ['garbage collection', 300],
    ['a debugger or a laptop that sleeps', 60_000],
  ])('refuses nothing because of %s', (_, forMs) => {
    const arrivals = [...steady(100, 2), ...Array.from({ length: 20 }, (_, at) => 90_000 + at * 10)]
    const { refused } = serve({ arrivals, costMs: 5, pause: { atMs: 20_500, forMs } })
    expect(refused).toBe(0)
  })
})

it('refuses nothing of a burst after an overload by slower pages', () => {
  const slow = steady(20, 20)
  const burst = Array.from({ length: 300 }, () => 90_000)
  const costMs = (index: number) => (index < slow.length ? 100 : 1)
  const { order } = serve({ arrivals: [...slow, ...burst], costMs })
  expect(order.filter((index) => index >= slow.length)).toHaveLength(burst.length)
})

describe('an overloaded server', () => {
  const overload = { arrivals: steady(2_000, 3), costMs: 2 }

  it.each([
    [2, 0.9, 1_000],
    [3, 0.85, 1_100],
    [10, 0.5, 2_000],
  ])('at %d times the highest load keeps most of its throughput', (factor, share, maxMs) => {
    const arrivals = steady(500 * factor, 20)
    const { served, refused, p99Ms } = serve({ arrivals, costMs: 2, refusalMs: 0.1 })
    expect(served).toBeGreaterThan(500 * 20 * share)
    expect(served + refused).toBe(arrivals.length)
    expect(p99Ms).toBeLessThan(maxMs)
  })

  it.each([20, 150, 1_000])('keeps its throughput if pages wait %d ms for data', (dataMs) => {
    const arrivals = steady(1_000, 20)
    const { served, refused } = serve({ arrivals, costMs: 2, dataMs, refusalMs: 0.1 })
    expect(served).toBeGreaterThan(500 * 20 * 0.9)
    expect(served + refused).toBe(arrivals.length)
  })

  it('serves requests in the order in which they arrived', () => {
    const { order } = serve({ arrivals: steady(1_000, 2), costMs: 2 })
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  })

  it('bounds the number of waiting requests', () => {
    const options = { maxQueued: 50 }
    const arrivals = Array.from({ length: 100 }, (_, at) => at)
    expect(serve({ arrivals, costMs: 100, options }).refused).toBeGreaterThan(20)
  })

  it('refuses nothing while fewer than 100 requests wait', () => {
    const burst = Array.from({ length: 90 }, () => 15_000)
    // Almost one more for each response.
    const next = Array.from({ length: 300 }, (_, index) => 15_000 + 9 * index)
    const arrivals = [0, ...burst, ...next].toSorted((a, b) => a - b)
    expect(serve({ arrivals, costMs: 8 }).refused).toBe(0)
  })

  it('serves and recovers although a callback fails', () => {
    const fail = () => {
      throw new Error('The log is full.')
    }
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => log.mockRestore())
    const options = { onOverload: fail, onRecovery: fail }
    const { refused, served, shedding, recover } = serve({ ...overload, options })
    expect(served + refused).toBe(overload.arrivals.length)
    recover()
    expect(log).toHaveBeenCalledTimes(2)
    expect(shedding.admit(false)).toBe('run')
  })

  it('reports each overload once, with the number of refused requests', () => {
    const { refused, events, recover, shedding } = serve(overload)
    expect(events).toEqual(['overload'])
    expect(shedding.counts()).toEqual({ waitingRequests: 0, refusedRequests: refused })
    recover()
    expect(events).toEqual(['overload', `recovery after ${refused}`])
  })
})

describe('a saturated loop', () => {
  /** A server whose loop has had no idle time for a while. */
  function saturate() {
    const simulated = createSimulatedLoop()
    const shedding = createLoadShedding({ maxRunning: 1_000, loop: simulated.loop })
    shedding.admit(false)
    // By then, V8 has compiled the app.
    simulated.sleepUntil(20_000)
    simulated.turn(() => {})
    shedding.admit(false)
    const busyTurn = () => {
      simulated.work(20)
      simulated.turn(() => {})
    }
    for (let turns = 0; turns < 10; turns++) busyTurn()
    const ran: string[] = []
    const wait = (name: string, costMs: number, isGone = () => false) => {
      expect(shedding.admit(false)).toBe('wait')
      const run = () => {
        simulated.work(costMs)
        ran.push(name)
      }
      shedding.wait({ isGone, run })
    }
    return { simulated, shedding, ran, wait }
  }

  it('starts only as many requests in a turn as take six milliseconds', () => {
    const { simulated, ran, wait } = saturate()
    for (const name of ['a', 'b', 'c', 'd']) wait(name, 4)
    simulated.turn(() => {})
    expect(ran).toEqual(['a', 'b'])
    simulated.turn(() => {})
    expect(ran).toEqual(['a', 'b', 'c', 'd'])
  })

  it('accepts connections before it starts requests', () => {
    const { simulated, shedding, ran, wait } = saturate()
    wait('a', 2)
    for (let turns = 0; turns < 3; turns++) {
      simulated.turn(() => shedding.accepted())
      expect(ran).toEqual([])
    }
    simulated.turn(() => {})
    expect(ran).toEqual(['a'])
  })

  it('starts requests although connections never stop to arrive', () => {
    const { simulated, shedding, ran, wait } = saturate()
    wait('a', 2)
    for (let turns = 0; turns < 20; turns++) {
      simulated.turn(() => {
        simulated.work(1)
        shedding.accepted()
      })
    }
    expect(ran).toEqual(['a'])
  })

  it('leaves out requests whose clients have left', () => {
    const { simulated, ran, wait } = saturate()
    wait('gone', 0.1, () => true)
    wait('b', 0.1)
    simulated.turn(() => {})
    expect(ran).toEqual(['b'])
  })

  it('starts the next request although one throws', () => {
    const { simulated, shedding, ran, wait } = saturate()
    const error = new Error('A request failed.')
    const run = () => {
      throw error
    }
    shedding.wait({ isGone: () => false, run })
    wait('b', 0.1)
    expect(simulated.turn(() => {})).toEqual([error])
    expect(ran).toEqual(['b'])
  })

  it('expects that as many clients leave as before', () => {
    const { simulated, shedding, wait } = saturate()
    for (let count = 0; count < 10; count++) wait('patient', 6)
    for (let turns = 0; turns < 100; turns++) {
      for (let count = 0; count < 3; count++) wait('gone', 0, () => true)
      wait('patient', 6)
      simulated.turn(() => {})
    }
    // About 130 requests wait. The quarter that stays takes less than 200 ms.
    for (let count = 0; count < 90; count++) shedding.wait({ isGone: () => false, run() {} })
    expect(shedding.admit(false)).toBe('wait')
  })

  it('refuses prefetches first', () => {
    const arrivals = steady(800, 3)
    const simulated = serve({ arrivals, costMs: 2 })
    // The queue of the burst has been served, so fill it again with the known rate.
    const { shedding } = simulated
    for (let count = 0; count < 100; count++) shedding.wait({ isGone: () => false, run() {} })
    expect([shedding.admit(true), shedding.admit(false)]).toEqual(['refuse', 'wait'])
  })

  it('starts more requests at a time once they only wait for data', async () => {
    const { simulated, shedding } = saturate()
    let running = 0
    const run = () => {
      running++
      shedding.track(new Promise(() => {}))
    }
    for (let count = 0; count < 200; count++) shedding.wait({ isGone: () => false, run })
    for (let turns = 0; turns < 100 && running < 200; turns++) {
      if (!simulated.hasImmediates()) simulated.sleepUntil(simulated.now() + 10)
      simulated.turn(() => {})
    }
    expect(running).toBe(200)
  })
})
