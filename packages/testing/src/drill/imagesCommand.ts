import { resolve } from 'node:path'
import {
  alignColumns,
  type CommandInput,
  formatBytes,
  type OptionTable,
  type PackageCommand,
  type PackageOptions,
  sharedOptions,
} from 'waymark/internal/node'
import { browserOption } from '../options.ts'
import { readBuild, serveBuild } from './builtApp.ts'
import { launchBrowser } from './drillBrowser.ts'
import { readDrillConfig } from './drillConfig.ts'
import { chooseRoutes } from './drillRoutes.ts'
import { type MeasuredPage, measurePage } from './measureImages.ts'

const defaultViewports = [
  { width: 390, height: 844, density: 2 },
  { width: 1440, height: 900, density: 1 },
]

const { route, json } = sharedOptions

const options = {
  route,
  viewports: {
    value: 'sizes',
    parse: parseViewports,
    valid: 'Write --viewports 390x844@2,1440x900: width, height, and the density of the screen.',
    text: 'Screens, as width, height and density. Default: 390x844@2,1440x900.',
  },
  browser: browserOption,
  json,
} as const satisfies OptionTable

type Input = CommandInput<PackageOptions<typeof options>>

/** Compares the images that a build's pages load in a browser with the sizes that they need. */
export const images: PackageCommand<typeof options> = {
  details: `Serves the build and shows its pages in a browser: bytes sent and needed, images without sizes
or measures, a first picture that waits. Paths and cookies are those of drill.config.ts.`,
  options,
  mode: 'that of the build',
  run,
}

/** @returns `null` for an invalid text */
export function parseViewports(text: string) {
  const sizes = text.split(',').map((size) => {
    const [, width, height, density = 1] = /^(\d{2,4})x(\d{2,4})(?:@([1-4]))?$/.exec(size) ?? []
    return { width: Number(width), height: Number(height), density: Number(density) }
  })
  return sizes.some(({ width }) => Number.isNaN(width)) ? null : sizes
}

async function run({ options, terminal }: Input): Promise<number> {
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
