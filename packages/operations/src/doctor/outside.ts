import type { ClosedPath } from 'waymark/plugin'
import { type Check, distinct, failed, passed } from './check.ts'
import type { SeenFile, SeenPage } from './pages.ts'

/** Requests that anybody can send. */
export type OutsideTools = {
  /** @throws an error with a message for the user of the command */
  readonly openPage: (server: string) => Promise<SeenPage>
  /** @throws an error with a message for the user of the command */
  readonly openData: (server: string, page: SeenPage) => Promise<SeenFile>
  /** @returns `null` if there is no response */
  readonly lookAt: (url: string) => Promise<SeenFile | null>
  readonly assetUrl: (origin: string, name: string) => string
}

/** A server's responses to some requests in a row, which different processes may have sent. */
export type SeenServer = {
  readonly url: string
  readonly pages: readonly SeenPage[]
  /** The data of each page. */
  readonly data: readonly SeenFile[]
}

// Several are needed, because several processes may serve one URL.
const samples = 6

/** @throws an error with a message for the user of the command */
export async function lookAtServer(url: string, tools: OutsideTools): Promise<SeenServer> {
  const pages: SeenPage[] = []
  const data: SeenFile[] = []
  while (pages.length < samples) {
    const page = await tools.openPage(url)
    pages.push(page)
    data.push(await tools.openData(url, page))
  }
  if (!pages.some(isFromWaymark) && data.every(({ build }) => build === null)) {
    throw new Error(
      `it isn't a Waymark app, or something in front of it responds instead: the page at / has status ${pages[0]?.status}`,
    )
  }
  return { url, pages, data }
}

function isFromWaymark({ build, files }: SeenPage): boolean {
  return build !== null || files.length > 0
}

function buildsOf(seen: readonly { readonly build: string | null }[]): string[] {
  return distinct(seen.flatMap(({ build }) => build ?? []))
}

/** Compares the build ids in the headers of pages. */
export function checkSeenBuilds(servers: readonly SeenServer[]): Check {
  const all = buildsOf(servers.flatMap(({ data }) => data))
  if (all.length < 2) return passed('build', `same build id: ${all[0] ?? 'unknown'}`)
  const details = servers.map(({ url, data }) => `${url}: ${buildsOf(data).join(', ')}`)
  return failed('build', `${all.length} different build ids`, [...details, finishDeploy])
}

export const finishDeploy =
  'If no deploy is running, finish the last one: restart the servers that still run an older build.'

/** Checks that a page of an old build can notice the new one. */
export function checkSkew(servers: readonly SeenServer[]): Check {
  const details = servers.flatMap(({ url, pages, data }) => {
    const pageBuilds = buildsOf(pages)
    const dataBuilds = buildsOf(data)
    if (dataBuilds.length < data.length && data.some(({ build }) => build === null)) {
      const { status, type } = data.find(({ build }) => build === null) as SeenFile
      return [
        `${url}: the response with page data has no header waymark-build (status ${status}, ${type || 'no type'})`,
        `Let the proxy in front of ${url} pass on all response headers that begin with waymark-, and all paths below /_waymark/. Without this header, an open page can't see that there is a new build.`,
      ]
    }
    if (pageBuilds.length === 0 || pageBuilds.some((build) => dataBuilds.includes(build))) return []
    return [
      `${url}: pages of the build ${pageBuilds.join(', ')}, but page data of ${dataBuilds.join(', ')}`,
      `A cache in front of ${url} keeps pages of an earlier build. Let it follow the header cache-control, and purge it after each deploy.`,
    ]
  })
  if (details.length === 0) return passed('skew', 'open pages can see when there is a new build')
  return failed('skew', 'open pages can’t see when there is a new build', details)
}

/**
 * Checks that a missing file has the status 404. A proxy that sends a page instead lets browsers run
 * HTML as a script, and an open page doesn't request the file a second time.
 * @param key part of a name that no file has
 */
export async function checkNotFound(
  origins: readonly string[],
  { lookAt, assetUrl }: OutsideTools,
  key: string,
): Promise<Check> {
  const statuses = await Promise.all(
    origins.map(async (origin) => ({
      origin,
      status: (await lookAt(assetUrl(origin, `doctor-${key}.js`)))?.status ?? null,
    })),
  )
  const details = statuses.flatMap(({ origin, status }) =>
    status === 404
      ? []
      : [
          `${origin}: ${status === null ? 'no response' : `status ${status}`} for a file that doesn't exist`,
          `Let the proxy or CDN in front of ${origin} respond with 404 to paths below /_waymark/assets/ that don't exist, instead of a page.`,
        ],
  )
  if (details.length === 0) return passed('notFound', 'a missing script has the status 404')
  return failed('notFound', 'a missing script doesn’t have the status 404', details)
}

