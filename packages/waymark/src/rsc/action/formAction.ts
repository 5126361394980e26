import { isWithinDecodeLimits } from './budget.ts'

const idField = '$ACTION_ID_'
const boundField = '$ACTION_REF_'

/** The action that a form names. */
export type FormAction = {
  readonly id: string
  /**
   * What React has encoded of an action with bound values, as rows of a reply: row 0 has its `id`
   * and a promise of `bound`. `null` for an action without.
   */
  readonly reference: FormData | null
}

/**
 * Finds which action a form names in the fields that React adds to it, before anything of them is
 * decoded. The last one counts: it is the pressed button's.
 * @returns `null` where none is named, or a field that names it is there twice or none of React's
 */
export function formActionOf(fields: FormData): FormAction | null {
  let named: string | null = null
  for (const [name, value] of fields) {
    if (!name.startsWith('$ACTION_')) continue
    if (name.startsWith(idField) || name.startsWith(boundField)) named = name
    if (typeof value === 'string' && !isWithinDecodeLimits(value)) return null
  }
  if (named === null) return null
  if (named.startsWith(idField)) return { id: named.slice(idField.length), reference: null }
  return fields.getAll(named).length === 1 ? boundAction(fields, named) : null
}

function boundAction(fields: FormData, named: string): FormAction | null {
  const reference = rowsOf(fields, `$ACTION_${named.slice(boundField.length)}:`)
  const head = reference?.get('0')
  if (!reference || typeof head !== 'string') return null
  try {
    const { id } = JSON.parse(head) as { id?: unknown }
    return typeof id === 'string' ? { id, reference } : null
  } catch {
    return null
  }
}

/**
 * Takes the rows of one reference out of a form.
 * @returns `null` when a row is there twice: which of them counts is nobody's guess
 */
function rowsOf(fields: FormData, prefix: string): FormData | null {
  const rows = new FormData()
  for (const [name, value] of fields) {
    if (!name.startsWith(prefix)) continue
    const row = name.slice(prefix.length)
    if (rows.has(row) && !repeatedRow.test(row)) return null
    rows.append(row, value)
  }
  return rows
}

// Of a stream each piece is a row of that name, of a FormData each of its values.
const repeatedRow = /^[S_]/
