import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
} from 'playwright-core'
import {
  findWholeBrowser,
  chromium as systemChromium,
} from '../../scripts/workspace/systemTools.mjs'

// The first flags stop the browser's background requests, and anything that differs between two
// runs. The last two save processor time: the tests need no separate process for drawing, and no
// helper threads of the JavaScript engine.
const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--in-process-gpu',
  '--js-flags=--single-threaded',
]

// Run without Chromium's sandbox, because it needs rights that root lacks in a container.
const common = { headless: true, chromiumSandbox: false, args: flags }

let launched: Promise<Browser> | null = null

/**
 * Returns the browser that all test files of this worker share. The browser starts at the first
 * call, and ends with the worker.
 * @throws Error with a hint how to install a browser if none is installed
 */
export async function sharedBrowser(): Promise<Browser> {
  const previous = launched
  const browser = await previous?.catch(() => null)
  if (browser?.isConnected()) return browser
  // Another caller may have started a browser since the check.
  if (launched === previous) launched = launch(installedPath())
  return launched as Promise<Browser>
}

/** Closes pages that the tests of a file have left open, usually because a test failed. */
export async function closePages(): Promise<void> {
  const browser = await launched?.catch(() => null)
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()))
}

/**
 * Starts a browser with a back-forward cache. The caller must close the browser.
 * @returns `null` if only a headless shell is installed, which has no such cache
 */
export async function launchWithPageCache(): Promise<Browser | null> {
  const executablePath = findWholeBrowser()
  return executablePath === null ? null : launch(executablePath, ['--disable-back-forward-cache'])
}

/** Starts a browser with additional flags. The caller must close the browser. */
export function launchWithFlags(further: readonly string[]): Promise<Browser> {
  return launch(installedPath(), [], further)
}

/**
 * Starts a browser with a persistent profile and with user settings. The caller must close the
 * browser.
 * @param preferences settings in the format of the file `Preferences` in a profile
 * @returns `null` if only a headless shell is installed, which has no settings
 */
export async function launchWithPreferences(
  folder: string,
  preferences: object,
  options: BrowserContextOptions,
): Promise<BrowserContext | null> {
  const executablePath = findWholeBrowser()
  if (executablePath === null) return null
  mkdirSync(join(folder, 'Default'), { recursive: true })
  writeFileSync(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
  return chromium.launchPersistentContext(folder, { executablePath, ...common, ...options })
}

function installedPath(): string {
  const executablePath = systemChromium.find()
  if (executablePath === null) throw new Error(systemChromium.hint())
  return executablePath
}

function launch(
  executablePath: string,
  ignoreDefaultArgs: string[] = [],
  further: readonly string[] = [],
): Promise<Browser> {
  const args = [...flags, ...further]
  return chromium.launch({ executablePath, ...common, args, ignoreDefaultArgs })
}
