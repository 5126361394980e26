import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { DescribedEntry, Reach } from '@waymark/contract/dev'
import { parseDigest, parsePathname } from 'waymark/plugin/dev'
import { type ContractResult, contractCommand } from '../contract.ts'
import type { InspectedApp } from './inspectedApp.ts'

/** Runs a tool. @throws ToolError if no tool has this name, or if the input is invalid */
export function runTool(
  name: string,
  app: InspectedApp,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const match = tools.find((tool) => tool.name === name)
  if (!match) throw new ToolError(`There is no tool ${JSON.stringify(name)}.`)
  return match.run(app, input)
}

/** A tool as a client sees it, and the function that runs it. */
export type Tool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: { readonly readOnlyHint: boolean }
  /** Milliseconds after which a call fails, if this tool needs more time than others. */
  readonly deadlineMs?: number
  /** @returns a value that is sent as JSON, or a string that is sent unchanged */
  run(app: InspectedApp, input: Readonly<Record<string, unknown>>): Promise<unknown>
}

/** A mistake that the tool's caller has made. The message is sent to the caller unchanged. */
export class ToolError extends Error {}

const maxListed = 100
const maxTextLength = 500

/** All tools of the MCP server. */
export const tools: readonly Tool[] = [
  tool('routes', 'Lists all routes of the app with their pattern, kind and file.', {}, (app) =>
    app.routes.list(),
  ),
  tool(
    'explain_route',
    'Explains a pathname: the pattern and params that match, the files that render it from the root layout down, and the pages that some navigations show instead (interceptions). Reports whether the page is static or dynamic, with the reason and the line of code. Renders the page once.',
    { pathname: text('Pathname as in the browser, such as /blog/one') },
    explainRoute,
  ),
  tool(
    'errors',
    'Lists recorded errors, newest first. With a digest, returns that error with its mapped stack, causes and code.',
    {
      digest: optional(text('Digest as a screen or a log shows it')),
      limit: optional({ type: 'integer', minimum: 1, maximum: maxListed }),
    },
    findErrors,
  ),
  tool(
    'arrivals',
    'Lists the latest page loads, newest first, with their outcome (arrived, screen, notice, failed), phases in milliseconds, longest phase, and all events.',
    { limit: optional({ type: 'integer', minimum: 1, maximum: maxListed }) },
    async ({ arrivals }, input) => arrivals().slice(0, readLimit(input, 10)),
  ),
  {
    ...tool(
      'drill',
      'Breaks a page load in a browser, and reports what a user sees: arrived, screen, notice or stuck. For stuck, it adds advice. The first result is the load without a fault. Takes up to a minute. Needs @waymark/testing in the app.',
      {
        pathname: text('Pathname as in the browser, such as /blog/one'),
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
      'Helps to fix an error, given its digest. Sends the failed request to the build (waymark build) again, and reports, with the stack, whether it still fails in the same way, fails differently, or succeeds. With test, writes a test to the app that fails until the error is fixed. For an error in a browser, lists the pages that led to it. Needs replay() from @waymark/replay/vite in vite.config.ts.',
      {
        digest: text('Digest as a screen or a log shows it'),
        test: optional({ type: 'boolean' }),
        run_action: optional({
          type: 'boolean',
          description:
            'True to also replay actions and methods other than GET, which may have effects',
        }),
      },
      replayError,
      false,
    ),
    deadlineMs: 60_000,
  },
  tool(
    'cache',
    'Lists the entries of the in-memory cache with their tags and ages. With tags, invalidates these tags first.',
    { invalidate: optional({ type: 'array', items: { type: 'string' }, maxItems: maxListed }) },
    inspectCache,
    false,
  ),
  tool(
    'who_can_reach',
    "Answers who can reach a part of the app, from its contract.txt: for each persona, what each request gets, which guards run, what a forged call gets, and what isn't proven. Use this tool before and after you change a guard, a layout, proxy.ts, a server action or a route handler, and to find out if something is public. Needs @waymark/contract in the app.",
    {
      what: text(
        'Path such as /board/3, pattern such as /board/[id], PUT /api/orders, name of an action or component, or file with a page, a handler or actions',
      ),
    },
    findReach,
  ),
  tool(
    'docs',
    'Reads the guide for this version. Without arguments, returns the list of pages. With a page, returns its Markdown. With a query, returns the lines that contain it.',
    {
      page: optional(text('Name of a page in the list')),
      query: optional(text('Text to search for')),
    },
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
    return {
      pathname,
      matches: null,
      says: 'No route matches. The response is the not-found screen with status 404.',
    }
  const { pattern, params, kind, file, files, interceptions } = route
  const rendering = await app.rendering(
    pathname,
    files.map((file) => path.join(appDir, file)),
  )
  return { pathname, pattern, params, kind, file, appDir, files, interceptions, rendering }
}

async function findReach(
  { contract }: InspectedApp,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const what = readText(input, 'what')?.trim() ?? ''
  if (what === '') throw new ToolError('what must name a path, an action or a file.')
  const result = await contract.whoCanReach(what)
  switch (result.kind) {
    case 'missing': {
      const { commands, config } = result
      const says = 'The app has no contract yet, so this tool has no answer.'
      return { what, says, commands, ...(config === null ? {} : { 'vite.config.ts': config }) }
    }
    case 'unreadable':
      throw new ToolError(result.problem)
    case 'read':
      return describeReach(what, result)
  }
}

function describeReach(
  what: string,
  { value, newerFile }: Extract<ContractResult<Reach>, { kind: 'read' }>,
): object {
  const { personas, entries, notProven, closeNames } = value
  const outdated = newerFile && {
    outdated: `${newerFile} has changed after contract.txt was written, so this answer may be out of date. Run ${contractCommand}.`,
  }
  if (closeNames === null) {
    return { what, ...outdated, personas, entries: entries.map(describeEntry), notProven }
  }
  const says = `contract.txt has no entry for "${what}". If it is new, run ${contractCommand}. To find the actions of a file, run npx waymark build first.`
  return { what, ...outdated, says, closeNames }
}

/** Describes what each persona gets in one object for each request, which agents read easily. */
function describeEntry({ access, ...entry }: DescribedEntry): object {
  const requests = access.map(({ request, outcomes }) => {
    return {
      request,
      gets: Object.fromEntries(outcomes.map(({ persona, gets }) => [persona, gets])),
    }
  })
  return { ...entry, access: requests }
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
  if (digest === null)
    throw new ToolError(`"${wanted}" is not a digest. A digest looks like 6r3v-0m2k-x7q.`)
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
    throw new ToolError(
      `limit is ${JSON.stringify(limit)}, but must be a number from 1 to ${maxListed}.`,
    )
  }
  return Number(limit)
}

async function inspectCache(
  { cache }: InspectedApp,
  { invalidate = [] }: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const isTag = (tag: unknown) => typeof tag === 'string' && tag !== '' && tag.length <= 200
  if (!Array.isArray(invalidate) || invalidate.length > maxListed || !invalidate.every(isTag)) {
    throw new ToolError(`invalidate must be a list of up to ${maxListed} tags.`)
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
    // Open only files in the list of guide pages. Never use the input as a path.
    const file = files.find((file) => path.basename(file) === wanted)
    if (file) return readFile(file, 'utf8')
    throw new ToolError(
      `The guide has no page "${wanted}". Call docs without arguments to list all pages.`,
    )
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
  return matches.join('\n') || `No line in the guide contains "${query}".`
}

/** @returns the names of the pages; an empty list if the package is not installed */
async function listPages(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.md')).map((name) => path.join(folder, name))
}

/** @throws ToolError if the input is not a pathname */
function readPathname(input: Readonly<Record<string, unknown>>): string {
  const wanted = readText(input, 'pathname')
  const pathname = parsePathname(wanted ?? '')
  if (pathname === null)
    throw new ToolError(`"${wanted}" is not a pathname. A pathname looks like /blog/one.`)
  return pathname
}

/**
 * Reads a string from a tool's input. Returns `null` if the string is missing. @throws ToolError if
 * the value is not a string, or is too long
 */
function readText(input: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = input[name]
  if (value === undefined) return null
  if (typeof value === 'string' && value.length <= maxTextLength) return value
  throw new ToolError(`${name} must be a string of at most ${maxTextLength} characters.`)
}
