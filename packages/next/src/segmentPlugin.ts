import path from 'node:path'
import { type ESTree, normalizePath, type Plugin, parseSync } from 'vite'
import { lineCounter } from './move/readSource.ts'

const routeFile = /\/(?:page|layout|template|default|route)\.[cm]?[jt]sx?$/

/** Segment options that Waymark doesn't have, and what to do instead. */
const absentOptions: Readonly<Record<string, string>> = {
  instant: 'wrap slow parts of the page in Suspense.',
  prefetch: 'set it for each link, as in <Link prefetch={false}>.',
  ensureStatic:
    "write export const dynamic = 'error' to fail the build if the page uses the request.",
  dynamicStaleTime: 'each navigation fetches dynamic parts again.',
}

const absentExport =
  /^export\s+(?:const|let|var)\s+((?:unstable_)?(instant|prefetch|ensureStatic|dynamicStaleTime))\b/gm

/** Returns one line for each exported option that has no effect. */
export function segmentNotes(code: string): string[] {
  return [...code.matchAll(absentExport)].map(
    ({ 0: { length }, 1: name, 2: option = '', index }) =>
      `${lineCounter(code)(index + length - 1)}: ${name} is not supported: ${absentOptions[option]}`,
  )
}

/** Options for hosting services, and options that only `fetch` reads. Their exports are removed. */
const removedOptions = ['preferredRegion', 'maxDuration', 'runtime', 'fetchCache']

/**
 * Transforms route files: each loads the cache for `fetch`, layouts and pages report their options
 * to this cache, and exports that Waymark would refuse are removed.
 * @param appDir absolute path
 */
export function segmentPlugin(appDir: string): Plugin {
  const folder = `${normalizePath(path.resolve(appDir))}/`
  return {
    name: 'next-names:segments',
    enforce: 'pre',
    transform: {
      // Waymark checks client files and would refuse some of the exports, so remove these first.
      order: 'pre',
      filter: { id: /\.[cm]?[jt]sx?(?:$|\?)/ },
      handler(code, id) {
        const [file = ''] = id.split('?')
        if (this.environment.name !== 'rsc' || !file.startsWith(folder)) return null
        const isHandler = /\/route\.\w+$/.test(file)
        if (!routeFile.test(file) || id.endsWith('?handlers') !== isHandler) return null
        const name = path.posix.join(path.basename(folder), file.slice(folder.length))
        const stripped = withoutClientOptions(file, code)
        // A build transforms each file twice, so warn only once.
        const { warnOnce } = this.environment.getTopLevelConfig().logger
        for (const note of [...segmentNotes(code), ...stripped.notes]) warnOnce(`${name}:${note}`)
        return {
          code: stripped.notes.length ? stripped.code : withSegmentOptions(file, code),
          map: null,
        }
      },
    },
  }
}

/** Options that a route file on the server may export. */
const segmentOptions: ReadonlySet<string> = new Set([
  'dynamic',
  'dynamicParams',
  'revalidate',
  'expire',
  'statusDeadlineMs',
  ...removedOptions,
])

/**
 * Removes options from a route file with `'use client'`. Such options have no effect, because the
 * server can't read a client file's exports.
 * @returns the code with unchanged line numbers, and a note for each removed option
 */
export function withoutClientOptions(
  file: string,
  code: string,
): { readonly code: string; readonly notes: readonly string[] } {
  const { program, errors } = parseRouteFile(file, code)
  if (errors.length > 0 || !isClientFile(program)) return { code, notes: [] }
  const notes: string[] = []
  let stripped = code
  for (const { start, end, names } of exportedVariables(program)) {
    if (!names.every((name) => segmentOptions.has(name))) continue
    stripped = stripped.slice(0, start) + ' '.repeat(end - start) + stripped.slice(end)
    notes.push(
      `${lineCounter(code)(start)}: ${names.join(', ')} has no effect in a file with 'use client'. Export it from a server component, such as a layout in the same folder or a page that renders this component.`,
    )
  }
  return { code: stripped, notes }
}

