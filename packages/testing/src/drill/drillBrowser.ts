import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Browser, BrowserType } from 'playwright-core'
import { FrameworkError } from 'waymark/drivers'

const programs = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'msedge',
]
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]
const howToName = '--browser <path> or WAYMARK_BROWSER.'

/**
 * Starts the browser of `waymark drill`. Uses the program in `WAYMARK_BROWSER`, a browser that
 * Playwright has installed, or an installed Chromium or Chrome, in this order.
 * @param named path or name of the browser's program
 * @throws `DRILL_BROWSER`
 */
export async function launchBrowser(named?: string): Promise<Browser> {
  // Playwright is slow to load, and most commands don't start a browser.
  const { chromium } = await import('playwright-core')
  const executablePath = findBrowser(named, chromium)
  const args = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync']
  // In a container, root often lacks the rights that the browser's sandbox needs.
  const chromiumSandbox = process.getuid?.() !== 0
  return chromium.launch({ executablePath, args, chromiumSandbox })
}

/** @throws `DRILL_BROWSER` */
export function findBrowser(
  named = process.env.WAYMARK_BROWSER,
  chromium?: Pick<BrowserType, 'executablePath'>,
): string {
  if (named) {
    const program = [named, ...onPath(named)].find(isProgram)
    if (program) return program
    const text = `${named} is not a browser that can be run. Choose Chromium or Chrome with`
    throw new FrameworkError('DRILL_BROWSER', `${text} ${howToName}`)
  }
  const program = [installedBy(chromium), ...programs.flatMap(onPath), ...places].find(isProgram)
  if (program) return program
  const text = 'No browser was found. Install Chromium or Chrome, or choose one with'
  throw new FrameworkError('DRILL_BROWSER', `${text} ${howToName}`)
}

function installedBy(chromium: Pick<BrowserType, 'executablePath'> | undefined): string {
  try {
    return chromium?.executablePath() ?? ''
  } catch {
    // Playwright throws if it has no browser for this operating system.
    return ''
  }
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
    // The program doesn't exist, or this user isn't allowed to run it.
    return false
  }
}
