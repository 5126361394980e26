import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseDigest, parsePathname } from 'waymark/plugin/dev'
import type { InspectedApp } from './inspectedApp.ts'

/** Runs a tool. @throws ToolError when there is none of that name, or it is given what it can't use */
export function runTool(
  name: string,
  app: InspectedApp,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const match = tools.find((tool) => tool.name === name)
  if (!match) throw new ToolError(`There is no tool ${JSON.stringify(name)}.`)
  return match.run(app, input)
}

/** A tool as a client sees it, and what runs it. */
export type Tool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: { readonly readOnlyHint: boolean }
  /** For what takes longer than others. */
  readonly deadlineMs?: number
  /** @returns JSON; a text is written as it is */
  run(app: InspectedApp, input: Readonly<Record<string, unknown>>): Promise<unknown>
}

/** What a caller did wrong: told as it is. */
export class ToolError extends Error {}

const maxListed = 100
const maxTextLength = 500

/** All tools. */
export const tools: readonly Tool[] = [
  tool('routes', 'All routes of the app: pattern, kind, file.', {}, (app) => app.routes.list()),
  tool(
    'explain_route',
    'For a pathname: the pattern and params it matches, the files that render it from the root layout down, the pages that a navigation from elsewhere shows in its place (interceptions), and whether it is static or dynamic, with the reason and the line that made it so. It renders the page once.',
    { pathname: text('As in the browser: /blog/one') },
    explainRoute,
  ),
  tool(
    'errors',
    'Recorded errors, the newest first; with a digest, that one with its mapped stack, causes and code.',
    {
      digest: optional(text('As a screen or a log shows it')),
      limit: optional({ type: 'integer', minimum: 1, maximum: maxListed }),
    },
    findErrors,
  ),
  tool(
    'arrivals',
    'The latest loads of pages, the newest first: outcome (arrived, screen, notice, failed), phases in milliseconds, what was waited for longest, and all events of each.',
    { limit: optional({ type: 'integer', minimum: 1, maximum: maxListed }) },
    async ({ arrivals }, input) => arrivals().slice(0, readLimit(input, 10)),
  ),
  {
    ...tool(
      'drill',
      'Breaks a load of a page in a browser, and says what a person sees: arrived, screen, notice, or stuck with advice. The first result is the load with nothing broken. Takes up to a minute; needs @waymark/testing in the app.',
      {
        pathname: text('As in the browser: /blog/one'),
        fault: text(
          'data:hang, data:cut, page:offline, document:cut, scripts:404, styles:reset, …',
        ),
      },
      drillRoute,
    ),
    deadlineMs: 60_000,
  },
  {
    ...tool(
      'replay',
      'To fix an error by its digest: sends the request of the error to the build (waymark build) again, and reports whether it fails in the same way, in another way, or no longer, with the stack. With test, writes a test into the app that fails until the error is fixed. For an error in a browser, lists the pages that led to it. Needs replay() of @waymark/replay/vite in vite.config.ts.',
      {
        digest: text('As a screen or a log shows it'),
        test: optional({ type: 'boolean' }),
        run_action: optional({
          type: 'boolean',
          description: 'Also an action, or a method other than GET, which may have effects',
        }),
      },
      replayError,
      false,
    ),
    deadlineMs: 60_000,
  },
  tool(
    'cache',
    'Entries of the cache in memory, with their tags and ages; with tags, invalidates these first.',
    { invalidate: optional({ type: 'array', items: { type: 'string' }, maxItems: maxListed }) },
    inspectCache,
    false,
  ),
  tool(
    'docs',
    'The guide of this version. Without arguments the list of pages; with a page its Markdown; with a query the lines that have it.',
    { page: optional(text('Its name in the list')), query: optional(text('Words of a line')) },
    readDocs,
  ),
]

type Property = { readonly schema: object; readonly isOptional: boolean }

function tool(
  name: string,
  description: string,
  properties: Readonly<Record<string, Property | object>>,
  run: Tool['run'],
  readOnlyHint = true,
): Tool {
  const fields = Object.entries(properties).map(([key, property]) => {
    const isOptional = 'isOptional' in property
    return { key, isOptional, schema: isOptional ? (property as Property).schema : property }
  })
  const required = fields.filter(({ isOptional }) => !isOptional).map(({ key }) => key)
  const schemas = Object.fromEntries(fields.map(({ key, schema }) => [key, schema]))
  const inputSchema = { type: 'object', properties: schemas, required, additionalProperties: false }
  return { name, description, inputSchema, annotations: { readOnlyHint }, run }
}

