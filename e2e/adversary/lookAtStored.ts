import type { Attack } from './batch.ts'
import { addUnconfirmed, type Confirming, confirm } from './confirm.ts'
import { type AttackRequest, encodeRequest } from './request.ts'
import { reportViolations, type StoredViolation, storedViolations } from './stored.ts'

/**
 * Looks for request data that a server must not store, but did.
 * @param sent all requests so far, because counts are stored with a delay
 * @param isLast true to check the report as well
 */
export async function lookAtStored(
  look: Confirming,
  sent: Iterable<Attack>,
  isLast: boolean,
): Promise<void> {
  const { target, findings } = look
  const stored: readonly StoredViolation[] = [
    ...storedViolations(await target.takeStored(), target.map),
    ...(isLast ? reportViolations(await target.report()) : []),
  ]
  if (stored.length === 0) return
  const attacks = [...sent]
  for (const { mark, ...violation } of stored) {
    const suspect = attacks.find(({ request }) => mark && holds(request, mark)) ?? attacks.at(-1)
    if (!suspect || findings.isListed(violation, suspect.request.label)) continue
    if (!(await confirm(look, violation, suspect))) addUnconfirmed(look, violation, suspect)
  }
}

/**
 * True if a request contains a text. Ignores chunks, because a chunk may end in the middle of the
 * text.
 */
function holds(request: AttackRequest, text: string): boolean {
  return encodeRequest({ ...request, isChunked: false }).bytes.includes(text)
}
