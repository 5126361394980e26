import { isAffordable } from './budget.ts'

const idField = '$ACTION_ID_'
const boundField = '$ACTION_REF_'

/**
 * Finds which action a form names in the fields that React adds to it, before anything of them is
 * decoded. The last one counts: it is the pressed button's.
 * @returns its id; `null` where none is named, or what names it is no such field
 */
export function formActionOf(fields: FormData): string | null {
  let named: string | null = null
  for (const [name, value] of fields) {
    if (!name.startsWith('$ACTION_')) continue
    if (name.startsWith(idField) || name.startsWith(boundField)) named = name
    if (typeof value === 'string' && !isAffordable(value)) return null
  }
  if (named === null) return null
  return named.startsWith(idField) ? named.slice(idField.length) : boundId(fields, named)
}

function boundId(fields: FormData, name: string): string | null {
  const reference = fields.get(`$ACTION_${name.slice(boundField.length)}:0`)
  if (typeof reference !== 'string') return null
  try {
    const { id } = JSON.parse(reference) as { id?: unknown }
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}
