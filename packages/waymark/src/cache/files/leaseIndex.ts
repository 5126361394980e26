import type { LeaseLine } from './leaseFormat.ts'

/** Where in the log a line stands. */
export type LinePlace = {
  readonly generation: number
  readonly offset: number
  readonly bytes: number
}

/** What the log says about a name. */
export type FoundLease =
  | { readonly kind: 'running'; readonly owner: string; readonly isGone: boolean }
  | { readonly kind: 'done'; readonly place: LinePlace }

/**
 * What has come of the claims in a log. All processes read the same lines in the same order, and
 * so agree on whose a claim is.
 */
export type LeaseIndex = {
  apply(line: LeaseLine, place: LinePlace): void
  find(name: string, nowMs: number): FoundLease | null
  /** Tells whether nothing of a file of the log will be asked for. */
  isOver(generation: number, nowMs: number): boolean
  /**
   * Forgets what one file of the log has said, but for names that are not over: though their
   * results are lost, they must not be claimed anew. Of those with a result, 200,000 at most.
   */
  forget(generation: number, nowMs: number): void
  forgetAll(): void
}

/** Makes an empty one. @param leaseMs an owner that was not heard of for so long is gone */
export function createLeaseIndex(leaseMs: number): LeaseIndex {
  const running = createRunning(leaseMs)
  const done = createDone()

  return {
    apply(line, place) {
      switch (line.kind) {
        case 'claimed':
          if (!running.has(line.name) && !done.find(line.name, line.atMs))
            running.begin(line, place)
          return
        case 'taken over':
          if (running.ownerOf(line.name) === line.from) running.begin(line, place)
          return
        case 'released':
          if (running.ownerOf(line.name) === line.owner) running.end(line.name)
          return
        case 'done':
          // The first counts, whoever it is by: it may have been given to somebody.
          if (running.has(line.name) || !done.has(line.name)) done.add(line, place)
          running.end(line.name)
          return
        case 'lives':
          running.hear(line)
          return
        case 'ended':
          return
      }
    },
    find(name, nowMs) {
      const owner = running.ownerOf(name)
      if (owner !== null) return { kind: 'running', owner, isGone: running.isGone(name, nowMs) }
      const place = done.find(name, nowMs)
      return place && { kind: 'done', place }
    },
    isOver: (generation, nowMs) => done.isOver(generation, nowMs) && !running.isBegunIn(generation),
    forget(generation, nowMs) {
      done.forget(generation, nowMs)
      running.forget(generation, nowMs)
    },
    forgetAll() {
      done.forgetAll()
      running.forgetAll()
    },
  }
}

type Begun = Extract<LeaseLine, { readonly owner: string; readonly atMs: number }>

type Running = { readonly owner: string; readonly sinceMs: number; readonly generation: number }

/** Names that somebody is at. */
function createRunning(leaseMs: number) {
  const all = new Map<string, Running>()
  const heardAtMs = new Map<string, number>()

  function isGone(name: string, nowMs: number): boolean {
    const { owner, sinceMs } = all.get(name) ?? { owner: '', sinceMs: 0 }
    const lastMs = Math.max(sinceMs, heardAtMs.get(processOf(owner)) ?? 0)
    // One that was heard of in the future wrote before the clock was set back.
    return Math.abs(nowMs - lastMs) > leaseMs
  }

  return {
    has: (name: string) => all.has(name),
    ownerOf: (name: string) => all.get(name)?.owner ?? null,
    begin({ name, owner, atMs }: Begun, { generation }: LinePlace): void {
      all.set(copyOf(name), { owner: copyOf(owner), sinceMs: atMs, generation })
    },
    end: (name: string) => void all.delete(name),
    hear({ self, atMs }: Extract<LeaseLine, { kind: 'lives' }>): void {
      heardAtMs.set(copyOf(self), atMs)
    },
    isGone,
    isBegunIn: (generation: number) =>
      [...all.values()].some((each) => each.generation === generation),
    forget(generation: number, nowMs: number): void {
      for (const [name, each] of all) {
        if (each.generation === generation && isGone(name, nowMs)) all.delete(name)
      }
      const left = new Set([...all.values()].map(({ owner }) => processOf(owner)))
      for (const self of heardAtMs.keys()) if (!left.has(self)) heardAtMs.delete(self)
    },
    forgetAll(): void {
      all.clear()
      heardAtMs.clear()
    },
  }
}

// 24 MB of memory.
const maxDone = 200_000

type Done = LinePlace & { readonly expireAtMs: number }

/** Names with a result. */
function createDone() {
  // In the order of the log: those of the oldest file come first.
  const all = new Map<string, Done>()

  return {
    has: (name: string) => all.has(name),
    find(name: string, nowMs: number): Done | null {
      const found = all.get(name)
      return found && found.expireAtMs > nowMs ? found : null
    },
    add({ name, expireAtMs }: Extract<LeaseLine, { kind: 'done' }>, place: LinePlace): void {
      const { generation, offset, bytes } = place
      // At the end, also where there was one that is over.
      all.delete(name)
      all.set(copyOf(name), { generation, offset, bytes, expireAtMs })
    },
    isOver(generation: number, nowMs: number): boolean {
      for (const each of all.values()) {
        if (each.generation > generation) break
        if (each.generation === generation && each.expireAtMs > nowMs) return false
      }
      return true
    },
    forget(generation: number, nowMs: number): void {
      let tooMany = all.size - maxDone
      for (const [name, each] of all) {
        if (each.generation > generation) break
        if (each.expireAtMs <= nowMs || tooMany-- > 0) all.delete(name)
      }
    },
    forgetAll: () => all.clear(),
  }
}

function processOf(owner: string): string {
  return owner.slice(0, owner.indexOf('.'))
}

/** V8 keeps a part of a text as a view of all of it, and so would keep the whole line. */
function copyOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}
