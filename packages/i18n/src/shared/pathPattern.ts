/** A path's values by param: percent-encoded segments, joined by slashes. */
export type PathValues = Readonly<Record<string, string>>

/** A path with params, such as `/posts/[slug]`. */
export type PathPattern = {
  /** Returns the values of the params, or `null` if the path doesn't match. */
  match(path: string): PathValues | null
  fill(values: PathValues): string
}

type Segment = { readonly name: string; readonly kind: 'static' | 'one' | 'rest' | 'optional' }

/** @param pattern with params as in the names of folders: `[one]`, `[...rest]`, `[[...optional]]` */
export function parsePattern(pattern: string): PathPattern {
  const segments = pattern.split('/').filter(Boolean).map(parseSegment)
  const expression = new RegExp(`^${segments.map(sourceOf).join('')}/?$`)
  const params = segments.filter(({ kind }) => kind !== 'static')
  return {
    match(path) {
      const found = expression.exec(path)
      if (!found) return null
      return Object.fromEntries(
        params.map(({ name }, index) => [name, found[index + 1]?.replace(/^\//, '') ?? '']),
      )
    },
    fill(values) {
      const texts = segments.map(({ kind, name }) =>
        kind === 'static' ? name : Object.hasOwn(values, name) && values[name],
      )
      return `/${texts.filter(Boolean).join('/')}`
    },
  }
}

/** Number by which patterns are sorted, so that the most specific one is tried first. */
export function specificityOf(pattern: string): number {
  return pattern.split('/').reduce((sum, name) => sum * 2 + (name.startsWith('[') ? 0 : 1), 0)
}

function parseSegment(text: string): Segment {
  const [, optional, rest, name] = /^\[(\[)?(\.\.\.)?([^\]]+)\]{1,2}$/.exec(text) ?? []
  if (name === undefined) return { kind: 'static', name: encodeSegment(decodeURI(text)) }
  return { kind: optional ? 'optional' : rest ? 'rest' : 'one', name }
}

function sourceOf({ kind, name }: Segment): string {
  switch (kind) {
    case 'static':
      return `/${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`
    case 'one':
      return '/([^/]+)'
    case 'rest':
      return '/(.+)'
    case 'optional':
      return '(/.+)?'
  }
}

/** Encodes a segment of a path in the form in which Waymark compares paths. */
export function encodeSegment(text: string): string {
  return encodeURI(text).replace(/[/?#]/g, encodeURIComponent)
}
