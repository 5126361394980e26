import { type LeaseLine, writeLeaseLine } from './claimLines.ts'
import type { LeaseLog } from './claimLog.ts'

/** What this process has claimed and not ended yet. */
export type OwnLeases = {
  add(claim: OwnLease): void
  /** Says how one ended; later, where the disk does not take it now. */
  end(owner: string, line: LeaseLine): Promise<void>
  close(): void
}

/** One of them. */
export type OwnLease = {
  readonly name: string
  readonly owner: string
  /** From then on others may have it. */
  readonly untilMs: number
}

/** What they need. */
export type OwnLeasesOptions = {
  readonly log: LeaseLog
  /** Tells this process from all others. */
  readonly self: string
  /** How often the others are told that this process lives. */
  readonly beatMs: number
  readonly now: () => number
}

// Of lines that a full disk has not taken, and that are tried again.
const maxUnsaidLength = 2 ** 20

/** Makes it. */
export function createOwnLeases({ log, self, beatMs, now }: OwnLeasesOptions): OwnLeases {
  const own = new Map<string, OwnLease>()
  let unsaid = ''

  async function end(owner: string, line: LeaseLine): Promise<void> {
    own.delete(owner)
    await say(writeLeaseLine(line))
  }

  async function say(text: string): Promise<void> {
    // Else the others would wait for it as long as this process lives.
    if (!(await log.append(text)) && unsaid.length < maxUnsaidLength) unsaid += text
  }

  /** Tells the others that this process lives, and what it could not tell them before. */
  async function beat(): Promise<void> {
    for (const { name, owner, untilMs } of own.values()) {
      if (untilMs <= now()) void end(owner, { kind: 'released', name, owner })
    }
    const text = unsaid
    unsaid = ''
    if (text !== '') await say(text)
    else if (own.size > 0) {
      await log.append(writeLeaseLine({ kind: 'lives', self, batch: 0, atMs: now() }))
    }
  }

  const timer = setInterval(() => void beat(), beatMs)
  timer.unref()

  return {
    add: (claim) => void own.set(claim.owner, claim),
    end,
    close: () => clearInterval(timer),
  }
}
