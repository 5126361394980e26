import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { root } from './paths.mjs'
import { run, say } from './run.mjs'

/**
 * A program that the tests need and npm can't bring.
 * @typedef {object} SystemTool
 * @property {string} name
 * @property {string[]} aptPackages
 * @property {() => boolean} isInstalled whether its packages would bring nothing better
 * @property {() => string | null} find
 * @property {() => string} hint one line: what is missing, and how to get it
 */

// Chromium without a window: the same engine, for half of the browser's processor time.
const lightBrowser = 'chromium-headless-shell'

/** @type {SystemTool} */
export const chromium = {
  name: 'Chromium',
  aptPackages: [lightBrowser, 'fonts-liberation'],
  isInstalled: () => Boolean(process.env.WAYMARK_BROWSER) || findProgram([lightBrowser]) !== null,
  find: findBrowser,
  hint: () =>
    process.env.WAYMARK_BROWSER
      ? `WAYMARK_BROWSER names ${process.env.WAYMARK_BROWSER}, which is no program that can be run.`
      : 'Chromium is missing: install it with `apt-get install chromium`, or name a Chromium or Chrome in WAYMARK_BROWSER.',
}

/** @type {SystemTool} */
export const redis = {
  name: 'Redis',
  aptPackages: ['redis-server'],
  isInstalled: () => Boolean(process.env.WAYMARK_REDIS_SERVER) || redis.find() !== null,
  find: findRedisServer,
  hint: () =>
    process.env.WAYMARK_REDIS_SERVER
      ? `WAYMARK_REDIS_SERVER names ${process.env.WAYMARK_REDIS_SERVER}, which is no program that can be run.`
      : 'Redis is missing: install it with `apt-get install redis-server`; the tests that need it fail without.',
}

/**
 * A web server that the files of `deploy/` are for.
 * @param {string} name
 * @param {string} program
 * @returns {SystemTool}
 */
function webServer(name, program) {
  // Debian keeps servers where only root's PATH leads.
  const find = () => findProgram([program]) ?? [`/usr/sbin/${program}`].find(isExecutable) ?? null
  return {
    name,
    aptPackages: [program],
    isInstalled: () => find() !== null,
    find,
    hint: () =>
      `${name} is missing: install it with \`apt-get install ${program}\`; the tests of its file in deploy/ are skipped without.`,
  }
}

export const nginx = webServer('nginx', 'nginx')
export const caddy = webServer('Caddy', 'caddy')

/**
 * Installs what is missing from Debian's packages when this process may, and says how to get
 * the rest otherwise.
 * @param {readonly SystemTool[]} tools
 */
export async function ensureSystemTools(tools) {
  // Who names a program wants that one, and no other.
  const wanted = tools.filter((tool) => !tool.isInstalled())
  if (wanted.length > 0 && process.getuid?.() === 0 && findProgram(['apt-get'])) {
    say(`Installing ${wanted.map((tool) => tool.name).join(' and ')} from Debian's packages…`)
    await aptInstall(wanted.flatMap((tool) => tool.aptPackages))
  }
  for (const tool of tools) if (tool.find() === null) say(tool.hint())
}

/**
 * The browser that the tests use: `WAYMARK_BROWSER`, else the first that is installed.
 * @returns {string | null} a path, or null when there is none
 */
export function findBrowser() {
  const named = process.env.WAYMARK_BROWSER
  if (named) return findNamed(named)
  return findProgram([lightBrowser]) ?? findWholeBrowser()
}

/**
 * A browser with its window: one without has no back-forward cache.
 * @returns {string | null} a path, or null when there is none
 */
export function findWholeBrowser() {
  return (
    findProgram(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) ??
    chromePlaces.find(isExecutable) ??
    null
  )
}

/**
 * The Redis or Valkey that the tests start: `WAYMARK_REDIS_SERVER`, else the first that is installed.
 * @returns {string | null} a path, or null when there is none
 */
export function findRedisServer() {
  const named = process.env.WAYMARK_REDIS_SERVER
  return named ? findNamed(named) : findProgram(['redis-server', 'valkey-server'])
}

/** @param {string} named by path or by name */
function findNamed(named) {
  return isExecutable(named) ? named : findProgram([named])
}

// The installers of these systems put it on no PATH.
const chromePlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Finds the first of some programs on the PATH.
 * @param {readonly string[]} names without the `.exe` that programs have on Windows, or with it
 * @param {NodeJS.Platform} [platform]
 * @returns {string | null} its absolute path
 */
export function findProgram(names, platform = process.platform) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute)
  const ending = platform === 'win32' ? '.exe' : ''
  const files = names.map((name) => (name.endsWith(ending) ? name : name + ending))
  const candidates = files.flatMap((file) => folders.map((folder) => join(folder, file)))
  return candidates.find(isExecutable) ?? null
}

/** @param {readonly string[]} packages */
async function aptInstall(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['install', '--yes', '--quiet', '--no-install-recommends', ...packages]
  await run('apt-get', ['update', '--quiet'], { cwd: root, quiet: true, env })
  const { exitCode, output } = await run('apt-get', install, { cwd: root, quiet: true, env })
  if (exitCode !== 0) say(output.trimEnd())
}

/** @param {string} path */
function isExecutable(path) {
  if (!existsSync(path)) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // There, but not for us to run: as good as missing.
    return false
  }
}
