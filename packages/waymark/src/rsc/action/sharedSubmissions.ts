import { setTimeout as sleep } from 'node:timers/promises'
import type { CacheDriver } from '../../cache/driver.ts'
import type { HeaderLines } from '../../shared/answer.ts'
import type { KeptAnswer } from './keptAnswer.ts'

/** The part of a cache driver by which replicas find each other's answers. */
export type SharedStore = Pick<CacheDriver, 'claim'>

/** What another replica has answered to a submission, or the right to answer it here. */
export type SharedTurn =
  | { readonly kind: 'answered'; readonly bodyHash: string; readonly answer: KeptAnswer | null }
  | {
      readonly kind: 'own'
      /** Tells other replicas; `null` for an answer that can't be given again. */
      share(bodyHash: string, answer: KeptAnswer | null): Promise<void>
      /** It did not run. */
      release(): Promise<void>
    }
  /** Another one runs it and has not answered in time, or its answer is lost. */
  | { readonly kind: 'gone' }

const firstWaitMs = 10
const longestWaitMs = 100
const askForMs = 60_000

/** Takes the turn for a submission, over all replicas, or waits for the answer of the one that has it. */
export async function takeTurn(
  store: SharedStore,
  identity: string,
  keepMs: number,
): Promise<SharedTurn> {
  const endMs = Date.now() + askForMs
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    const claim = await store.claim(`submission:${identity}`, keepMs)
    switch (claim.kind) {
      case 'ours':
        return {
          kind: 'own',
          share: (bodyHash, answer) => claim.keep(writeKept(bodyHash, answer)),
          release: claim.release,
        }
      case 'done': {
        const read = claim.result && readKept(claim.result)
        return read ? { kind: 'answered', ...read } : { kind: 'gone' }
      }
      case 'running':
        if (Date.now() >= endMs) return { kind: 'gone' }
        await sleep(waitMs)
    }
  }
}

type Head = {
  readonly bodyHash: string
  /** Not of an answer that can't be given again. */
  readonly status?: number
  readonly headers?: HeaderLines
}

/** Writes an answer as one line of JSON and its body. */
export function writeKept(bodyHash: string, answer: KeptAnswer | null): Uint8Array {
  const head: Head = { bodyHash, ...(answer && { status: answer.status, headers: answer.headers }) }
  const line = Buffer.from(`${JSON.stringify(head)}\n`)
  return answer ? Buffer.concat([line, answer.body]) : line
}

/** The inverse of `writeKept`. @returns `null` for anything else */
export function readKept(
  bytes: Uint8Array,
): { readonly bodyHash: string; readonly answer: KeptAnswer | null } | null {
  const lineEnd = bytes.indexOf(0x0a)
  if (lineEnd === -1) return null
  try {
    const head = JSON.parse(Buffer.from(bytes.subarray(0, lineEnd)).toString()) as Head
    const { bodyHash, status, headers } = head
    if (status === undefined || headers === undefined) return { bodyHash, answer: null }
    return { bodyHash, answer: { status, headers, body: bytes.subarray(lineEnd + 1) } }
  } catch {
    return null
  }
}
