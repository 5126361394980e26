import type { RouteManifest, RouteRendering } from '../shared/build.ts'
import type { Paint } from './terminal.ts'

const marks = { static: '○', partial: '◐', dynamic: 'ƒ' } as const

// Beyond it, a table is no longer read.
const maxRows = 200

/**
 * Writes the routes of a build as a table: pattern, how it is rendered, JavaScript in a browser.
 * @returns its lines
 */
export function routesTable(routes: readonly RouteManifest[], paint: Paint): string[] {
  const rows = routes.slice(0, maxRows)
  const patternWidth = widest(['Route', ...rows.map(({ pattern }) => pattern)])
  const renderings = rows.map((route) => renderingText(route))
  const renderingWidth = widest(['Rendering', ...renderings])
  const head = `    ${'Route'.padEnd(patternWidth)}  ${'Rendering'.padEnd(renderingWidth)}  JavaScript (gzip)`
  const lines = rows.map(({ pattern, rendering, clientBytes }, index) => {
    const mark = marks[rendering.kind]
    const text = (renderings[index] ?? '').padEnd(renderingWidth)
    const bytes = clientBytes === null ? '' : formatBytes(clientBytes)
    return `  ${mark} ${pattern.padEnd(patternWidth)}  ${text}  ${bytes}`.trimEnd()
  })
  return [paint.dim(head), ...lines, ...remainder(routes.length), '', ...legend(rows, paint)]
}

/** Writes a size for people: `812 B`, `83.1 kB`. */
export function formatBytes(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`
}

function renderingText({ kind, rendering, pattern }: RouteManifest): string {
  const prefix = kind === 'route' ? 'route handler, ' : ''
  return prefix + describe(rendering, pattern)
}

function describe(rendering: RouteRendering, pattern: string): string {
  if (rendering.kind === 'dynamic') return `dynamic: ${rendering.reason}`
  const { kind, count, revalidateSeconds } = rendering
  const pages = pattern.includes('[') ? `, ${count} ${count === 1 ? 'page' : 'pages'}` : ''
  const again = revalidateSeconds === null ? '' : `, again after ${revalidateSeconds} s`
  return `${kind}${pages}${again}`
}

function remainder(count: number): string[] {
  return count > maxRows ? [`    and ${count - maxRows} more`] : []
}

function legend(rows: readonly RouteManifest[], paint: Paint): string[] {
  const kinds = new Set(rows.map(({ rendering }) => rendering.kind))
  const lines = []
  if (kinds.has('static')) lines.push(paint.dim(`  ${marks.static} static: rendered at build`))
  if (kinds.has('partial')) {
    lines.push(
      paint.dim(`  ${marks.partial} partial: a shell from the build, the rest for each request`),
    )
  }
  if (kinds.has('dynamic')) lines.push(paint.dim(`  ${marks.dynamic} dynamic: for each request`))
  return lines
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => text.length))
}