function text(description: string): object {
  return { type: 'string', maxLength: maxTextLength, description }
}

function optional(schema: object): Property {
  return { schema, isOptional: true }
}

async function explainRoute(
  app: InspectedApp,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { appDir } = app
  const pathname = readPathname(input)
  const route = await app.routes.explain(pathname)
  if (!route)
    return { pathname, matches: null, says: 'No route matches: the not-found screen, 404.' }
  const { pattern, params, kind, file, files, interceptions } = route
  const rendering = await app.rendering(
    pathname,
    files.map((file) => path.join(appDir, file)),
  )
  return { pathname, pattern, params, kind, file, appDir, files, interceptions, rendering }
}

async function drillRoute(
  app: InspectedApp,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  return app.drill(readPathname(input), readText(input, 'fault') ?? '')
}

async function replayError(
  app: InspectedApp,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const wanted = readText(input, 'digest') ?? ''
  const digest = parseDigest(wanted)
  if (digest === null) throw new ToolError(`"${wanted}" is no digest such as 6r3v-0m2k-x7q.`)
  return app.replay(digest, { test: input.test === true, runAction: input.run_action === true })
}

async function findErrors(
  { journal }: InspectedApp,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const wanted = readText(input, 'digest')
  if (wanted !== null) {
    const digest = parseDigest(wanted)
    const error = digest && (await journal.find(digest))
    if (!error) throw new ToolError(`The journal has no error with the digest "${wanted}".`)
    return error.json
  }
  const entries = await journal.list({ limit: readLimit(input, 20) })
  return entries.map(({ digest, timeMs, phase, route, path, name, message }) => {
    return { digest, time: new Date(timeMs).toISOString(), phase, route, path, name, message }
  })
}

function readLimit({ limit }: Readonly<Record<string, unknown>>, fallback: number): number {
  if (limit === undefined) return fallback
  if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > maxListed) {
    throw new ToolError(`limit is ${JSON.stringify(limit)}; it is a number from 1 to ${maxListed}.`)
  }
  return Number(limit)
}

async function inspectCache(
  { cache }: InspectedApp,
  { invalidate = [] }: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const isTag = (tag: unknown) => typeof tag === 'string' && tag !== '' && tag.length <= 200
  if (!Array.isArray(invalidate) || invalidate.length > maxListed || !invalidate.every(isTag)) {
    throw new ToolError(`invalidate is a list of up to ${maxListed} tags.`)
  }
  if (invalidate.length > 0) await cache.invalidate(invalidate)
  const entries = await cache.list()
  return { count: entries.length, invalidated: invalidate, entries: entries.slice(0, maxListed) }
}

async function readDocs(
  { docs }: InspectedApp,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const page = readText(input, 'page')
  const query = readText(input, 'query')?.toLowerCase() ?? null
  const files = (await Promise.all(docs.map(listPages))).flat()
  const read = (wanted: string) => {
    // One of the list: no path that somebody sends is opened.
    const file = files.find((file) => path.basename(file) === wanted)
    if (file) return readFile(file, 'utf8')
    throw new ToolError(`The guide has no page "${wanted}"; without arguments it is listed.`)
  }
  if (page !== null) return read(`${page.replace(/\.md$/, '')}.md`)
  if (query === null) return read('README.md')
  const matches: string[] = []
  for (const name of files.map((file) => path.basename(file))) {
    const lines = (await read(name)).split('\n')
    for (const [at, line] of lines.entries()) {
      if (line.toLowerCase().includes(query)) matches.push(`${name}:${at + 1}: ${line}`)
      if (matches.length === maxListed) return matches.join('\n')
    }
  }
  return matches.join('\n') || `No line of the guide has "${query}".`
}

/** @returns none where a package is not installed */
async function listPages(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.md')).map((name) => path.join(folder, name))
}

/** @throws ToolError for what is no pathname */
function readPathname(input: Readonly<Record<string, unknown>>): string {
  const wanted = readText(input, 'pathname')
  const pathname = parsePathname(wanted ?? '')
  if (pathname === null) throw new ToolError(`"${wanted}" is no pathname such as /blog/one.`)
  return pathname
}

/** @throws ToolError when it is there and is no text, or too long a one */
function readText(input: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = input[name]
  if (value === undefined) return null
  if (typeof value === 'string' && value.length <= maxTextLength) return value
  throw new ToolError(`${name} is a text of at most ${maxTextLength} characters.`)
}
