import { FrameworkError, frameworkError } from '../shared/errors.ts'
import {
  parseImageFile,
  parseRouteFile,
  type Role,
  type RouteFile,
  type RouteNode,
  type RouteTree,
  roles,
} from './routeFile.ts'
import type { FolderSegment } from './segment.ts'
import { validateRouteTree } from './validate.ts'

type Draft = {
  id: string
  segment: FolderSegment
  files: Map<Role, string[]>
  images: string[]
  folders: Map<string, Draft>
}

/**
 * Builds the route tree and validates it.
 *
 * @param several files with `makesSeveral`; see `parseRouteFile`
 * @returns the tree, its errors, and warnings about mistakes that don't stop the app from running
 */
export function checkRouteFiles(
  files: readonly string[],
  several: ReadonlySet<string> = new Set(),
): {
  tree: RouteTree
  errors: FrameworkError[]
  warnings: FrameworkError[]
} {
  const errors: FrameworkError[] = []
  const root = newDraft('', { kind: 'root' })
  for (const path of [...files].sort(byCodePoint)) {
    const file = readFile(path, (each) => parseRouteFile(each, several.has(each)), errors)
    if (file) filesOf(placeOf(root, file), file.role).push(path)
    const image = readFile(path, parseImageFile, errors)
    if (image) placeOf(root, image).images.push(path)
  }
  const tree = finish(root, errors)
  const all = [...errors, ...validateRouteTree(tree)]
  const isWarning = ({ code }: FrameworkError) => warningCodes.has(code)
  return {
    tree,
    errors: all.filter((error) => !isWarning(error)),
    warnings: all.filter(isWarning),
  }
}

const warningCodes: ReadonlySet<string> = new Set(['SLOT_WITHOUT_DEFAULT', 'METADATA_FILE_PLACE'])

function readFile<File>(
  path: string,
  parse: (path: string) => File | null,
  errors: FrameworkError[],
): File | null {
  try {
    return parse(path)
  } catch (error) {
    if (!(error instanceof FrameworkError)) throw error
    errors.push(error)
    return null
  }
}

function newDraft(id: string, segment: FolderSegment): Draft {
  return { id, segment, files: new Map(), images: [], folders: new Map() }
}

function placeOf(root: Draft, file: Pick<RouteFile, 'folders' | 'segments'>): Draft {
  let place = root
  file.segments.forEach((segment, index) => {
    const name = file.folders[index] ?? ''
    const below =
      place.folders.get(name) ?? newDraft(place.id ? `${place.id}/${name}` : name, segment)
    place.folders.set(name, below)
    place = below
  })
  return place
}

function filesOf({ files }: Draft, role: Role): string[] {
  const paths = files.get(role) ?? []
  files.set(role, paths)
  return paths
}

function finish(draft: Draft, errors: FrameworkError[]): RouteNode {
  const nodes = [...draft.folders.values()].map((folder) => finish(folder, errors))
  const slots: Record<string, RouteNode> = {}
  for (const node of nodes.toSorted((a, b) => byCodePoint(a.id, b.id))) {
    if (node.segment.kind === 'slot') slots[node.segment.name] = node
  }
  return {
    id: draft.id,
    segment: draft.segment,
    files: finishFiles(draft, errors),
    ...(draft.images.length > 0 && { images: draft.images }),
    children: nodes.filter((node) => node.segment.kind !== 'slot').sort(bySpecificity),
    slots,
  }
}

function finishFiles(draft: Draft, errors: FrameworkError[]): RouteNode['files'] {
  const files: Partial<Record<Role, string>> = {}
  for (const role of roles) {
    const [first, ...others] = draft.files.get(role) ?? []
    if (first === undefined) continue
    files[role] = first
    if (others.length > 0) {
      const names = [first, ...others].map((path) => `app/${path}`)
      errors.push(frameworkError('DUPLICATE_FILE', { role, files: names }))
    }
  }
  return files
}

const specificity = [
  'root',
  'static',
  'dynamic',
  'rest',
  'optional-rest',
  'group',
  'slot',
  'intercept',
]

function bySpecificity(a: RouteNode, b: RouteNode): number {
  const order = specificity.indexOf(a.segment.kind) - specificity.indexOf(b.segment.kind)
  return order || byCodePoint(a.id, b.id)
}

// Sort by code point instead of by locale, so that the build is the same on all machines.
function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
