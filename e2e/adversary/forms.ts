import type { Part } from './multipart.ts'
import { plainParts } from './multipart.ts'
import { submissionKey } from './protocolHeaders.ts'
import type { Random } from './random.ts'
import { actionRow, makeReply, type ReplySource } from './reply.ts'

/**
 * A form in the way in which a browser submits it without a script, and a description of its unusual
 * part.
 */
export type AttackForm = {
  readonly parts: readonly Part[]
  readonly trait: 'by id' | 'bound' | 'with state' | 'with a field twice' | 'with fields mixed'
}

/**
 * Creates a form that identifies its action in one of the ways that React writes. The same fields
 * often identify a second action, too.
 * @param id id of the form's action
 */
export function makeForm(source: ReplySource, id: string): AttackForm {
  const { random } = source
  const form = random.pick([namedForm, boundForm, stateForm])(source, id)
  const fields = random.chance(0.2) ? [...form.parts, ...submission(random)] : form.parts
  const parts = [...fields, ...plainParts([['name', 'ada']])]
  if (random.chance(0.35)) return { parts: doubleField(source, parts), trait: 'with a field twice' }
  if (random.chance(0.1)) return { parts: mixFields(source, parts), trait: 'with fields mixed' }
  return { ...form, parts }
}

function namedForm(_: ReplySource, id: string): AttackForm {
  return { parts: plainParts([[`$ACTION_ID_${id}`, '']]), trait: 'by id' }
}

function boundForm(source: ReplySource, id: string): AttackForm {
  const number = source.random.int(3)
  const rows = makeReply(source, 1)
  return {
    parts: boundParts(number, `{"id":${JSON.stringify(id)},"bound":"$@1"}`, rows),
    trait: 'bound',
  }
}

function stateForm(source: ReplySource, id: string): AttackForm {
  const { parts } = boundForm(source, id)
  const { random } = source
  const key = random.pick(['k1', 'k85dae4d9a8b4', '', '$@1', 'k'.repeat(500)])
  return { parts: [...parts, ...plainParts([['$ACTION_KEY', key]])], trait: 'with state' }
}

function boundParts(
  number: number,
  first: string,
  rows: readonly (readonly [id: string, text: string])[],
): Part[] {
  const bound = rows.map(([row, text]) => [`$ACTION_${number}:${row}`, text] as const)
  return plainParts([[`$ACTION_REF_${number}`, ''], [`$ACTION_${number}:0`, first], ...bound])
}

function submission(random: Random): Part[] {
  return plainParts([['$ACTION_IDEMPOTENCY_KEY', submissionKey(random)]])
}

/** Adds one of the fields that identify the form's action a second time, with a different value. */
function doubleField({ random, actionIds }: ReplySource, parts: readonly Part[]): Part[] {
  const actionFields = parts.filter(({ name }) => name.startsWith('$ACTION_'))
  const references = actionFields.filter(({ name }) => name.endsWith(':0'))
  const doubled = random.pick(
    references.length > 0 && random.chance(0.6) ? references : actionFields,
  )
  const twin = { ...doubled, value: actionRow(random, random.pick(actionIds), 3) }
  const at = parts.indexOf(doubled)
  return random.chance(0.7)
    ? [...parts.slice(0, at + 1), twin, ...parts.slice(at + 1)]
    : [...parts.slice(0, at), twin, ...parts.slice(at)]
}

/** Adds the fields of a different form, as a page with two forms might do by mistake. */
function mixFields(source: ReplySource, parts: readonly Part[]): Part[] {
  const { random, actionIds } = source
  const other = random.pick([namedForm, boundForm, stateForm])(source, random.pick(actionIds))
  return random.chance(0.5) ? [...parts, ...other.parts] : [...other.parts, ...parts]
}
