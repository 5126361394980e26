import { type Browser, chromium } from 'playwright-core'
import { chromium as systemChromium } from '../../scripts/workspace/systemTools.mjs'

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
 * The browser of this worker, started at its first use: it serves the files that run in it, one after
 * the other. Playwright ends it with the worker.
 * @throws a line that says how to get one when none is installed
 */
export async function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser()
  const browser = await launched
  if (browser.isConnected()) return browser
  launched = launchBrowser()
  return launched
}

/** Closes the pages of this worker that are still open. */
export async function closePages(): Promise<void> {
  const browser = await launched?.catch(() => null)
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
}

async function launchBrowser(): Promise<Browser> {
  const executablePath = systemChromium.find()
  if (executablePath === null) throw new Error(systemChromium.hint())
  // Chromium's own sandbox needs rights that a root user in a container lacks.
  return chromium.launch({ executablePath, headless: true, chromiumSandbox: false, args: flags })
}
