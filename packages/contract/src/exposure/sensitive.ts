import { ContractProblem } from '../contract/contractProblem.ts'

/** The names and values that must not leave the server, prepared for a search. */
export type Sensitive = {
  readonly fields: readonly string[]
  readonly values: readonly SensitiveValue[]
}

type SensitiveValue = { readonly label: string; readonly forms: readonly Form[] }

/** Text that the value becomes in an encoding. */
type Form = { readonly text: string; readonly encoding: string }

export type SensitiveHit = {
  /** The field's name, or a shortened value: a report must not repeat the value. */
  readonly label: string
  readonly kind: 'field' | 'value'
  /** Such as `base64`. Empty for plain text. */
  readonly encoding: string
}

const minValueLength = 6
const maxValueLength = 10_000
const maxCount = 1_000
// Shorter parts of base64 are found by chance.
const minBase64Length = 8

/**
 * Prepares the search.
 * @throws ContractProblem if a value is so short that a search finds it by chance, or if there are too many
 */
export function prepareSensitive({
  fields = [],
  values = [],
}: {
  readonly fields?: readonly string[] | undefined
  readonly values?: readonly string[] | undefined
}): Sensitive {
  for (const [list, name] of [
    [fields, 'fields'],
    [values, 'values'],
  ] as const) {
    if (list.length <= maxCount) continue
    throw new ContractProblem(
      `sensitive.${name} has ${list.length} entries. The limit is ${maxCount}.`,
    )
  }
  for (const [at, value] of values.entries()) {
    if (value.length >= minValueLength && value.length <= maxValueLength) continue
    throw new ContractProblem(
      `sensitive.values[${at}] has ${value.length} characters. Use a value with ${minValueLength} to ${maxValueLength} characters.`,
    )
  }
  return {
    fields: fields.filter((name) => name !== ''),
    values: values.map((value) => ({ label: shorten(value), forms: listForms(value) })),
  }
}

function shorten(value: string): string {
  return `${value.slice(0, 3)}…`
}

function listForms(value: string): Form[] {
  const forms = new Map<string, string>([[value, '']])
  const add = (text: string, encoding: string) => {
    if (!forms.has(text)) forms.set(text, encoding)
  }
  const json = JSON.stringify(value).slice(1, -1)
  const ascii = escapeUnicode(json)
  for (const text of [json, ascii]) {
    for (const nested of [text, JSON.stringify(text).slice(1, -1)]) {
      add(nested, 'JSON')
      add(nested.replaceAll('<', '\\u003c'), 'JSON')
      add(escapeForScript(nested), 'JSON')
    }
  }
  for (const quote of ['&#x27;', '&#39;', "'", '&apos;']) add(escapeHtml(value, quote), 'HTML')
  const wellFormed = toWellFormed(value)
  const percent = encodeURIComponent(wellFormed)
  for (const text of [percent, escapeMarks(percent), escapeMarks(percent, "!()~'")]) {
    add(text, 'percent-encoding')
    add(text.replaceAll('%20', '+'), 'percent-encoding')
  }
  add(encodeURI(wellFormed), 'percent-encoding')
  for (const encoding of ['base64', 'base64url'] as const) {
    for (const text of base64Forms(value, encoding)) add(text, encoding)
  }
  return [...forms].map(([text, encoding]) => ({ text, encoding }))
}

function escapeUnicode(json: string): string {
  return json.replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function escapeForScript(json: string): string {
  return json
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

function escapeHtml(value: string, quote: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", quote)
}

/** Encodes marks that `encodeURIComponent` leaves as they are, and that other encoders don't. */
function escapeMarks(percent: string, marks = "!'()*"): string {
  const encode = (mark: string) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`
  return [...percent].map((each) => (marks.includes(each) ? encode(each) : each)).join('')
}

// `encodeURIComponent` throws for half of a surrogate pair.
function toWellFormed(value: string): string {
  return Buffer.from(value, 'utf8').toString('utf8')
}

/**
 * Encodes a value at the three positions that it can have within a group of three bytes. Leaves out
 * the characters at both ends, which also depend on the neighbouring bytes.
 */
function base64Forms(value: string, encoding: 'base64' | 'base64url'): string[] {
  const bytes = Buffer.from(value, 'utf8')
  return [0, 1, 2]
    .map((offset) => {
      const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString(encoding)
      const start = Math.ceil((offset * 8) / 6)
      const end = Math.floor(((offset + bytes.length) * 8) / 6)
      return encoded.slice(start, end)
    })
    .filter((text) => text.length >= minBase64Length)
}

/** Searches text for sensitive values, and for sensitive names that have a value in JSON. */
export function findSensitive(
  text: string,
  { fields, values }: Sensitive,
  { inLog = false }: { readonly inLog?: boolean } = {},
): SensitiveHit[] {
  const hits: SensitiveHit[] = fields
    .filter((name) => hasKey(text, name, inLog))
    .map((label) => ({ kind: 'field', label, encoding: '' }))
  for (const { label, forms } of values) {
    const found = forms.find((form) => text.includes(form.text))
    if (found) hits.push({ kind: 'value', label, encoding: found.encoding })
  }
  return hits
}

// Before a key in JSON, in JSON within JSON, and in JSON within HTML.
const quoteBefore = /(?:\\*"|&quot;|&#34;|\\u0022|%22)$/
const keyEnd = /^(?:\\*"|&quot;|&#34;|\\u0022|%22)\s{0,20}(?::|%3A)/i
// Node's inspection of objects leaves out the quotes of most keys.
const inspectedEnd = /^: (?:['"`[{\d-]|true|false|Date|Map|Set|<)/
const longestQuote = 40

function hasKey(text: string, name: string, inLog: boolean): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - longestQuote), at)
    const after = text.slice(at + name.length, at + name.length + 2 * longestQuote)
    if (quoteBefore.test(before) && keyEnd.test(after)) return true
    if (inLog && /(?:^|[\s{,])$/.test(before) && inspectedEnd.test(after)) return true
  }
  return false
}
