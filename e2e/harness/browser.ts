import { type Browser, chromium } from 'playwright-core'
import {
  findWholeBrowser,
  chromium as systemChromium,
} from '../../scripts/workspace/systemTools.mjs'

// Nothing of the browser's own shall go over the network or change between two runs.
const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let launched: Promise<Browser> | null = null

/**
 * The browser of this worker, started at its first use.
 * @throws a line that says how to get one when none is installed
 */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser()
  return launched
}

/** Closes the browser of this worker, if it was started. */
export async function closeBrowser(): Promise<void> {
  const browser = await launched?.catch(() => null)
  launched = null
  await browser?.close()
}

async function launchBrowser(): Promise<Browser> {
  const executablePath = systemChromium.find()
  if (executablePath === null) throw new Error(systemChromium.hint())
  return launch(executablePath)
}

/**
 * Starts a browser with a back-forward cache, which its caller closes.
 * @returns `null` where only a browser without a window is installed, which has no such cache
 */
export async function launchWithPageCache(): Promise<Browser | null> {
  const executablePath = findWholeBrowser()
  return executablePath === null ? null : launch(executablePath, ['--disable-back-forward-cache'])
}

function launch(executablePath: string, ignoreDefaultArgs: string[] = []): Promise<Browser> {
  // Chromium's own sandbox needs rights that a root user in a container lacks.
  const options = { headless: true, chromiumSandbox: false, args: flags, ignoreDefaultArgs }
  return chromium.launch({ executablePath, ...options })
}
