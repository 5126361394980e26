/** Where `waymark doctor` gets the state of a server. */
export const doctorPath = '/_waymark/doctor'

/** On a question: the question and its proof. On an answer: the proof of the body. */
export const doctorHeader = 'waymark-doctor'

/** Questions to a server. `write`, `read` and `invalidate` are about a cache entry made for the check. */
export const doctorQuestions = ['report', 'assets', 'write', 'read', 'invalidate'] as const

/** A question to a server. */
export type DoctorQuestion = (typeof doctorQuestions)[number]

/** A question, proven to come from a holder of the secret. */
export type AskedQuestion = {
  readonly question: DoctorQuestion
  /** Of the cache entry; letters and digits. */
  readonly key: string
  readonly nonce: string
}

/** What a server says. */
export type DoctorReport = {
  readonly buildId: string
  /** Of each key in the ring, the one that seals first: never the keys. */
  readonly keyRing: readonly string[]
  /** A hash over the ids of all actions. */
  readonly actionIds: string
  /** Differs from process to process. */
  readonly instance: string
  /** Milliseconds since the epoch. */
  readonly timeMs: number
  /** Whether the cache has the requested entry; `null` when none was requested. */
  readonly hasEntry: boolean | null
  /** `null` when it was not asked for, and where something else serves the files. */
  readonly assets: ServedAssets | null
}

/** The hashed assets of a server. */
export type ServedAssets = {
  /** Of its own build, without compressed siblings. */
  readonly names: readonly string[]
  /** Where it finds those of other builds; `null` for nowhere. */
  readonly sharedIn: 'cache' | 'folder' | null
}

/** How far the two clocks may differ: the lifetime of a proof. */
export const validForMs = 10 * 60_000

/** The secrets that a server is given, the one that seals first. */
export function givenSecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  const all = [env.WAYMARK_SECRET ?? '', ...(env.WAYMARK_SECRET_PREVIOUS ?? '').split(',')]
  return all.map((secret) => secret.trim()).filter((secret) => secret !== '')
}

/** Writes a question with its proof. */
export async function writeQuestion(
  { question, key, nonce }: AskedQuestion,
  secret: string,
  timeMs: number,
): Promise<string> {
  const text = [timeMs, nonce, question, key].join('.')
  return `${text}.${await prove(secret, `question ${text}`)}`
}

/**
 * Reads a question.
 * @returns the secret that proves it, too; `null` for a wrong or outdated proof
 */
export async function readQuestion(
  header: string,
  secrets: readonly string[],
  nowMs: number,
): Promise<{ readonly asked: AskedQuestion; readonly secret: string } | null> {
  const match =
    /^(\d{1,15})\.([a-z0-9]{16,40})\.([a-z]{4,10})\.([a-z0-9]{1,40})\.([0-9a-f]{64})$/.exec(header)
  if (!match) return null
  const [, timeMs, nonce = '', name, key = '', proof = ''] = match
  const question = doctorQuestions.find((each) => each === name)
  if (!question || Math.abs(nowMs - Number(timeMs)) > validForMs) return null
  const text = header.slice(0, header.lastIndexOf('.'))
  for (const secret of secrets) {
    const isProven = isSame(proof, await prove(secret, `question ${text}`))
    if (isProven) return { asked: { question, key, nonce }, secret }
  }
  return null
}

/** Proves that a response body comes from a holder of the secret, and belongs to this question. */
export function proveAnswer(body: string, nonce: string, secret: string): Promise<string> {
  return prove(secret, `answer ${nonce} ${body}`)
}

/** Tells texts apart, secrets too, without telling them. */
export async function fingerprint(secret: string): Promise<string> {
  return (await prove(secret, 'fingerprint')).slice(0, 12)
}

/** Compares two texts of the same length in a time that does not depend on what they hold. */
export function isSame(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at)
  return difference === 0
}

/** @returns an HMAC in hex */
async function prove(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  // What the secret seals elsewhere has nothing to do with what it proves here.
  const material = encoder.encode(`waymark doctor ${secret}`)
  const key = await crypto.subtle.importKey('raw', material, hmac, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
