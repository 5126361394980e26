import { resolve } from 'node:path'
import type { PreviousRoute, RouteManifest, RouteSizes } from '../builds/buildManifest.ts'
import { frameworkError } from '../shared/errors.ts'
import { writeRouteTypes } from '../vite/routes/routeTypes.ts'
import { listAppRoutes } from '../vite/routes/scanRoutes.ts'
import type { Command } from './arguments.ts'
import { readPluginOptions } from './project.ts'
import { alignColumns, type Paint } from './terminal.ts'

const marks = { static: '○', partial: '◐', dynamic: 'ƒ' } as const
const legend = [
  ['static', 'rendered at build time'],
  ['partial', 'a shell rendered at build time, the rest for each request'],
  ['dynamic', 'rendered for each request'],
] as const

const columns = ['pageJs', 'sharedJs', 'idleJs', 'html'] as const
const heads = ['    Route', 'Rendering', 'Page JS', 'Shared JS', 'Idle JS', 'HTML']

const sizeNotes = [
  '  Sizes are after Brotli compression. "Page JS" is the JavaScript that no other route loads.',
  '  A page needs its own and the shared JavaScript to become interactive. "Idle JS" includes the',
  '  code that loads later, when the browser is idle. It is the most that the page may load.',
]

// Maximum number of rows. A longer table would be hard to read.
const maxRows = 200

// Minimum change in size to show. Smaller ones come from the hashes in other files' names.
const minChangeBytes = 20

/**
 * Builds the lines of the table of routes.
 *
 * @param before routes of the previous build, for comparing sizes; `null` if there is no previous
 *   build
 */
export function routesTable(
  routes: readonly RouteManifest[],
  before: readonly PreviousRoute[] | null,
  paint: Paint,
): string[] {
  const rows = routes.slice(0, maxRows)
  const cells = rows.map((route) => {
    const name = `  ${marks[route.rendering.kind]} ${route.pattern}`
    return [name, renderingText(route), ...columns.map((column) => sizeText(route, column, before))]
  })
  const [head = '', ...lines] = alignColumns([heads, ...cells]).map((row) =>
    row.join('  ').trimEnd(),
  )
  const more = routes.length > maxRows ? [`    and ${routes.length - maxRows} more`] : []
  const kinds = legend
    .filter(([kind]) => rows.some(({ rendering }) => rendering.kind === kind))
    .map(([kind, text]) => `  ${marks[kind]} ${kind}: ${text}`)
  const notes = [...kinds, ...sizeNotes].map((line) => paint.dim(line))
  return [paint.dim(head), ...lines, ...more, ...changesText(routes, before), '', ...notes]
}

function sizeText(
  { file, sizes }: RouteManifest,
  column: keyof RouteSizes,
  before: readonly PreviousRoute[] | null,
): string {
  const bytes = sizes?.[column] ?? null
  if (bytes === null) return ''
  const change = changeOf(bytes, before?.find((each) => each.file === file)?.sizes?.[column])
  return change === 0 ? formatBytes(bytes) : `${formatBytes(bytes)} (${formatChange(change)})`
}

/** Lists added and removed routes, or says that nothing changed. */
function changesText(
  routes: readonly RouteManifest[],
  before: readonly PreviousRoute[] | null,
): string[] {
  if (!before) return []
  const isIn = (some: readonly PreviousRoute[]) => (route: PreviousRoute) =>
    some.some(({ file }) => file === route.file)
  const namesOf = (some: readonly PreviousRoute[]) => some.map(({ pattern }) => pattern).join(', ')
  const added = routes.filter((route) => !isIn(before)(route))
  const removed = before.filter((route) => !isIn(routes)(route))
  const lines = [
    ...(added.length > 0 ? [`  New since the last build: ${namesOf(added)}`] : []),
    ...(removed.length > 0 ? [`  Removed since the last build: ${namesOf(removed)}`] : []),
  ]
  const isSame = routes.every((route) =>
    columns.every((column) => !sizeText(route, column, before).includes('(')),
  )
  if (lines.length === 0 && isSame) lines.push('  No sizes have changed since the last build.')
  return ['', ...lines]
}

function changeOf(bytes: number, before: number | null | undefined): number {
  const change = bytes - (before ?? bytes)
  return Math.abs(change) < minChangeBytes ? 0 : change
}

function formatChange(change: number): string {
  return `${change < 0 ? '−' : '+'}${formatBytes(Math.abs(change))}`
}

/** Formats a size: `812 B`, `83.1 kB`. */
export function formatBytes(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`
}

function renderingText({ kind, rendering, pattern }: RouteManifest): string {
  const prefix = kind === 'route' ? 'route handler, ' : ''
  if (rendering.kind === 'dynamic') return `${prefix}dynamic: ${rendering.reason}`
  const { count, revalidateSeconds } = rendering
  const pages = pattern.includes('[') ? `, ${count} ${count === 1 ? 'page' : 'pages'}` : ''
  const again = revalidateSeconds === null ? '' : `, revalidated after ${revalidateSeconds} s`
  return `${prefix}${rendering.kind}${pages}${again}`
}

export const routes: Command = async ({ options, terminal }) => {
  const { appDir } = await readPluginOptions(options)
  const { listed, warnings } = await listAppRoutes(appDir)
  for (const { message } of warnings) terminal.fail(message)
  if (options.json) {
    terminal.printJson(listed)
    return 0
  }
  if (listed.length === 0) throw frameworkError('NO_ROUTES', { folder: resolve(appDir) })
  const rows = listed.map(({ pattern, kind, file }) => {
    const text = kind === 'route' ? 'handler' : 'page'
    return [pattern, text, terminal.paint.dim(file)]
  })
  for (const cells of alignColumns(rows)) terminal.print(cells.join('  '))
  return 0
}

export const types: Command = async ({ options, terminal }) => {
  const file = await writeRouteTypes(await readPluginOptions(options))
  terminal.print(
    file === null
      ? 'No types were written, because the app has no tsconfig.json.'
      : `Wrote ${file}`,
  )
  return 0
}
