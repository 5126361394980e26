import { frameworkError } from '../shared/errors.ts'
import { decodePath, segmentProblem } from './canonicalUrl.ts'

export type UrlSegment =
  | { readonly kind: 'static'; readonly name: string }
  | { readonly kind: 'dynamic' | 'rest' | 'optional-rest'; readonly param: string }

/** Meaning of a folder's name. Only URL segments and interceptions are part of the URL. */
export type FolderSegment =
  | UrlSegment
  | { readonly kind: 'root' }
  | { readonly kind: 'group' | 'slot'; readonly name: string }
  | {
      readonly kind: 'intercept'
      /** Number of route levels to go up from the folder's parent. `root` for `(...)`. */
      readonly up: number | 'root'
      readonly target: UrlSegment
    }

const interceptPattern = /^((?:\(\.\.\))+|\(\.\)|\(\.\.\.\))(.+)$/
const slotName = /^[A-Za-z_$][\w$-]*$/
const forbiddenInParam = /[[\]().:=,%?#*/\\\s\p{Cc}\p{Surrogate}]/u

/**
 * Parses a folder's name.
 *
 * @param folder path of the folder, for error messages
 * @throws `SEGMENT_NAME`
 */
export function parseSegment(name: string, folder: string): FolderSegment {
  const intercept = interceptPattern.exec(name)
  if (intercept?.[1] && intercept[2]) {
    return { kind: 'intercept', up: levelsOf(intercept[1]), target: parseUrl(intercept[2], folder) }
  }
  if (name.startsWith('(')) return parseGroup(name, folder)
  if (name.startsWith('@')) return parseSlot(name, folder)
  return parseUrl(name, folder)
}

export function isPrivateFolder(name: string): boolean {
  return name.startsWith('_')
}

/** Formats a pattern: `/blog/[slug]`, or `/` without segments. */
export function patternOf(segments: readonly UrlSegment[]): string {
  return `/${segments.map(segmentText).join('/')}`
}

function segmentText(segment: UrlSegment): string {
  switch (segment.kind) {
    case 'static':
      // With these characters escaped, the pattern can be parsed again.
      return segment.name.replace(/[%[\]?#]/g, encodeURIComponent)
    case 'dynamic':
      return `[${segment.param}]`
    case 'rest':
      return `[...${segment.param}]`
    case 'optional-rest':
      return `[[...${segment.param}]]`
  }
}

function levelsOf(marker: string): number | 'root' {
  if (marker === '(.)') return 0
  return marker === '(...)' ? 'root' : marker.length / '(..)'.length
}

function parseGroup(name: string, folder: string): FolderSegment {
  const group = /^\(([^()]*[^().][^()]*)\)$/.exec(name)?.[1]
  if (group === undefined || segmentProblem(group)) {
    throw invalid(folder, `${name} is neither a group, (name), nor an interception, (.)name`)
  }
  return { kind: 'group', name: group }
}

function parseSlot(name: string, folder: string): FolderSegment {
  const slot = name.slice(1)
  // `@children` is a folder for the main slot's files, so treat it like a group.
  if (slot === 'children') return { kind: 'group', name: slot }
  if (!slotName.test(slot) || slot === '__proto__') {
    throw invalid(
      folder,
      'a slot becomes a prop of its layout, so use only letters, digits, _ and - after the @',
    )
  }
  return { kind: 'slot', name: slot }
}

function parseUrl(name: string, folder: string): UrlSegment {
  const optional = /^\[\[\.\.\.(.*)\]\]$/.exec(name)
  if (optional) return { kind: 'optional-rest', param: parseParam(optional[1], folder) }
  const rest = /^\[\.\.\.(.*)\]$/.exec(name)
  if (rest) return { kind: 'rest', param: parseParam(rest[1], folder) }
  const dynamic = /^\[(.*)\]$/.exec(name)
  if (dynamic) return { kind: 'dynamic', param: parseParam(dynamic[1], folder) }
  // After an interception marker, a group or a slot isn't allowed. All others have returned above.
  if (/^[(@]/.test(name))
    throw invalid(
      folder,
      'an interception needs a URL segment after its marker, not a group or slot',
    )
  if (/[[\]]/.test(name)) {
    throw invalid(
      folder,
      'brackets must enclose the whole folder name: [param], [...param] or [[...param]]',
    )
  }
  return { kind: 'static', name: parseStatic(name, folder) }
}

function parseParam(param: string | undefined, folder: string): string {
  if (!param || forbiddenInParam.test(param)) {
    throw invalid(
      folder,
      'brackets must contain one plain name: [param], [...param] or [[...param]]',
    )
  }
  // Copying the params key by key would set the prototype.
  if (param === '__proto__') throw invalid(folder, "a param can't be named __proto__")
  return param
}

// Decodes a name. Names may be percent-encoded to avoid a special meaning: `%5Fnotes` is `/_notes`.
function parseStatic(name: string, folder: string): string {
  const text = decodePath(name)
  if (text === null) {
    throw invalid(folder, 'a percent sign begins an encoded character. Write %25 for a literal one')
  }
  const problem = segmentProblem(text)
  if (problem) throw invalid(folder, `no URL can contain it: ${problem}`)
  return text
}

function invalid(folder: string, reason: string) {
  return frameworkError('SEGMENT_NAME', { folder, reason })
}
