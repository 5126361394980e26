import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { root } from './paths.mjs'
import { run, say } from './run.mjs'

/**
 * A program that the tests need and npm can't install.
 * @typedef {object} SystemTool
 * @property {string} name
 * @property {string[]} aptPackages
 * @property {() => boolean} isInstalled true if installing the packages would change nothing
 * @property {() => string | null} find
 * @property {() => string} hint one line with the missing program, and how to install it
 */

// Chromium without a window, which has the same engine but takes half the processor time.
const lightBrowser = 'chromium-headless-shell'

/** @type {SystemTool} */
export const chromium = {
  name: 'Chromium',
  aptPackages: [lightBrowser, 'fonts-liberation'],
  isInstalled: () => Boolean(process.env.WAYMARK_BROWSER) || findProgram([lightBrowser]) !== null,
  find: findBrowser,
  hint: () =>
    process.env.WAYMARK_BROWSER
      ? `WAYMARK_BROWSER is ${process.env.WAYMARK_BROWSER}, which is not an executable program.`
      : 'Chromium is missing. Install it with `apt-get install chromium`, or set WAYMARK_BROWSER to the path of a Chromium or Chrome.',
}

/** @type {SystemTool} */
export const redis = {
  name: 'Redis',
  aptPackages: ['redis-server'],
  isInstalled: () => Boolean(process.env.WAYMARK_REDIS_SERVER) || redis.find() !== null,
  find: findRedisServer,
  hint: () =>
    process.env.WAYMARK_REDIS_SERVER
      ? `WAYMARK_REDIS_SERVER is ${process.env.WAYMARK_REDIS_SERVER}, which is not an executable program.`
      : 'Redis is missing. Install it with `apt-get install redis-server`. Without it, the tests that need it fail.',
}

/**
 * Describes a web server for which `deploy/` has configuration files.
 * @param {string} name
 * @param {string} program
 * @returns {SystemTool}
 */
function webServer(name, program) {
  // Search /usr/sbin as well: Debian installs servers there, and only root has the folder in its
  // PATH.
  const find = () => findProgram([program]) ?? [`/usr/sbin/${program}`].find(isExecutable) ?? null
  return {
    name,
    aptPackages: [program],
    isInstalled: () => find() !== null,
    find,
    hint: () =>
      `${name} is missing. Install it with \`apt-get install ${program}\`. Without it, the tests of its file in deploy/ are skipped.`,
  }
}

export const nginx = webServer('nginx', 'nginx')
export const caddy = webServer('Caddy', 'caddy')

/**
 * Installs missing programs from Debian's packages if this process may do so. Otherwise, prints how
 * to install the programs.
 * @param {readonly SystemTool[]} tools
 */
export async function ensureSystemTools(tools) {
  // A program that an environment variable specifies must not be replaced with a different one.
  const wanted = tools.filter((tool) => !tool.isInstalled())
  if (wanted.length > 0 && process.getuid?.() === 0 && findProgram(['apt-get'])) {
    say(`Installing ${wanted.map((tool) => tool.name).join(' and ')} from Debian's packages…`)
    await aptInstall(wanted.flatMap((tool) => tool.aptPackages))
  }
  for (const tool of tools) if (tool.find() === null) say(tool.hint())
}

/**
 * Finds the browser for the tests: the one in `WAYMARK_BROWSER`, or else the first that is installed.
 * @returns {string | null} a path, or null if there is no browser
 */
export function findBrowser() {
  const named = process.env.WAYMARK_BROWSER
  if (named) return findNamed(named)
  return findProgram([lightBrowser]) ?? findWholeBrowser()
}

/**
 * Finds a browser that can open a window. Headless shells have no back-forward cache.
 * @returns {string | null} a path, or null if there is no such browser
 */
export function findWholeBrowser() {
  return (
    findProgram(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) ??
    chromePlaces.find(isExecutable) ??
    null
  )
}

/**
 * Finds the Redis or Valkey server for the tests: the one in `WAYMARK_REDIS_SERVER`, or else the
 * first that is installed.
 * @returns {string | null} a path, or null if there is no server
 */
export function findRedisServer() {
  const named = process.env.WAYMARK_REDIS_SERVER
  return named ? findNamed(named) : findProgram(['redis-server', 'valkey-server'])
}

/** @param {string} named path or name of a program */
function findNamed(named) {
  return isExecutable(named) ? named : findProgram([named])
}

// Look in these places, because the installers of these systems don't add the browser to the PATH.
const chromePlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Finds the first of several programs in the PATH.
 * @param {readonly string[]} names names of programs, with or without the `.exe` that Windows adds
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
    // The file exists, but this process isn't allowed to execute it.
    return false
  }
}
