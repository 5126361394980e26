import type { ServedAssets } from 'waymark/plugin'
import { isSame } from '../shared/isSame.ts'

/** Path at which `waymark doctor` queries servers. */
export const doctorPath = '/_waymark/doctor'

/** Header with the question and its proof. In a response, the header contains a proof for the body. */
export const doctorHeader = 'waymark-doctor'

/** Kinds of responses that the server sends in pieces, as it would send a page. */
export const streamKinds = ['page', 'data', 'events'] as const

export type StreamKind = (typeof streamKinds)[number]

/**
 * The questions. `write`, `read` and `invalidate` use a separate cache entry. For a kind of stream, the
 * server sends `streamedPieces`.
 */
export const doctorQuestions = [
  'report',
  'assets',
  'variables',
  'write',
  'read',
  'invalidate',
  ...streamKinds,
] as const

export type DoctorQuestion = (typeof doctorQuestions)[number]

export function isStreamKind(question: DoctorQuestion): question is StreamKind {
  return streamKinds.some((kind) => kind === question)
}

/** Texts of a streamed response, in the order in which the server sends them. */
export const streamedPieces = ['piece one', 'piece two', 'piece three', 'piece four'] as const

/** Milliseconds between two pieces. */
export const pieceEveryMs = 250

/** A question from a sender that has proved that it knows the secret. */
export type ProvenQuestion = {
  readonly question: DoctorQuestion
  readonly key: string
  readonly nonce: string
}

export type DoctorReport = {
  readonly buildId: string
  /** Fingerprints of the keys that open seals. The first key also creates seals. */
  readonly keyRing: readonly string[]
  /** Place of the first key: `WAYMARK_SECRET`, or a secret that the build has created. */
  readonly secretFrom: 'environment' | 'build'
  readonly actionIds: string
  /** Id of the process. */
  readonly instance: string
  readonly timeMs: number
  readonly hasEntry: boolean | null
  /** `null` if the question didn't ask for this value, or a different host serves the files. */
  readonly assets: ServedAssets | null
  /** Fingerprints of the names of all variables with a value; `null` if the question didn't ask for them. */
  readonly variables: readonly string[] | null
}

/** Milliseconds for which a proof is valid, and maximum difference between two servers' clocks. */
export const validForMs = 10 * 60_000

export async function writeQuestion(
  { question, key, nonce }: ProvenQuestion,
  secret: string,
  timeMs: number,
): Promise<string> {
  const text = [timeMs, nonce, question, key].join('.')
  return `${text}.${await prove(secret, `question ${text}`)}`
}

/**
 * @returns the question, and the secret with which its proof was made; `null` if the proof is invalid
 * or has expired
 */
export async function readQuestion(
  header: string,
  secrets: readonly string[],
  nowMs: number,
): Promise<{ readonly proven: ProvenQuestion; readonly secret: string } | null> {
  const match =
    /^(\d{1,15})\.([a-z0-9]{16,40})\.([a-z]{4,10})\.([a-z0-9]{1,40})\.([0-9a-f]{64})$/.exec(header)
  if (!match) return null
  const [, timeMs, nonce = '', name, key = '', proof = ''] = match
  const question = doctorQuestions.find((each) => each === name)
  if (!question || Math.abs(nowMs - Number(timeMs)) > validForMs) return null
  const text = header.slice(0, header.lastIndexOf('.'))
  for (const secret of secrets) {
    const isProven = isSame(proof, await prove(secret, `question ${text}`))
    if (isProven) return { proven: { question, key, nonce }, secret }
  }
  return null
}

/** Proves that the author of this body knows the secret and answers this question. */
export function proveAnswer(body: string, nonce: string, secret: string): Promise<string> {
  return prove(secret, `answer ${nonce} ${body}`)
}

/** Returns a hash that identifies a secret or a name without revealing it. */
export async function fingerprint(secret: string): Promise<string> {
  return (await prove(secret, 'fingerprint')).slice(0, 12)
}

/** @returns an HMAC in hex */
async function prove(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  // Add a prefix, so that this key differs from the keys that seal closures.
  const material = encoder.encode(`waymark doctor ${secret}`)
  const key = await crypto.subtle.importKey('raw', material, hmac, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