// Maximum number of failed files to list per server, because usually all files fail for the same reason.
const maxListed = 3

// Number of requests for a file while several builds run, because each server may lack the files of the
// other builds.
const requestsWithSeveralBuilds = 4

/**
 * Checks the files of the page at `/`. Without them, a page looks healthy to a load balancer but works
 * for nobody.
 * @param closedPaths lists a server's paths that a web server can't read; `null` if it didn't say
 */
export async function checkFiles(
  servers: readonly SeenServer[],
  { lookAt }: Pick<OutsideTools, 'lookAt'>,
  closedPaths: (url: string) => Promise<readonly ClosedPath[] | null>,
): Promise<Check> {
  const details: string[] = []
  let count = 0
  for (const { url, pages } of servers) {
    const requests = buildsOf(pages).length > 1 ? requestsWithSeveralBuilds : 1
    const files = distinct(pages.flatMap((page) => page.files))
    const failures = await Promise.all(
      files.map(async (file) => ({ file, failure: await findFailure(file, requests, lookAt) })),
    )
    const failing = failures.flatMap(({ file, failure }) => (failure ? [{ file, failure }] : []))
    count += files.length
    details.push(...failing.slice(0, maxListed).map(({ file, failure }) => `${file}: ${failure}`))
    if (failing.length > maxListed)
      details.push(`and ${failing.length - maxListed} more from ${url}`)
    const isForbidden = failing.some(({ failure }) => failure === 'status 403')
    if (isForbidden) details.push(...explainForbidden(await closedPaths(url), url))
    if (failing.some(({ failure }) => failure === 'status 404')) details.push(explainMissing(url))
    if (failing.some(({ failure }) => failure.startsWith('type'))) details.push(explainType(url))
  }
  if (details.length > 0) {
    return failed('files', 'a page uses scripts or style sheets that browsers can’t fetch', details)
  }
  return passed('files', `all scripts and style sheets of the page at / can be fetched (${count})`)
}

async function findFailure(
  file: string,
  requests: number,
  lookAt: OutsideTools['lookAt'],
): Promise<string | null> {
  for (let request = 0; request < requests; request++) {
    const response = await lookAt(file)
    if (response === null) return 'no response'
    if (response.status !== 200) return `status ${response.status}`
    if (hasWrongType(file, response)) return `type ${response.type || 'missing'}`
  }
  return null
}

// Browsers don't run a module with a different type, and servers send `nosniff`.
function hasWrongType(file: string, { type }: SeenFile): boolean {
  if (/\.m?js(?:\?|$)/.test(file)) return !/^(?:text|application)\/javascript\b/i.test(type)
  return /\.css(?:\?|$)/.test(file) && !/^text\/css\b/i.test(type)
}

/** @returns one line per path whose file mode is too strict, with the command that changes it */
function explainForbidden(closed: readonly ClosedPath[] | null, url: string): string[] {
  if (closed === null) {
    return [
      `The web server at ${url} may not read these files. Run waymark doctor with the servers' secret, which also prints the folder and the command that opens it.`,
    ]
  }
  if (closed.length === 0) {
    return [
      "Every user of the machine can read this build's files, so the status 403 comes from the web server's configuration. Check that configuration.",
    ]
  }
  return closed.map(({ path, isFolder }) => {
    const lack = isFolder ? 'enter' : 'read'
    const argument = isFolder ? 'o+x' : 'o+r'
    return `The web server's user may not ${lack} ${path}. Run: chmod ${argument} ${quoteForShell(path)}`
  })
}

function explainMissing(url: string): string {
  return `${url} serves pages of a build whose files it doesn't have. Let its web server read the client folder of the running build, and give all servers the files of all builds, as the guide's page Deploys without loss describes.`
}

function explainType(url: string): string {
  return `Browsers refuse scripts and style sheets with another type. Let the host of the files at ${url} send .js files as text/javascript, and .css files as text/css.`
}

function quoteForShell(path: string): string {
  return /^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
