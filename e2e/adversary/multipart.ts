import type { Random } from './random.ts'

/** A part of a multipart body. */
export type Part = {
  readonly name: string
  readonly value: string
  /** Spelling of the part's `content-disposition`. */
  readonly style: PartStyle
}

/** Spellings of a part's head, which different parsers may read differently. */
export type PartStyle = 'plain' | 'unquoted' | 'folded' | 'escaped' | 'upper' | 'file' | 'twice'

/** A multipart body, and the content type with the body's boundary. */
export type Multipart = {
  readonly parts: readonly Part[]
  readonly boundary: string
  readonly contentType: string
  /** True if the body ends with the closing delimiter. */
  readonly isClosed: boolean
}

export function encodeMultipart({ parts, boundary, isClosed }: Multipart): string {
  const text = parts.map((part) => `--${boundary}\r\n${headOf(part)}\r\n\r\n${part.value}\r\n`)
  return `${text.join('')}${isClosed ? `--${boundary}--\r\n` : ''}`
}

/** Creates parts in a form that every parser understands. */
export function plainParts(fields: readonly (readonly [name: string, value: string])[]): Part[] {
  return fields.map(([name, value]) => ({ name, value, style: 'plain' }))
}

/** Writes a multipart body as browsers do. */
export function plainMultipart(parts: readonly Part[]): Multipart {
  const boundary = 'boundaryOfTheAdversary'
  const contentType = `multipart/form-data; boundary=${boundary}`
  return { parts, boundary, contentType, isClosed: true }
}

/** Writes a multipart body in a form that parsers may read differently. */
export function oddMultipart(random: Random, parts: readonly Part[]): Multipart {
  const boundary = random.pick(['AAA', 'a', 'x'.repeat(70), "a'b(c)+_,-./:=?", 'AAA--', 'A A'])
  const contentType = random.pick([
    `multipart/form-data; boundary=${boundary}`,
    `multipart/form-data; boundary="${boundary}"`,
    `multipart/form-data; a=";boundary=BBB"; boundary=${boundary}`,
    `multipart/form-data; boundary=${boundary}; boundary=BBB`,
    `Multipart/Form-Data;BOUNDARY=${boundary};charset=utf-8`,
    'multipart/form-data',
  ])
  const styled = parts.map((part) =>
    random.chance(0.3) ? { ...part, style: random.pick(oddStyles) } : part,
  )
  return { parts: styled, boundary, contentType, isClosed: random.chance(0.9) }
}

const oddStyles = ['unquoted', 'folded', 'escaped', 'upper', 'file', 'twice'] as const

function headOf({ name, style }: Part): string {
  switch (style) {
    case 'plain':
      return `content-disposition: form-data; name="${name}"`
    case 'unquoted':
      return `content-disposition: form-data; name=${name}`
    case 'folded':
      return `content-disposition: form-data;\r\n name="${name}"`
    case 'escaped':
      return `content-disposition: form-data; name="${name.replaceAll('$', '\\$')}"`
    case 'upper':
      return `CONTENT-DISPOSITION: Form-Data; NAME="${name}"`
    case 'file':
      return `content-disposition: form-data; name="${name}"; filename="a.txt"\r\ncontent-type: text/plain`
    case 'twice':
      return `content-disposition: form-data; name="x"; name="${name}"`
  }
}
