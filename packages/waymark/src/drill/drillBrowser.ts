import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserType } from 'playwright-core'
import { frameworkError } from '../shared/errors.ts'

const programs = [
  ...['chromium-headless-shell', 'chromium', 'chromium-browser'],
  ...['google-chrome', 'google-chrome-stable', 'chrome', 'msedge'],
]
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/**
 * Starts the browser of a drill.
 * @param root of the app, which has installed `playwright-core`
 * @param named a path, or the name of a program
 * @throws `DRILL_PLAYWRIGHT`, `DRILL_BROWSER`
 */
export async function launchBrowser(root: string, named: string | undefined): Promise<Browser> {
  const chromium = await importChromium(root)
  const executablePath = findBrowser(named, chromium)
  const args = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync']
  // Root in a container has not the rights that the browser's sandbox needs.
  const chromiumSandbox = process.getuid?.() !== 0
  return chromium.launch({ executablePath, args, chromiumSandbox })
}

/** @throws `DRILL_BROWSER` */
export function findBrowser(
  named = process.env.WAYMARK_BROWSER,
  chromium?: Pick<BrowserType, 'executablePath'>,
): string {
  if (named) {
    const found = [named, ...onPath(named)].find(isProgram)
    if (found) return found
    throw frameworkError('DRILL_BROWSER', { named })
  }
  const found = [installedBy(chromium), ...programs.flatMap(onPath), ...places].find(isProgram)
  if (found) return found
  throw frameworkError('DRILL_BROWSER', { named: null })
}

function installedBy(chromium: Pick<BrowserType, 'executablePath'> | undefined): string {
  try {
    return chromium?.executablePath() ?? ''
  } catch {
    // Playwright has no browser for this system.
    return ''
  }
}

async function importChromium(root: string): Promise<BrowserType> {
  const require = createRequire(join(root, 'package.json'))
  for (const name of ['playwright-core', 'playwright', '@playwright/test']) {
    try {
      const loaded = await import(pathToFileURL(require.resolve(name)).href)
      return loaded.chromium ?? loaded.default.chromium
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  throw frameworkError('DRILL_PLAYWRIGHT', { folder: root })
}

function onPath(name: string): string[] {
  if (name.includes('/')) return []
  const folders = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute)
  const ends = process.platform === 'win32' ? ['.exe', ''] : ['']
  return folders.flatMap((folder) => ends.map((end) => join(folder, name + end)))
}

function isProgram(path: string): boolean {
  if (!isAbsolute(path)) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Missing, or not for us to run.
    return false
  }
}
