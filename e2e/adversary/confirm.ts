import type { AttackSource } from './attackSource.ts'
import type { Attack, Attacked } from './batch.ts'
import type { Findings } from './findings.ts'
import { replays, shrinkTries } from './replay.ts'
import { shrink } from './shrink.ts'
import type { Target } from './target.ts'
import type { Violation } from './violations.ts'

/** The server on which a violation is repeated, and data about the run. */
export type Confirming = {
  readonly source: AttackSource
  readonly target: Target
  readonly findings: Findings
}

/**
 * Sends the request that caused a violation again, on its own, and minimizes it. A violation counts
 * only if it happens again.
 */
export async function confirm(
  look: Confirming,
  violation: Violation,
  attack: Attack,
): Promise<boolean> {
  const { target, source, findings } = look
  const again = (request: Attack['request']) => replays(target, request, violation)
  const patient = { ...attack.request, behaviour: 'stays' as const }
  const repeatable = (await again(attack.request)) ? attack.request : patient
  if (repeatable === patient && !(await again(patient))) return false
  const smallest = await shrink(repeatable, again, shrinkTries[violation.kind])
  const { index, request } = attack
  findings.add({ ...violation, label: request.label, seed: source.seed, index, smallest, note: '' })
  return true
}

/** Records a violation that didn't happen again when the request was sent alone. */
export function addUnconfirmed(
  { source, findings }: Confirming,
  violation: Violation,
  attack: Attack & Partial<Pick<Attacked, 'before'>>,
): void {
  const { index, request, before = null } = attack
  const previous = before === null ? '' : `, after request ${before} on its connection`
  const note = `not again when it was sent alone${previous}`
  const { label } = request
  const finding = { ...violation, label, seed: source.seed, index, smallest: request, note }
  if (violation.kind === 'a response without an end') findings.addSlow(finding)
  else findings.add(finding)
}
