import { resolve } from 'node:path'
import { alignColumns, type Command, formatBytes } from 'waymark/internal/node'
import { readBuild, serveBuild } from './builtApp.ts'
import { launchBrowser } from './drillBrowser.ts'
import { readDrillConfig } from './drillConfig.ts'
import { chooseRoutes } from './drillRoutes.ts'
import { type MeasuredPage, measurePage } from './measureImages.ts'

const defaultViewports = [
  { width: 390, height: 844, density: 2 },
  { width: 1440, height: 900, density: 1 },
]

/** Compares the images that a build's pages load in a browser with the sizes that they need. */
export const images: Command = async ({ options, terminal }) => {
  const root = resolve(options.folder ?? '.')
  const { route, viewports = defaultViewports, json } = options
  const config = await readDrillConfig(root)
  const { routes, problems } = chooseRoutes(readBuild(root), config, route?.split(',') ?? null)
  for (const line of problems) terminal.fail(line)
  if (routes.length === 0) return 2
  const browser = await launchBrowser(options.browser)
  try {
    const app = await serveBuild(root)
    const pages: MeasuredPage[] = []
    try {
      const context = { browser, origin: app.origin, ...config }
      for (const route of routes) {
        terminal.progress(route.pathname)
        for (const viewport of viewports) pages.push(await measurePage(route, viewport, context))
      }
    } finally {
      await app.stop()
    }
    const ok = pages.every(({ problems }) => problems.length === 0)
    if (json) terminal.printJson({ ok, pages })
    else for (const line of linesOf(pages)) terminal.print(line)
    return ok ? 0 : 1
  } finally {
    await browser.close()
  }
}

function linesOf(pages: readonly MeasuredPage[]): string[] {
  const shown = pages.filter(({ images, problems }) => images > 0 || problems.length > 0)
  if (shown.length === 0) return ['No page has an image.']
  const head = ['Page', 'Viewport', 'Images', 'Sent', 'Needed']
  const rows = shown.map(({ pathname, viewport, images, sentBytes, neededBytes }) => {
    const { width, height, density } = viewport
    const bytes = [sentBytes, neededBytes].map(formatBytes)
    return [pathname, `${width}x${height}@${density}`, String(images), ...bytes]
  })
  const [title = [], ...cells] = alignColumns([head, ...rows])
  const lines = shown.flatMap(({ problems }, at) => [
    (cells[at] ?? []).join('  '),
    ...problems.map(({ url, text }) => `  ✗ ${url.replace(/^https?:\/\/[^/]+/, '')}: ${text}`),
  ])
  return [title.join('  '), ...lines]
}
