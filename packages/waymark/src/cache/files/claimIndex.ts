import type { ClaimLine } from './claimLines.ts'

/** Where in the log a line stands. */
export type LinePlace = {
  readonly generation: number
  readonly offset: number
  readonly bytes: number
}

/** What the log says about a name. */
export type FoundClaim =
  | { readonly kind: 'running'; readonly owner: string; readonly isGone: boolean }
  | { readonly kind: 'done'; readonly place: LinePlace }

/**
 * What has come of the claims in a log. All processes read the same lines in the same order, and
 * so agree on whose a claim is.
 */
export type ClaimIndex = {
  apply(line: ClaimLine, place: LinePlace): void
  find(name: string, nowMs: number): FoundClaim | null
  /** Tells whether a file of the log holds nothing any more that would be asked for. */
  isOver(generation: number, nowMs: number): boolean
  /** Forgets what one file of the log has said. */
  forget(generation: number): void
  forgetAll(): void
}

type Running = { readonly owner: string; readonly sinceMs: number; readonly generation: number }

type Begun = Extract<ClaimLine, { readonly owner: string; readonly atMs: number }>

type Done = LinePlace & { readonly expireAtMs: number }

/** Makes an empty one. @param leaseMs an owner that was not heard of for so long is gone */
export function createClaimIndex(leaseMs: number): ClaimIndex {
  const running = new Map<string, Running>()
  // In the order of the log: those of the oldest file come first.
  const done = new Map<string, Done>()
  const heardAtMs = new Map<string, number>()

  function findDone(name: string, nowMs: number): Done | null {
    const found = done.get(name)
    return found && found.expireAtMs > nowMs ? found : null
  }

  function isGone({ owner, sinceMs }: Running, nowMs: number): boolean {
    const self = owner.slice(0, owner.indexOf('.'))
    const lastMs = Math.max(sinceMs, heardAtMs.get(self) ?? 0)
    // One that was heard of in the future wrote before the clock was set back.
    return Math.abs(nowMs - lastMs) > leaseMs
  }

  function begin({ name, owner, atMs }: Begun, { generation }: LinePlace): void {
    running.set(copyOf(name), { owner: copyOf(owner), sinceMs: atMs, generation })
  }

  function finish(name: string, expireAtMs: number, place: LinePlace): void {
    const { generation, offset, bytes } = place
    // At the end, also where there was one that is over.
    done.delete(name)
    done.set(copyOf(name), { generation, offset, bytes, expireAtMs })
    running.delete(name)
  }

  return {
    apply(line, place) {
      switch (line.kind) {
        case 'claimed':
          if (!running.has(line.name) && !findDone(line.name, line.atMs)) begin(line, place)
          return
        case 'taken over':
          if (running.get(line.name)?.owner === line.from) begin(line, place)
          return
        case 'released':
          if (running.get(line.name)?.owner === line.owner) running.delete(line.name)
          return
        case 'done':
          // The first counts, whoever it is by: it may have been given to somebody.
          if (running.has(line.name) || !done.has(line.name)) {
            finish(line.name, line.expireAtMs, place)
          }
          return
        case 'lives':
          heardAtMs.set(line.self, line.atMs)
          return
        case 'ended':
          return
      }
    },
    find(name, nowMs) {
      const found = running.get(name)
      if (found) return { kind: 'running', owner: found.owner, isGone: isGone(found, nowMs) }
      const place = findDone(name, nowMs)
      return place && { kind: 'done', place }
    },
    isOver(generation, nowMs) {
      for (const each of done.values()) {
        if (each.generation > generation) break
        if (each.generation === generation && each.expireAtMs > nowMs) return false
      }
      return ![...running.values()].some((each) => each.generation === generation)
    },
    forget(generation) {
      for (const [name, each] of done) {
        if (each.generation > generation) break
        if (each.generation === generation) done.delete(name)
      }
      for (const [name, each] of running) if (each.generation === generation) running.delete(name)
      const owners = new Set([...running.values()].map(({ owner }) => owner.split('.')[0]))
      for (const self of heardAtMs.keys()) if (!owners.has(self)) heardAtMs.delete(self)
    },
    forgetAll() {
      for (const each of [running, done, heardAtMs]) each.clear()
    },
  }
}

/** V8 keeps a part of a text as a view of all of it, and so would keep the whole line. */
function copyOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}
