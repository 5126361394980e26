import { setTimeout as sleep } from 'node:timers/promises'
import type { CacheDriver, Release } from '../../cache/driver.ts'
import type { HeaderLines } from '../../shared/answer.ts'
import type { KeptAnswer } from './keptAnswer.ts'

/** The part of a cache driver by which replicas find each other's answers. */
export type SharedStore = Pick<CacheDriver, 'get' | 'set' | 'lock' | 'position'>

/** What another replica has answered to a submission, or the right to answer it here. */
export type SharedTurn =
  | { readonly kind: 'answered'; readonly bodyHash: string; readonly answer: KeptAnswer }
  | { readonly kind: 'own'; readonly release: Release }
  /** Another one runs it, and has not answered in time. */
  | { readonly kind: 'gone' }

const lockTtlMs = 120_000
const askEveryMs = 100
const askForMs = 60_000

/** Takes the turn for a submission, over all replicas, or waits for the answer of the one that has it. */
export async function takeTurn(store: SharedStore, identity: string): Promise<SharedTurn> {
  const name = keyOf(identity)
  const deadlineMs = Date.now() + askForMs
  while (Date.now() < deadlineMs) {
    const release = await store.lock(name, lockTtlMs)
    const kept = await store.get(name)
    const read = kept && readKept(kept.value)
    if (read) {
      await release?.()
      return { kind: 'answered', ...read }
    }
    if (release) return { kind: 'own', release }
    await sleep(askEveryMs)
  }
  return { kind: 'gone' }
}

/** Tells other replicas what a submission was answered with. */
export async function shareAnswer(
  store: SharedStore,
  identity: string,
  { bodyHash, answer, expiresAtMs }: SharedAnswer,
): Promise<void> {
  await store.set(keyOf(identity), {
    value: writeKept(bodyHash, answer),
    tags: [],
    storedAtMs: Date.now(),
    revalidateAtMs: null,
    expireAtMs: expiresAtMs,
    position: store.position(),
  })
}

/** An answer as replicas share it. */
export type SharedAnswer = {
  readonly bodyHash: string
  readonly answer: KeptAnswer
  readonly expiresAtMs: number
}

type Head = { readonly bodyHash: string; readonly status: number; readonly headers: HeaderLines }

/** Writes an answer as one line of JSON and its body. */
export function writeKept(bodyHash: string, { status, headers, body }: KeptAnswer): Uint8Array {
  const head: Head = { bodyHash, status, headers }
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body])
}

/** The inverse of `writeKept`. @returns `null` for anything else */
export function readKept(
  bytes: Uint8Array,
): { readonly bodyHash: string; readonly answer: KeptAnswer } | null {
  const lineEnd = bytes.indexOf(0x0a)
  if (lineEnd === -1) return null
  try {
    const head = JSON.parse(Buffer.from(bytes.subarray(0, lineEnd)).toString()) as Head
    const { bodyHash, status, headers } = head
    return { bodyHash, answer: { status, headers, body: bytes.subarray(lineEnd + 1) } }
  } catch {
    return null
  }
}

function keyOf(identity: string): string {
  return `submission:${identity}`
}