/**
 * Adds the calls that report a route file's options. Line numbers don't change.
 * @param code the author's source
 */
export function withSegmentOptions(file: string, code: string): string {
  const { program, errors } = parseRouteFile(file, code)
  if (errors.length > 0 || isClientFile(program)) return code
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = []
  const options: string[] = []
  for (const { start, end, names } of exportedVariables(program)) {
    options.push(...names.filter((name) => name === 'fetchCache' || name === 'revalidate'))
    if (names.every((name) => removedOptions.includes(name))) edits.push({ start, end, text: '' })
  }
  const entered = `$$enterSegment({ ${options.join(', ')} });`
  for (const body of options.length > 0 ? segmentBodies(program) : []) {
    edits.push(
      body.type === 'BlockStatement'
        ? { ...placeIn(body), text: `;${entered}` }
        : {
            start: body.start,
            end: body.end,
            text: `(${entered.slice(0, -1)}, ${code.slice(body.start, body.end)})`,
          },
    )
  }
  let edited = code
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start)) {
    edited = edited.slice(0, start) + text + edited.slice(end)
  }
  return `${edited}\nimport { enterSegment as $$enterSegment, installFetch as $$installFetch } from 'next/internal/fetch';\n$$installFetch();\n`
}

function parseRouteFile(file: string, code: string) {
  const lang = /\.[cm]?ts$/.test(file) ? 'ts' : 'tsx'
  const { program, errors } = parseSync(file, code, { lang })
  return { program, errors: errors.filter(({ severity }) => severity === 'Error') }
}

/**
 * Returns the variables that a file exports. `end` is the offset at which the keyword `export`
 * ends.
 */
function exportedVariables({ body }: ESTree.Program) {
  return body.flatMap((node) => {
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : null
    if (declared?.type !== 'VariableDeclaration') return []
    const names = declared.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : ''))
    return [{ start: node.start, end: declared.start, names }]
  })
}

function isClientFile({ body }: ESTree.Program): boolean {
  return body.some((node) => 'directive' in node && node.directive === 'use client')
}

/** Returns the offset after the directives, which must stay first. */
function placeIn({ body, start }: ESTree.BlockStatement) {
  const directives = body.filter((node) => 'directive' in node && node.directive)
  const at = directives.at(-1)?.end ?? start + 1
  return { start: at, end: at }
}

type Body = ESTree.BlockStatement | ESTree.Expression

/** Returns the bodies of the default export and of the metadata functions. */
function segmentBodies(program: ESTree.Program): Body[] {
  const functions = new Map<string, Body>()
  const wanted = new Set(['generateMetadata', 'generateViewport'])
  const bodies: Body[] = []
  const declare = (node: unknown): void => {
    const typedNode = node as ESTree.Node | null | undefined
    if (typedNode?.type === 'FunctionDeclaration' && typedNode.id && typedNode.body)
      functions.set(typedNode.id.name, typedNode.body)
    if (typedNode?.type !== 'VariableDeclaration') return
    for (const { id, init } of typedNode.declarations) {
      const body = bodyOf(init)
      if (id.type === 'Identifier' && body) functions.set(id.name, body)
    }
  }
  for (const node of program.body) {
    if (node.type === 'ExportNamedDeclaration') declare(node.declaration)
    else if (node.type === 'ExportDefaultDeclaration') {
      const { declaration } = node
      const body = bodyOf(declaration)
      if (body) bodies.push(body)
      else if (declaration.type === 'Identifier') wanted.add(declaration.name)
    } else declare(node)
  }
  return [...bodies, ...[...wanted].flatMap((name) => functions.get(name) ?? [])]
}

function bodyOf(node: unknown): Body | null {
  const typedNode = node as ESTree.Node | null | undefined
  switch (typedNode?.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return (typedNode.body as Body | null) ?? null
    default:
      return null
  }
}
