import type { CacheDriver } from '../../cache/driver.ts'
import type { HeaderLines } from '../../shared/answer.ts'
import type { StoredResponse } from './keptAnswer.ts'

/** The part of a cache driver by which replicas find each other's answers. */
export type IdempotencyStore = Pick<CacheDriver, 'claim'>

/** What became of a submission, for replicas that are asked for it again. */
export type SharedOutcome = {
  readonly bodyHash: string
  /** Hashes of the credentials that it may be repeated with. */
  readonly credentials: readonly string[]
  /** `null` for one that can't be given again. */
  readonly answer: StoredResponse | null
}

/** What another replica has answered to a submission, or the right to answer it here. */
export type IdempotencyLease =
  | { readonly kind: 'answered'; readonly outcome: SharedOutcome }
  | {
      readonly kind: 'own'
      /** Tells other replicas. */
      share(outcome: SharedOutcome): Promise<void>
      /** It did not run. */
      release(): Promise<void>
    }
  /** Its answer is lost. */
  | { readonly kind: 'gone' }
  /** Another one runs it and has not answered in time, or nobody waits for it any more. */
  | { readonly kind: 'running' }

/** How long a result is kept, and how long one by somebody else is waited for. */
export type TurnOptions = {
  readonly keepMs: number
  readonly waitMs: number
  /** Aborts when nobody waits for it any more. Reading it is what costs. */
  readonly signal: () => AbortSignal
}

const firstWaitMs = 10
const longestWaitMs = 100

/** Takes the turn for a submission, over all replicas, or waits for the answer of the one that has it. */
export async function acquireIdempotencyLease(
  store: IdempotencyStore,
  identity: string,
  { keepMs, waitMs: askForMs, signal }: TurnOptions,
): Promise<IdempotencyLease> {
  const endMs = Date.now() + askForMs
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    const claim = await store.claim(`submission:${identity}`, keepMs)
    switch (claim.kind) {
      case 'ours':
        return {
          kind: 'own',
          share: (outcome) => claim.keep(writeOutcome(outcome)),
          release: claim.release,
        }
      case 'done': {
        const outcome = claim.result && readOutcome(claim.result)
        return outcome ? { kind: 'answered', outcome } : { kind: 'gone' }
      }
      case 'running':
        if (Date.now() >= endMs || signal().aborted) return { kind: 'running' }
        await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

type Head = {
  readonly bodyHash: string
  /** Not of older versions: what they wrote may be repeated by nobody. */
  readonly credentials?: readonly string[]
  /** Not of an answer that can't be given again. */
  readonly status?: number
  readonly headers?: HeaderLines
}

/** Writes an outcome as one line of JSON and the body of its answer. */
export function writeOutcome({ bodyHash, credentials, answer }: SharedOutcome): Uint8Array {
  const given = answer && { status: answer.status, headers: answer.headers }
  const head: Head = { bodyHash, credentials, ...given }
  const line = Buffer.from(`${JSON.stringify(head)}\n`)
  return answer ? Buffer.concat([line, answer.body]) : line
}

/** The inverse of `writeOutcome`. @returns `null` for anything else */
export function readOutcome(bytes: Uint8Array): SharedOutcome | null {
  const lineEnd = bytes.indexOf(0x0a)
  if (lineEnd === -1) return null
  try {
    const head = JSON.parse(Buffer.from(bytes.subarray(0, lineEnd)).toString()) as Head
    const { bodyHash, credentials = [], status, headers } = head
    if (status === undefined || headers === undefined) {
      return { bodyHash, credentials, answer: null }
    }
    const answer = { status, headers, body: bytes.subarray(lineEnd + 1) }
    return { bodyHash, credentials, answer }
  } catch {
    return null
  }
}
