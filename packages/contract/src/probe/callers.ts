import { posix } from 'node:path'
import type { ActionFacts, BuildFacts, RouteFacts } from '../build/buildFacts.ts'

/** A place from which a browser can call an action. */
export type Caller = {
  /**
   * Such as `/admin/users`. For an action that a layout uses, `any page below /admin`, or `pages like
   * /account` if the layout belongs to a route group.
   */
  readonly name: string
  /** The route file that leads to the action. */
  readonly routeFile: string
  /** Pages at whose URLs the call can be sent. All of them have the same guards. */
  readonly pages: readonly Pick<RouteFacts, 'pattern' | 'pathnames'>[]
  /** Pattern from which a navigation leads to the page, if the page is an interception. */
  readonly from: string | null
}

/** Lists the places from which browsers can call an action. */
export function listCallers({ routeFiles }: ActionFacts, facts: BuildFacts): Caller[] {
  const pages = facts.routes.filter(({ kind }) => kind === 'page')
  return routeFiles.flatMap((routeFile): Caller[] => {
    const ofFile = pages.filter(({ file }) => file === routeFile)
    if (ofFile.length > 0) {
      return ofFile.map((page) => ({ name: page.pattern, routeFile, pages: [page], from: null }))
    }
    const previews = facts.interceptions.filter(({ file }) => file === routeFile)
    if (previews.length > 0) {
      return previews.map(({ pattern, from }) => ({
        name: `preview ${pattern} from ${from}`,
        routeFile,
        pages: [pages.find((page) => page.pattern === pattern) ?? { pattern, pathnames: [] }],
        from,
      }))
    }
    const folder = folderOf(routeFile)
    const below = pages.filter(({ file }) => file.startsWith(`${folder}/`))
    const [first] = below
    if (!first) return []
    const pattern = folderPattern(first, folder)
    return [{ name: nameFolder(pattern, below, pages), routeFile, pages: below, from: null }]
  })
}

function nameFolder(
  pattern: string,
  below: readonly RouteFacts[],
  pages: readonly RouteFacts[],
): string {
  const prefix = pattern === '/' ? '/' : `${pattern}/`
  const all = pages.filter((page) => page.pattern === pattern || page.pattern.startsWith(prefix))
  if (all.length === below.length) return pattern === '/' ? 'any page' : `any page below ${pattern}`
  const [first] = below.map((page) => page.pattern).sort()
  return `${groupName}${first}`
}

const groupName = 'pages like '

/** True if a caller is a layout of a route group, whose pages have no common pattern. */
export function isGroup(callerName: string): boolean {
  return callerName.startsWith(groupName)
}

/** Returns the folder whose pages show a route file. A slot's files belong to the slot's layout. */
function folderOf(routeFile: string): string {
  return posix.dirname(routeFile).replace(/\/@.*$/, '')
}

/** Returns the URL pattern of a folder, from the pattern of a page below it. */
function folderPattern({ file, pattern }: RouteFacts, folder: string): string {
  const rest = posix.dirname(file).slice(folder.length).split('/').filter(isUrlSegment)
  const segments = pattern.split('/').filter(Boolean)
  return `/${segments.slice(0, segments.length - rest.length).join('/')}`
}

function isUrlSegment(name: string): boolean {
  return name !== '' && !name.startsWith('(') && !name.startsWith('@')
}
