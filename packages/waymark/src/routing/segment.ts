import { frameworkError } from '../shared/errors.ts'
import { decodePath, segmentProblem } from './canonicalUrl.ts'

export type UrlSegment =
  | { readonly kind: 'static'; readonly name: string }
  | { readonly kind: 'dynamic' | 'rest' | 'optional-rest'; readonly param: string }

/** Meaning of a folder name. Only `UrlSegment`s and interceptions are part of the URL. */
export type FolderSegment =
  | UrlSegment
  | { readonly kind: 'root' }
  | { readonly kind: 'group' | 'slot'; readonly name: string }
  | {
      readonly kind: 'intercept'
      /** Route levels above its folder; `root` for `(...)`. */
      readonly up: number | 'root'
      readonly target: UrlSegment
    }

const interceptPattern = /^((?:\(\.\.\))+|\(\.\)|\(\.\.\.\))(.+)$/
const slotName = /^[A-Za-z_$][\w$-]*$/
const forbiddenInParam = /[[\]().:=,%?#*/\\\s\p{Cc}\p{Surrogate}]/u

/** @param folder its path, for the message @throws `SEGMENT_NAME` */
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

/** `/blog/[slug]`; `/` without segments. */
export function patternOf(segments: readonly UrlSegment[]): string {
  return `/${segments.map(segmentText).join('/')}`
}

function segmentText(segment: UrlSegment): string {
  switch (segment.kind) {
    case 'static':
      // Escaped, so that the pattern can be parsed again.
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
    throw invalid(folder, `a group is written (name), an interception (.)name; ${name} is neither`)
  }
  return { kind: 'group', name: group }
}

function parseSlot(name: string, folder: string): FolderSegment {
  const slot = name.slice(1)
  // The files of the main slot, which may stand in a folder of their own.
  if (slot === 'children') return { kind: 'group', name: slot }
  if (!slotName.test(slot) || slot === '__proto__') {
    throw invalid(folder, 'a slot is a prop of its layout: letters, digits, _ and - after the @')
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
  // Valid only after an interception marker; other cases have returned above.
  if (/^[(@]/.test(name))
    throw invalid(folder, 'an interception is of a URL, not of a group or slot')
  if (/[[\]]/.test(name)) {
    throw invalid(
      folder,
      'a dynamic segment takes the whole folder name: [param], [...param] or [[...param]]',
    )
  }
  return { kind: 'static', name: parseStatic(name, folder) }
}

function parseParam(param: string | undefined, folder: string): string {
  if (!param || forbiddenInParam.test(param)) {
    throw invalid(folder, 'the brackets hold one plain name: [param], [...param] or [[...param]]')
  }
  // Copying the params key by key would set the prototype.
  if (param === '__proto__') throw invalid(folder, '__proto__ is no name for a param')
  return param
}

// A name may be percent-encoded to avoid syntax: `%5Fnotes` is `/_notes`.
function parseStatic(name: string, folder: string): string {
  const text = decodePath(name)
  if (text === null) {
    throw invalid(folder, 'the percent sign begins an encoded character; write %25 for itself')
  }
  const problem = segmentProblem(text)
  if (problem) throw invalid(folder, `no URL can have such a segment: ${problem}`)
  return text
}

function invalid(folder: string, reason: string) {
  return frameworkError('SEGMENT_NAME', { folder, reason })
}
